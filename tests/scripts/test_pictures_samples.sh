# Time-lapse samples: on without being asked for, sums agree with the statistics, the same after going back, none in functional mode.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$ROOT/tests/scripts/pictures_samples.py" "$WARPSTEP" "$ROOT"
