# The assembler of the CUDA toolkit takes the examples' PTX.
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
[ -n "$ptxas" ] || { echo "ptxas is not installed"; exit 77; }
for f in "$ROOT"/examples/*/*.ptx "$ROOT"/examples/programs/*/*.ptx; do
	grep -q '^[[:space:]]*\.target sm_1[0-3]' "$f" && continue # too old for it: the companion of machine code
	"$ptxas" -arch=sm_75 -o out.cubin "$f" || exit 1
done
