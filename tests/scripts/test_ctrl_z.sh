# Ctrl-Z at the prompt, with either editing library: ignored where warpstep leads its terminal's session, else it stops the job.
[ -x "$BUILD/warpstep" ] || { echo "there is no program"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
. "$ROOT/tests/lib/terminal"
export HOME=$PWD TERM=vt100
bad=0
for program in "$BUILD/warpstep" "$BUILD/warpstep-readline"; do
	[ -x "$program" ] || continue
	timeout 300 python3 "$ROOT/tests/scripts/ctrl_z.py" "$program" || bad=1
done
exit $bad
