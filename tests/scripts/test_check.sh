#!/bin/bash
# --check and --report: exit statuses, the JSON of findings (the interface's fields, values that follow from the kernels), option mistakes.
cd "$(dirname "$0")/../golden/check" || exit 2
warpstep=${WARPSTEP:-../../../build/release/warpstep}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
expect() { # STATUS ARG...
	local want=$1
	shift
	"$warpstep" -q --batch "$@" >"$tmp/out" 2>&1
	local got=$?
	[ $got = "$want" ] || { echo "warpstep $*: status $got, not $want"; cat "$tmp/out"; bad=1; }
}
# a checker in the table is one in the texts
for name in $(sed -n 's/^CHECKER([A-Z_]*, \(.*\))$/\1/p' ../../../src/check/checkers.def); do
	"$warpstep" --help | grep -q -- "--check.*\<$name\>" || { echo "--help doesn't name the checker $name"; bad=1; }
	"$warpstep" -q --batch -ex 'help check' | grep -q "\<$name\>" || { echo "help check doesn't name the checker $name"; bad=1; }
	"$warpstep" -q --batch -ex 'check x on' 2>&1 | grep -q "\<$name\>" || { echo "an unknown checker's message doesn't name $name"; bad=1; }
done
past=(-ex 'buffer x f32[200] = fill 1' -ex 'buffer z f32[200]' -ex 'run past<<<4, 64>>>(z, x)')
expect 3 mistakes.ptx "${past[@]}" # an exception
expect 3 --check memory mistakes.ptx "${past[@]}"
grep -q '^========= ERROR SUMMARY: 2 errors$' "$tmp/out" || { echo "no summary"; bad=1; }
expect 0 --check race,sync mistakes.ptx -ex 'buffer o s32[64]' -ex 'run gone<<<1, 64>>>(o, 40)'
[ "$(tail -n 1 "$tmp/out")" = '========= ERROR SUMMARY: 0 errors' ] || { echo "no last line"; bad=1; }
expect 2 --check memroy mistakes.ptx
expect 3 --check memory --check sync mistakes.ptx -ex 'buffer o s32[64]' -ex 'run missing<<<1, 32>>>(o)'
# a finding, then a deadlock: 3 stays
expect 3 -m functional --check all races.ptx -ex 'buffer o s32[64]' -ex 'run buffers<<<1, 64>>>(o, 0)' -ex 'run publish<<<(2,1,1), 2>>>(o, 1)'
expect 3 -m functional --check all --report "$tmp/r.json" races.ptx -ex 'buffer o s32[64] = zero' -ex 'run same<<<1, 64>>>(o, 0)' -ex 'run last_block<<<4, 64>>>(o, 0)'
python3 - "$tmp/r.json" <<'END' || bad=1
import json, sys
r = json.load(open(sys.argv[1]))
assert r["summary"] == {"errors": 1, "notes": 1}, r["summary"]
same, last = r["findings"]
assert same["severity"] == "note" and "severity" not in last, same
assert (same["checker"], same["kind"], same["kernel"], same["count"]) == ("race", "write-write", "same", 32), same
for side, thread in (("access", 32), ("other", 31)):
    a = same[side]
    assert a["thread"] == [thread, 0, 0] and a["block"] == [0, 0, 0] and a["uid"] == thread + 1, a
    assert (a["op"], a["space"], a["size"], a["variable"]) == ("write", "global", 4, "o"), a
    assert a["ptx"]["file"] == "races.ptx" and a["source"] == {"file": "races.cu", "line": 78}, a
assert (last["kind"], last["access"]["op"], last["other"]["op"]) == ("read-write", "read", "write"), last
assert last["access"]["variable"] == "partial" and last["access"]["block"] == [3, 0, 0], last
assert last["count"] == 3, last
END
# writes of equal values are a note, which is no error
expect 0 --check race races.ptx -ex 'buffer o s32[64]' -ex 'run same<<<1, 64>>>(o, 0)'
# SIGTERM while a kernel runs for ever: its findings are printed and written, and the script ends
cat >"$tmp/spin.ptx" <<'END'
.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 p)
{
	.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	st.global.u32 [%rd1+128], 7;
	mov.u32 %r1, 0;
L:	add.u32 %r1, %r1, 1;
	st.global.u32 [%rd1], %r1;
	setp.ne.u32 %p1, %r1, 0xffffffff;
	@%p1 bra L;
	ret;
}
END
timeout --preserve-status -s TERM 0.4 "$warpstep" -q --batch --check memory --report "$tmp/r.json" "$tmp/spin.ptx" -ex 'buffer b s32[32]' -ex 'run spin<<<1, 1>>>(b)' -ex 'print 12345' >"$tmp/out" 2>&1
[ $? = 3 ] && grep -q '^========= ERROR SUMMARY: 1 errors$' "$tmp/out" && grep -q '"errors": 1' "$tmp/r.json" && ! grep -q 12345 "$tmp/out" ||
	{ echo "SIGTERM: $(cat "$tmp/out")"; bad=1; }
# checkpoint files don't depend on which checkers are on; what a checker hasn't seen is no mistake
for check in all none; do
	on=() && [ $check = none ] || on=(--check all)
	far=(-m functional "${on[@]}" calls.ptx -ex 'buffer A s32[32]' -ex 'buffer out s32[32] = zero' -ex 'launch far<<<1, 32>>>(A, out)' -ex 'step 40')
	expect 0 "${far[@]}" -ex "checkpoint $tmp/$check.wsc"
	expect 0 -m functional -ex "restore $tmp/$check.wsc" -ex c
	expect 0 -m functional --check all -ex "restore $tmp/$check.wsc" -ex c
done
exit $bad
