# The assembler of the CUDA toolkit takes the examples' PTX.
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
[ -n "$ptxas" ] || { echo "ptxas is not installed"; exit 77; }
for f in "$ROOT"/examples/*/*.ptx "$ROOT"/examples/programs/*/*.ptx; do
	"$ptxas" -arch=sm_75 -o out.cubin "$f" || exit 1
done
