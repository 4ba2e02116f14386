#!/bin/bash
# Sessions say the same of everything else whether reasons were asked for in between or not (tests/random/looks.py).
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 "$ROOT/tests/random/looks.py" "$WARPSTEP" "$ROOT/examples" 1 16
