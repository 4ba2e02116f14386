# Latencies measured inside the machine are those of GPGPU-Sim 3.2.2's single-warp runs: arithmetic, L1D and L2 hits, bank conflicts.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
WANT=1 "$ROOT/bench/micro/run"
