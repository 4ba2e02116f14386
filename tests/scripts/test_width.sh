# On a terminal diagrams have its width and its colours, and a focus line wider than it is broken at ` | `; elsewhere neither.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
. "$ROOT/tests/lib/terminal"
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
exec python3 "$ROOT/tests/scripts/width.py" "$WARPSTEP" "$ROOT/tests/golden/perf-dumps/split.ptx" $((60 * SLOWNESS))
