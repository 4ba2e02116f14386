#!/bin/bash
# find-nan, why and who-wrote agree with each other, and with what the instructions make, on random small kernels (tests/random/origins.py).
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 "$ROOT/tests/random/origins.py" "$WARPSTEP" 1 16 || exit 1
# atomics of the performance model; an argument that a call copies to local memory
for seed in 212 1019; do python3 "$ROOT/tests/random/origins.py" "$WARPSTEP" $seed 1 || exit 1; done
