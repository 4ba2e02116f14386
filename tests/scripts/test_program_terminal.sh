#!/bin/bash
# A program at a terminal: a job of its own, which has the terminal while the machine runs for it.
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
. "$ROOT/tests/lib/terminal"
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
build_static terminal
build_shared family 13
TERM=vt100 timeout 200 python3 "$ROOT/tests/scripts/program_terminal.py" "$WARPSTEP" "$DIR/terminal-static" "$DIR/family-13" "$DIR/later" || fail "status $?"
exit $bad
