#!/bin/bash
# Chains of `why EXPR`, in kernels drawn at random, are those that a small model of PTX has kept while it executed them (tests/random/chains.py).
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 "$ROOT/tests/random/chains.py" "$WARPSTEP" 1 12
