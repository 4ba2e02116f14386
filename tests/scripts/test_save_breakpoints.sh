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
