#!/bin/bash
# The textbook core issues in the cycles of the lecture notes, and as an independent model of it says on random kernels (tests/random/textbook.py).
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
exec python3 "$ROOT/tests/random/textbook.py" -w "$WARPSTEP" examples 1..12
