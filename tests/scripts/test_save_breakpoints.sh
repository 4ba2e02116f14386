#!/bin/bash
# What `save breakpoints` writes makes the same breakpoints again.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../golden/debugger"
run() { "$WARPSTEP" -m functional -q "$@" </dev/null 2>&1; }
cat >"$work/make" <<'EOF'
load inline.ptx
buffer out s32[32] = zero
break called thread (3,0,0) block (1,0,0) if %r1 > 2
tbreak frames warp 1
break inline.cu:6 17
ignore 3 4
watch out[3] if out[3] > 1
rwatch out[4]
catch barrier
tcatch kernel frames
dprintf inline.cu:22,"%d\n",threadIdx.x
condition 8 threadIdx.x == 2
break *0x10
commands
silent
print 5
end
disable 3
EOF
run --batch -x "$work/make" -ex "save breakpoints $work/saved" -ex 'info breakpoints' >"$work/before"
run --batch -ex 'load inline.ptx' -ex 'buffer out s32[32] = zero' -ex "source $work/saved" -ex "save breakpoints $work/again" \
	-ex 'info breakpoints' >"$work/after"
diff "$work/saved" "$work/again"
diff -b <(sed -n '/^Num/,$p' "$work/before") <(sed -n '/^Num/,$p' "$work/after")
cat "$work/saved"
[ "$(grep -c . "$work/saved")" -ge 14 ]
! run --batch -ex 'load inline.ptx' -ex "save breakpoints $work/none" >"$work/out" || exit 1
grep -qx 'error: Nothing to save.' "$work/out"
# a buffer of that name is written as ever
run --batch -ex 'buffer breakpoints u32[2] = {1, 2}' -ex "save breakpoints $work/bytes"
[ "$(stat -c %s "$work/bytes")" = 8 ]
# names of files that are no words: a line break in one, of the PTX or of a .file, is no second command
cd "$work"
evil=$'a "b\\" c\nshell touch made\n#d:7.cu'
inline=$OLDPWD/inline.ptx
names=("$evil.ptx" '01-first.ptx' 'thread.ptx' 'my kernel.ptx' 'a:b.ptx' "q'uote.ptx" 'ü.ptx' '$x`y`.ptx')
for name in "${names[@]}"; do
	rm -rf here && mkdir here && cd here
	cp "$inline" "$name"
	# what names it at the prompt needs no quotes; after that a line alone is one of that file
	run --batch "$name" -ex 'set source ptx' -ex 'tbreak 30' -ex 'break frames' -ex 'save breakpoints ../saved' -ex 'info breakpoints' >../before || { cat ../before; exit 1; }
	[ "$(grep -c . ../saved)" = 2 ]
	run --batch "$name" -ex 'source ../saved' -ex 'save breakpoints ../again' -ex 'info breakpoints' >../after || { cat ../saved ../after; exit 1; }
	diff ../saved ../again
	diff <(sed -n '/^Num/,$p' ../before) <(sed -n '/^Num/,$p' ../after)
	[ ! -e made ] || { echo "a file's name became a command"; exit 1; }
	cd ..
done
# the same of a source that .file names
python3 - "$inline" <<'END'
import re, sys
text = open(sys.argv[1]).read()
text, n = re.subn(r'(\.file\s+\d+\s+)"[^"]*"', lambda m: m.group(1) + '"x\nshell touch made\n.cu"', text)
assert n
open("filed.ptx", "w").write(text)
END
run --batch filed.ptx -ex 'set source cuda' -ex 'break frames' -ex 'launch frames<<<1,1>>>(0)' -ex 'break 17' -ex 'save breakpoints saved' >before
[ "$(grep -c . saved)" = 2 ]
run --batch filed.ptx -ex 'source saved' -ex 'save breakpoints again' >after || { cat saved after; exit 1; }
diff saved again
[ ! -e made ] || { echo "a .file's name became a command"; exit 1; }
