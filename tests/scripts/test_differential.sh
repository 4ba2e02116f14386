# Kernels built by nvcc for the simulator and by gcc for the host give the same bytes.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
gcc -std=gnu17 -O1 -D_GNU_SOURCE -ffp-contract=off -fwrapv "$ROOT/tests/differential/host.c" -o host -lm || exit 1
mkdir out && ./host out >session.ws || exit 1
status=0
# each kernel in a session of its own, so that one failure doesn't hide the others
split -l 4 --additional-suffix=.ws session.ws part. || exit 1
for part in part.*.ws; do
	"$WARPSTEP" --batch -x "$part" "$ROOT/tests/differential/kernels.ptx" >log 2>&1 || { sed -n 3p "$part"; tail -n 5 log; status=1; }
done
exit $status
