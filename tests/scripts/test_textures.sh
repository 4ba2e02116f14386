# Random textures and surfaces (formats, modes, filters, levels, layers, cubes, gathers, unformatted accesses out of range) against a model that was written
# from the CUDA guide and the PTX ISA: tests/random/textures.py.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
bad=0
for run in '1 functional' '2 functional' '3 performance'; do
	set -- $run
	got=$(python3 "$ROOT/tests/random/textures.py" "$WARPSTEP" "$1" 40 "$2" 2>&1) || { echo "$got" | head -20; bad=1; }
done
exit $bad
