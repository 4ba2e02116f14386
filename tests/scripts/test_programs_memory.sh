#!/bin/bash
# What a program's launches and freed buffers leave in the debugger's memory: little each, in a loop of thousands. (It was 6 kB and 10 kB; memory comes in pieces, so a thousand may count as some hundred kB more.)
case $MODE in asan) echo "the sanitiser has memory of its own"; exit 77 ;; esac
[ -r /proc/self/status ] || { echo "there is no /proc"; exit 77; }
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_shared launches 13
resident() { timeout 60 "$WARPSTEP" -m $1 --batch --args "$DIR/launches-13" $2 2>"$DIR/err" || fail "$1, $2 launches: status $?: $(cat "$DIR/err")"; }

for row in 'functional 1000 5000' 'performance 500 1500'; do
	read -r mode few many <<<"$row"
	first=$(resident $mode $few) last=$(resident $mode $many)
	each=$(((last - first) * 1024 / (many - few)))
	echo "$mode: $first kB after $few launches, $last kB after $many: $each bytes each"
	[ "$first" -gt 1000 ] && [ $each -lt 2500 ] || fail "$mode: $each bytes for each launch and buffer"
done

# what each counted is still known: `ret` of 32 threads
"$WARPSTEP" -m functional --batch -ex run -ex "stats --json $DIR/json" --args "$DIR/launches-13" 300 >"$DIR/out" 2>&1 || fail "statistics: $(cat "$DIR/out")"
[ "$(sed -n '/"kernels"/,$p' "$DIR/json" | grep -c '"gpu_sim_insn": 32,')" = 300 ] || fail "statistics: $(head -40 "$DIR/json")"
exit $bad
