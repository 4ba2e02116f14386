# C++ programs built by nvcc (two of its back ends, and unoptimised) and kernels built by clang, against the host: the same bytes;
# printf's conversions: the same text.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
command -v g++ >/dev/null || { echo "g++ is not installed"; exit 77; }
D=$ROOT/tests/differential
status=0 options=

# compare SESSION PTX..., with $options: if not all of it holds, each kernel in a session of its own, so that one failure doesn't hide the others
compare() {
	split -l 4 --additional-suffix=.ws "$1" "$1".part. || exit 1
	for ptx in "${@:2}"; do
		"$WARPSTEP" --batch $options -x "$1" "$D/$ptx" >log 2>&1 && continue
		for part in "$1".part.*.ws; do
			"$WARPSTEP" --batch $options -x "$part" "$D/$ptx" >log 2>&1 || { echo "$ptx: $(sed -n 3p "$part")"; tail -n 5 log; status=1; }
		done
	done
}

mkdir programs kernels
g++ -std=gnu++17 -w -O1 -ffp-contract=off -fwrapv -frounding-math "$D/host_programs.cpp" -o host_programs && ./host_programs programs >programs.ws || exit 1
gcc -std=gnu17 -O1 -D_GNU_SOURCE -ffp-contract=off -fwrapv "$D/host.c" -o host -lm && ./host kernels >kernels.ws || exit 1
compare programs.ws programs-sm75.ptx
compare kernels.ws kernels-clang-sm52.ptx kernels-clang-sm70-O0.ptx
# the instructions of another back end do the same in any mode
options='-m functional'
compare programs.ws programs-sm100.ptx
# unoptimised: with local variables, and calls of everything; checkers find nothing in it
options='-m functional --check all'
compare programs.ws programs-G.ptx
compare kernels.ws kernels-clang-sm70-O0.ptx

g++ -w -DHOST -x c++ "$D/printf.cu" -o formats && ./formats >want || exit 1
"$WARPSTEP" --batch -ex 'run formats<<<1,1>>>(-42, 3735928559, -1234567890123456789, 3.14159265358979)' -ex 'run formats<<<1,1>>>(7, 0, 0, 1e-5)' \
	"$D/printf.ptx" | grep -v '^Kernel [01] formats finished$\|^\[no focus\]$' >got
diff want got || status=1
exit $status
