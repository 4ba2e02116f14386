# What gdb asks for at a step, which is most of what a step takes: the step and the list of threads. The stop brings the registers.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
bad() { echo "$*"; status=1; }
asked() { # MODE THREADS COMMAND...: first letters of the packets that a third step sends
	local server="'$WARPSTEP' -m $1 -g - '$ROOT/tests/gdb/lanes.ptx' -ex 'buffer A f32[512] = zero' -ex 'launch lanes<<<1, $2>>>(A, 5)' 2>/dev/null"
	timeout 100 gdb -q -nx -batch -iex 'set pagination off' -iex 'set confirm off' -iex 'set sysroot target:' \
		-ex "target remote | $server" -ex stepi -ex stepi -ex 'set debug remote 1' -ex "$3" -ex 'set debug remote 0' 2>&1 |
		grep -aoP 'Sending packet: \$\K[[:alpha:]]+' | paste -sd' '
}
for mode in functional performance; do
	got=$(asked $mode 128 stepi)
	[ "$got" = 'vCont qXfer' ] || bad "$mode, 128 threads: $got"
	got=$(asked $mode 129 stepi)
	[ "$got" = 'vCont qfThreadInfo qsThreadInfo' ] || bad "$mode, 129 threads: $got"
	# a register that isn't in the stop is one packet more
	got=$(asked $mode 32 'info registers r12')
	[ "$got" = 'g' ] || bad "$mode, r12: $got"
done
exit $status
