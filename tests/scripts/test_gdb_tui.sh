# gdb's own full-screen layouts on a terminal: source, PTX as assembler, registers.
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null && command -v script >/dev/null || { echo "no gdb, or no script(1) to make a terminal"; exit 77; }
. "$ROOT/tests/lib/terminal"
cat >commands <<GDB
set pagination off
set confirm off
set style enabled off
target remote | $WARPSTEP -m functional -g - $ROOT/tests/gdb/lanes.ptx -ex 'buffer A f32[256] = zero' -ex 'launch lanes<<<1,32>>>(A, 5)' 2>/dev/null
source $ROOT/macros/warpstep.py
break lanes.ptx:58
continue
GDB
shows() { # PATTERN: waits until it is on the screen
	for _ in $(seq 200); do
		grep -qaE -- "$1" screen 2>/dev/null && return
		sleep 0.1
	done
}
type_commands() {
	shows 'hit Breakpoint'
	echo 'layout src'
	shows 'In: .*lanes'
	echo 'layout asm'
	shows '0x80000d8'
	echo 'layout regs'
	echo 'stepi'
	shows '0x4000000001ffff40'
	printf '%s\n' 'tui disable' kill quit
}
LC_ALL=C.UTF-8 HOME=$PWD TERM=xterm timeout 100 script -qfec "stty rows 40 cols 100; gdb -q -nx -x commands" screen < <(type_commands) >/dev/null 2>&1
esc=$(printf '\033')
sed "s/$esc\[[0-9;?]*[a-zA-Z]/ /g; s/$esc[()][A-Z0-9]//g" screen | tr '\r' '\n' >text
status=0
expect() { grep -qE -- "$1" text || { echo "no '$1' on the screen"; status=1; }; }
expect '58  *add\.u32 %r8, %r8, 1;'                             # source
expect '0x80000d8 <lanes\+96> *setp\.lt\.u32 %p1, %r8, 5;'      # assembler is PTX
expect 'rsp  *0x4000000001ffff40'
[ $status = 0 ] || head -c 3000 text
exit $status
