# Kernels without races leave the same memory in both modes: GPGPU-Sim's microbenchmarks and the examples' kernels (with their mistakes
# avoided) against functional mode; what the host computes against performance mode.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0

agree() { # FOLDER NAME COMMAND...
	local folder=$1 name=$2 mode b c commands buffers
	shift 2
	buffers=$(printf '%s\n' "$@" | sed -n 's/^ *buffer \([A-Za-z0-9]*\) .*/\1/p')
	for mode in functional performance; do
		commands=()
		for c; do
			c=${c# }
			commands+=(-ex "${c/#load /load $ROOT/$folder/}")
		done
		for b in $buffers; do commands+=(-ex "save $b $mode.$b"); done
		"$WARPSTEP" -m $mode -q --batch "${commands[@]}" >log 2>&1 || { echo "$name, $mode:"; tail -3 log; bad=1; }
	done
	for b in $buffers; do
		cmp functional."$b" performance."$b" || { echo "$name: $b differs"; bad=1; }
	done
}

while IFS= read -r line; do
	case $line in '#'* | '') continue ;; esac
	IFS=';' read -ra f <<<"$line"
	agree tests/gpgpusim "${f[0]}" "${f[@]:3}"
done <"$ROOT/tests/gpgpusim/counts.txt"

e=examples
agree $e/01-saxpy saxpy 'load saxpy.ptx' 'buffer x f32[256] = iota' 'buffer y f32[256] = fill 1' 'buffer z f32[200] = zero' \
	'run saxpy<<<4, 64>>>(199, 2.0, x, y, z)'
agree $e/04-histogram histogram 'load histogram.ptx' 'buffer data u8[1024] = iota 0 5' 'buffer bins u32[128] = zero' \
	'run histogram<<<4, 128>>>(1024, data, bins)'
agree $e/08-particles push 'load particles.ptx' 'buffer x f32[24] = random 1 0 10' 'buffer y f32[24] = random 2 0 10' \
	'buffer vx f32[24] = zero' 'buffer vy f32[24] = zero' 'run push<<<1, 32>>>(24, 0.01, x, y, vx, vy)'

# random control flow and everything else nvcc makes of C: the same as on the host
for f in deep debug warp; do
	$CC -x c -O1 -fwrapv -w -DSEED=7 "$ROOT/tests/flow/$f.cu" -o "$f" && "./$f" >"$f.bin" || exit 1
	"$WARPSTEP" -m performance --batch -ex "load $ROOT/tests/flow/$f.ptx" -ex 'buffer o s32[256]' -ex 'run k<<<2,128>>>(o, 7)' \
		-ex "compare o $f.bin" >log 2>&1 || { echo "$f:"; tail -5 log; bad=1; }
done
gcc -std=gnu17 -O1 -D_GNU_SOURCE -ffp-contract=off -fwrapv "$ROOT/tests/differential/host.c" -o host -lm || exit 1
mkdir out && ./host out >session.ws || exit 1
"$WARPSTEP" -m performance --batch -x session.ws "$ROOT/tests/differential/kernels.ptx" >log 2>&1 || { echo differential:; tail -5 log; bad=1; }
exit $bad
