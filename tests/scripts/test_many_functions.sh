# A condition that names a function is as quick in a file of thousands of functions as in one of few: the names of all of them are
# gone through once, not for each thread. The same for the variables of `info symbol`.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
fail() { echo "$*"; cat out | head -c 500; exit 1; }
limited() { timeout $((20 * SLOWNESS)) "$WARPSTEP" --batch -m functional "$@" >out 2>&1; }
head='.version 8.0\n.target sm_80\n.address_size 64\n'

{
	printf "$head"
	for ((i = 1000; i < 6000; i++)); do
		echo ".func _Z5f${i}IfLi${i}EEvT_S0_PKS0_i() { ret; }"
	done
	printf '.visible .entry k()\n{\n.reg .b32 %%r<2>;\nplace: mov.u32 %%r1, 5;\nret;\n}\n'
} >functions.ptx
limited -ex 'load functions.ptx' -ex 'break place if $pc == k + 8' -ex 'break place if $pc == f1234' \
	-ex 'run k<<<200, 512>>>()' || fail "conditions in a file of 5000 functions"
grep -qx 'Kernel 0 k finished' out || fail "the kernel did not finish"

{
	printf "$head"
	for ((i = 0; i < 50000; i++)); do echo ".global .u32 v$i;"; done
	printf '.visible .entry k() { ret; }\n'
} >variables.ptx
limited -ex 'load variables.ptx' -ex 'info symbol 0x20000000'
grep -qx 'error: No symbol matches 0x20000000.' out || fail "info symbol among 50000 variables"
