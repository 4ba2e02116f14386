# What a session takes of the host's memory: its buffers, once, and what a launch overwrites of them, so that `run` can repeat it; but not
# what is only read, or never written. The peak is the host's own figure (VmHWM), asked for by the session itself.
case $MODE in asan) echo "the sanitiser has memory of its own"; exit 77 ;; esac
[ -r /proc/self/status ] || { echo "there is no /proc"; exit 77; }
ptx=$ROOT/tests/golden/memory/again.ptx
peak='shell sed -n "s/^VmHWM:[^0-9]*\([0-9]*\).*/peak \1/p" /proc/$PPID/status'
fail() { echo "$*"; exit 1; }

for mode in functional performance; do
	extra=0
	[ $mode = performance ] && extra=4
	# 64 MiB each: A is filled, B never written, Z zero, all of W written by the launch, part of A by the last two
	"$WARPSTEP" -m $mode --batch -x /dev/stdin "$ptx" >out 2>&1 <<-END || fail "$mode: $(tail -1 out)"
		$peak
		buffer A u32[16777216] = fill 7
		$peak
		buffer B u32[16777216]
		buffer Z u32[16777216] = zero
		run row<<<1, 32>>>(Z)
		run row<<<1, 32>>>(B)
		assert B[0] == 1 && B[16777215] == 0 && Z[31] == 1 && Z[16777215] == 0
		$peak
		run row<<<1024, 512>>>(A)
		run
		assert A[0] == 8 && A[524287] == 8 && A[524288] == 7
		$peak
		buffer L u8[200000000]
		run row<<<1, 32>>>(L)
		assert L[0] == 1 && L[199999999] == 0
		$peak
	END
	mapfile -t kib < <(sed -n 's/^peak //p' out)
	[ ${#kib[@]} = 5 ] || fail "$mode: ${#kib[@]} figures: $(cat out)"
	grown() { echo $((kib[$1] - kib[$1 - 1])); }
	[ "$(grown 1)" -lt $((80 * 1024)) ] || fail "$mode: a filled buffer of 65536 KiB took $(grown 1)"
	[ "$(grown 1)" -ge $((64 * 1024)) ] || fail "$mode: a filled buffer of 65536 KiB took only $(grown 1): what is measured here?"
	[ "$(grown 2)" -lt $((8 * 1024)) ] || fail "$mode: launches on buffers that hold nothing took $(grown 2) KiB"
	# performance mode keeps time-lapse samples, too: up to 512 of some 6 KiB
	[ "$(grown 3)" -lt $(((16 + extra) * 1024)) ] || fail "$mode: a launch that overwrites 2048 KiB took $(grown 3)"
	[ "$(grown 3)" -ge 1024 ] || fail "$mode: a launch that overwrites 2048 KiB took only $(grown 3)"
	[ "$(grown 4)" -lt $((4 * 1024)) ] || fail "$mode: a launch on a large buffer that holds nothing took $(grown 4) KiB"
	echo "$mode: ${kib[*]} KiB"
done

# Snapshots in performance mode: those of 60,000 cycles of 128 warps take a part of what they may, and on ways back all stays within that and 64 MiB.
recorded() { # MEMORY
	"$WARPSTEP" -q -m performance -c fermi-gtx480 --batch -x /dev/stdin "$ROOT/bench/kernels.ptx" >out 2>&1 <<-END || fail "recording: $(tail -1 out)"
		set history-memory $1
		set history on
		buffer P f32[16384] = random 3 -1 1
		buffer A f32[16384]
		launch nbody<<<32, 128>>>(A, P, 4096)
		goto-cycle 60000
		$peak
		rs 30000
		rc
		goto-cycle 60000
		$peak
	END
	mapfile -t kib < <(sed -n 's/^peak //p' out)
}
recorded 512M
[ "${kib[0]}" -lt $((150 * 1024)) ] || fail "recording 60,000 cycles took ${kib[0]} KiB"
recorded 48M
[ "${kib[1]}" -lt $(((48 + 64) * 1024)) ] || fail "within 48M: ${kib[1]} KiB"
echo "recording: ${kib[*]} KiB"
