# Every command, subject and setting with numbers at the ends of the types, at a prompt: nothing crashes, hangs or ends the session. (Built with
# sanitizers, MODE=asan or ubsan, nothing overflows or reads beyond an end either.)
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
cat >k.ptx <<'PTX'
.version 7.0
.target sm_20
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	.reg .pred %p<2>;
	.shared .align 4 .b8 tile[256];
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r2, [n];
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p1, %r1, %r2;
	@%p1 bra DONE;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	ld.global.u32 %r3, [%rd3];
	bar.sync 0;
	st.global.u32 [%rd3], %r3;
DONE:
	ret;
}
PTX
bad=0
for state in launched bare; do
	python3 "$ROOT/tests/scripts/extreme_numbers.py" "$ROOT" $state >$state || exit 1
done
each() { # STATE OPTION...
	timeout -k 5 $((60 * SLOWNESS)) "$WARPSTEP" -q "${@:2}" k.ptx <"$1" >out 2>err
	local status=$?
	[ $status -lt 2 ] && tail -n 1 out | grep -qx 'all of it' && return
	echo "$*: status $status"
	tail -n 3 err
	bad=1
}
for config in tiny fermi-gtx480 gt200-quadrofx5800 v42-gtx480; do each launched -c $config; done
each launched -m functional
each bare -c v42-gtx480
exit $bad
