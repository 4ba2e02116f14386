# `why`, `who-wrote`, `find-nan`, `diff-launch`, `info stalls`, `info findings` with --json FILE: parsed, and compared with what the examples compute.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tests/scripts/reasons_json.py" "$WARPSTEP" "$ROOT/examples"
