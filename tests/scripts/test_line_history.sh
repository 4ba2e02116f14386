# The history file, with either editing library: sessions that share it, that end by a signal, that find no room.
[ -x "$BUILD/warpstep" ] || { echo "there is no program"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
. "$ROOT/tests/lib/terminal"
export HOME=$PWD TERM=vt100
bad=0
for program in "$BUILD/warpstep" "$BUILD/warpstep-readline"; do
	[ -x "$program" ] || continue
	rm -f .warpstep_history
	timeout 300 python3 "$ROOT/tests/scripts/line_history.py" "$program" || bad=1
done
exit $bad
