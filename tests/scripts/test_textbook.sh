#!/bin/bash
# The textbook core issues in the cycles of the lecture notes, and as an independent model of it says on random kernels (tests/random/textbook.py). Stepping and
# going back change no row of `diagram --json`.
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 "$ROOT/tests/random/textbook.py" -w "$WARPSTEP" examples 1..10 6149 || exit 1 # 6149: nanosleep in a path
exec python3 "$ROOT/tests/random/textbook.py" -w "$WARPSTEP" -s 364 377 408 # diagrams after steps back and in pairs
