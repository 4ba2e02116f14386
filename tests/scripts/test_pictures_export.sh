# `trace export`: files for Perfetto, Konata and AerialVision, each read by the rules of its format.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tests/scripts/pictures_export.py" "$WARPSTEP" "$ROOT"
