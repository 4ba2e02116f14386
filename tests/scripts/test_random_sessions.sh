# Random gdb sessions on random kernels, by fixed seeds: gdb shows what the kernels' threads go through, and every hit once (tests/random).
# on one processor
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }
gdb -nx -batch -ex 'python print("yes")' 2>/dev/null | grep -qx yes || { echo "gdb without Python"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
[ "${SLOWNESS:-1}" = 1 ] && n=24 || n=10
"$ROOT/tests/random/run" -n $n -s 1 -j 2 || failed=1
# the kinds in which nothing depends on when it happens
"$ROOT/tests/random/run" -n $((n / 5)) -s 1 -j 2 --extra monitor,frames,memory || failed=1
exit ${failed:-0}
