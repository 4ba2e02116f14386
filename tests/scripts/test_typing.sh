# Typing at a terminal with libedit, and with readline where that build exists: UTF-8 letters, the Tab key (tests/scripts/typing.py).
cd "$ROOT" || exit 1
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "no pseudo-terminals"; exit 77; }
for program in "$WARPSTEP" "$WARPSTEP-readline"; do
	[ -x "$program" ] && ! [ "$WARPSTEP" -nt "$program" ] || continue # an old build with the other library says nothing
	timeout 100 python3 tests/scripts/typing.py "$program" || { echo "$program"; exit 1; }
done
