# After a step the stub, and the thread that keeps gdb's processor awake, are busy for some milliseconds: while gdb's user thinks they sleep.
: "${WARPSTEP:?}" "${ROOT:?}"
status=0
for mode in functional performance; do
	"$WARPSTEP" -m $mode -g 127.0.0.1:0 "$ROOT/tests/gdb/lanes.ptx" -ex 'buffer A f32[256] = zero' \
		-ex 'launch lanes<<<2,64>>>(A, 5)' </dev/null >out 2>err &
	server=$!
	for _ in $(seq 600); do
		port=$(sed -n 's/^Listening for gdb on 127.0.0.1:\([0-9]*\)$/\1/p' err)
		[ -n "$port" ] && break
		sleep 0.1
	done
	# ticks of 10 ms that all its threads have run
	used="shell awk '{print \"used\", \$14 + \$15}' /proc/$server/stat"
	got=$(timeout 100 gdb -q -nx -batch -iex 'set pagination off' -iex 'set sysroot target:' -ex "target remote 127.0.0.1:$port" -ex stepi -ex stepi -ex 'stepi 3' \
		-ex 'shell sleep 0.1' -ex "$used" -ex 'shell sleep 1' -ex "$used" 2>&1)
	read -r before after <<<"$(sed -n 's/^used //p' <<<"$got" | paste -sd' ')"
	if [ -z "$after" ] || ((after - before > 5)); then
		echo "$mode: $((after - before)) ticks within a second, from '$before' to '$after': $(head -c 600 <<<"$got")"
		status=1
	fi
	kill $server
	wait $server
done 2>/dev/null
exit $status
