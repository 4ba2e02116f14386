# Answers as data: `set output json` and --json of each command that answers, compared with what the examples compute; each number of a text is a cell.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tests/scripts/answers_json.py" "$WARPSTEP" "$ROOT/examples"
