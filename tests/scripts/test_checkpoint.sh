# Checkpoints in files. The run goes on in another process, with nothing loaded, another configuration and another level of the host's instructions, and
# ends with the same memory and the same statistics. Wrong files are refused with what is wrong with them, and change nothing.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
kernels=$ROOT/tests/gpgpusim/v322
bad=0
complain() { echo "$*"; bad=1; }

# figures of the host's own time are never the same; the configuration's name and what launches were given are
stats_of() {
	python3 - "$1" <<'PY' | grep -vE '"(gpgpu_simulation_time|gpgpu_simulation_rate|gpgpu_silicon_slowdown|gpgpu_.*\(.*sec\))'
import json, sys
j = json.load(open(sys.argv[1]))
assert "configuration" in j and all("arguments" in k for k in j["kernels"]), "no names or arguments"
print(json.dumps(j, indent=1))
PY
}

# From the middle of the second launch, in front of an instruction: `run` repeats it with the memory that it found.
same_end() { # FILE RUN OPTION...
	local file=$1 run=$2 steps=400 inside='stepi 2'
	shift 2
	[ "$file" = atomics_shared ] && inside='step 1' # the thread in focus has ended
	[ "$*" = '-m functional' ] && steps=50
	"$WARPSTEP" -q --batch "$@" -ex "load $kernels/$file.ptx" -ex 'buffer p b8[1048576] = zero' -ex "$run" -ex launch -ex "step $steps" -ex "$inside" \
		-ex 'checkpoint a.wsc' -ex c -ex 'stats --json one.json' -ex 'save p one.bin' -ex run -ex 'save p one2.bin' >out 2>&1 ||
		complain "$file $*: $(tail -2 out)"
	"$WARPSTEP" -q --batch -c duo --isa v2 -ex 'restore a.wsc' -ex c -ex 'stats --json two.json' -ex 'save p two.bin' -ex run -ex 'save p two2.bin' >out 2>&1 ||
		complain "$file $*, restored: $(tail -2 out)"
	cmp one.bin two.bin && cmp one2.bin two2.bin || complain "$file $*: memory differs"
	cmp -s <(stats_of one.json) <(stats_of two.json) || complain "$file $*: $(diff <(stats_of one.json) <(stats_of two.json) | head -8)"
}
while read -r file run; do
	for o in '-c fermi-gtx480' '-c tiny' '-c v42-gtx480' '-m functional'; do
		[ "$o,$file" = '-c tiny,app_matmul' ] && continue # too large a block
		# shellcheck disable=SC2086
		same_end "$file" "$run" $o
	done
done <<'END'
stream run k<<<5, 64>>>(p)
local_frame run k<<<7, 96>>>(p)
app_matmul run k<<<(2,2), (16,16)>>>(p, 32)
app_queue run k<<<12, 64>>>(p, 512)
atomics_shared run k<<<7, 96>>>(p)
call_nested run k<<<7, 96>>>(p)
constants run k<<<7, 96>>>(p)
END

# ---- wrong files ----
printf '%s\n' '.version 6.0' '.target sm_50' '.address_size 64' '.visible .entry k() { ret; }' > other.ptx
"$WARPSTEP" -q --batch -c tiny -ex "load other.ptx" -ex 'buffer p b8[4096] = iota' -ex 'launch k<<<1,32>>>()' -ex 'checkpoint a.wsc' >out 2>&1 || complain "$(cat out)"
[ "$(ls -- *.wsc*)" = a.wsc ] || complain "left behind: $(ls)"
refused() { # WHAT FILE
	printf '%s\n' 'buffer q u32[4] = fill 7' "restore $2" 'print q' > commands
	"$WARPSTEP" -q -c tiny <commands >out 2>&1
	grep -q "$1" out || complain "$2: not refused: $(cat out)"
	grep -q '{7, 7, 7, 7}' out || complain "$2: something was changed: $(cat out)"
}
size=$(stat -c %s a.wsc)
for n in 0 10 30 60 200 $((size / 2)) $((size - 1)); do
	head -c "$n" a.wsc > short.wsc
	refused 'is no checkpoint of warpstep\|is truncated\|is damaged' short.wsc
done
cp a.wsc long.wsc && echo more >> long.wsc
refused 'is damaged' long.wsc
refused 'is no checkpoint' other.ptx
refused 'No such file' missing.wsc
refused 'Is a directory' .
sed '2s/layout ./layout x/' a.wsc > older.wsc
refused 'another version' older.wsc
# a bit in each of some hundred places, in one process: none of these files is taken, and it goes on
: > commands
for k in $(seq 1 150); do
	at=$((60 + k * (size - 60) / 151))
	cp a.wsc "bit$k.wsc"
	byte=$(od -An -tu1 -j $at -N1 a.wsc)
	printf "\\x$(printf %x $((byte ^ (1 << k % 8))))" | dd of="bit$k.wsc" bs=1 seek=$at conv=notrunc status=none
	echo "restore bit$k.wsc" >> commands
done
echo 'print 41 + 1' >> commands
"$WARPSTEP" -q -c tiny <commands >out 2>&1
[ "$(grep -c "is damaged\|is truncated" out)" = 150 ] || complain "bits: $(head -3 out)"
grep -q '= 42' out || complain "bits: $(tail -1 out)"
# what is no file has no end: it is refused at once
mkfifo pipe.wsc
for file in /dev/zero pipe.wsc /dev/stdin; do
	timeout 20 "$WARPSTEP" -q --batch -ex "restore $file" </dev/zero >out 2>&1
	[ $? = 1 ] && grep -q 'is no checkpoint' out || complain "$file: $(head -c 300 out)"
done

# options that name files to be written are the session's, not the file's
"$WARPSTEP" -q --batch -c tiny -o '-gpgpu_ptx_inst_debug_to_file 1' -o '-gpgpu_ptx_inst_debug_file evil.txt' -ex 'load other.ptx' -ex 'launch k<<<1,32>>>()' \
	-ex 'checkpoint evil.wsc' >out 2>&1 || complain "evil: $(cat out)"
rm -f evil.txt
"$WARPSTEP" -q --batch -ex 'restore evil.wsc' -ex c -ex run >out 2>&1 || complain "evil, restored: $(cat out)"
[ ! -e evil.txt ] || complain "a restored configuration wrote a file"

# other programs; a folder that can't be written
"$WARPSTEP" -q --batch -ex "load $kernels/app_queue.ptx" -ex 'restore a.wsc' >out 2>&1 && complain "taken with another program"
grep -q "made with other programs: 'app_queue.ptx'\|made with other programs: '.*app_queue.ptx'" out || complain "another program: $(cat out)"
"$WARPSTEP" -q --batch -ex 'checkpoint /nowhere/a.wsc' >out 2>&1 && complain "written nowhere"
grep -q "can't write '/nowhere/a.wsc': No such file" out || complain "nowhere: $(cat out)"
exit $bad
