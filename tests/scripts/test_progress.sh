# --batch on a terminal: after two seconds of one run a line on standard error says how far it is, is drawn again in place and taken away
# before anything else is written. None in a pipe, on a dumb terminal, or at the prompt.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
. "$ROOT/tests/lib/terminal"
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
exec python3 "$ROOT/tests/scripts/progress.py" "$WARPSTEP" $((60 * SLOWNESS))
