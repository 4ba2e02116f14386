# C variables at the prompt and in gdb: the same values, types and texts, at random stops of programs made with nvcc -G and clang -g.
# The debug information is read by gdb's own code there and by ours here.
# on one processor
: "${WARPSTEP:?}" "${ROOT:?}"
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }
gdb -nx -batch -ex 'python print("yes")' 2>/dev/null | grep -qx yes || { echo "gdb without Python"; exit 77; }
status=0

# FILE.ptx SOURCE.cu KERNEL ARGUMENTS SEED STOPS
compare() {
	local out
	cp "$ROOT/tests/$1" .
	SOURCE=$2 LINES=100 KERNEL=$3 SEED=$5 STOPS=$6 timeout $((60 * ${SLOWNESS:-1})) gdb -nx -q -batch -iex 'set pagination off' -iex 'set width 0' \
		-iex 'set confirm off' -iex 'set print thread-events off' -ex "target remote | $WARPSTEP -m functional -q ${1##*/} \
		-ex 'set source cuda' -ex 'buffer results s32[256] = zero' -ex 'launch $3<<<2,4>>>($4)' -g - 2>/dev/null" \
		-x "$ROOT/tests/scripts/c_variables.py" >out 2>&1
	out=$(grep -E '^[0-9]+ compared' out)
	if [[ ! $out =~ ^([0-9]+)\ compared,\ 0\ differences ]] || ((BASH_REMATCH[1] < ${7:-20})); then
		echo "$1, seed $5: ${out:-gdb came to no end}"
		grep -aE -A3 'gdb: |Error|error' out | head -${TOLD:-20}
		status=1
	fi
}

for seed in 1 2; do
	compare golden/source/variables.ptx variables.cu kinds 'results, 7, {s32 3, s32 4}, 1.5' $seed 6
	compare golden/source/variables-sm100.ptx variables.cu kinds 'results, 7, {s32 3, s32 4}, 1.5' $seed 6
done
PLAIN=1 compare ptx/clang-sm60-g.ptx features.cu mix '{b64 0, s32 3, f64 1.5}, results, results, 8' 5 8
compare gdb/c-variables.ptx c-variables.cu points 'results, 7' 6 16
compare gdb/bases.ptx bases.cu bases results 14 16
compare gdb/moving.ptx moving.cu moving 'results, 5' 7 8
compare gdb/references.ptx references.cu references results 8 16
compare gdb/returns.ptx returns.cu returns results 9 16
compare gdb/returns-mixed.ptx returns-mixed.cu mixed results 10 16
compare gdb/enums.ptx enums.cu enums results 11 12
compare gdb/enums-far.ptx enums-far.cu far_enums results 12 12
compare gdb/statics-1.ptx statics-1.cu statics1 results 13 12 1
exit $status
