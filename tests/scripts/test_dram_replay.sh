# Recorded cases of DRAM standards (tests/dram): each command, each request and all statistics. More: tests/tools/dram-replay FOLDER.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
"$ROOT/tests/tools/dram-replay" -v "$ROOT/tests/dram"
