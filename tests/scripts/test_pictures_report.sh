# `report FILE.html`: one file without anything from elsewhere, whose figures are those of the statistics.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tests/scripts/pictures_report.py" "$WARPSTEP" "$ROOT"
