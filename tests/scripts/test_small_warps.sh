# Warps of fewer than 32 threads: random gdb sessions on random kernels, and origins of values, in blocks of several such warps (tests/random).
# on one processor
: "${WARPSTEP:?}" "${ROOT:?}"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
python3 "$ROOT/tests/random/origins.py" "$WARPSTEP" 1 2 8 || failed=1
python3 "$ROOT/tests/random/origins.py" "$WARPSTEP" 7 1 2 || failed=1
command -v gdb >/dev/null || { echo "no gdb"; exit ${failed:-77}; }
gdb -nx -batch -ex 'python print("yes")' 2>/dev/null | grep -qx yes || { echo "gdb without Python"; exit ${failed:-77}; }
for lanes in 8 1 16; do
	"$ROOT/tests/random/run" -n 2 -s 100 -j 2 --lanes $lanes || failed=1
done
exit ${failed:-0}
