# The demo without a terminal: the commands as typed, the failure, and success as status.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
"$ROOT/tests/tools/demo" >demo.out || { cat demo.out; exit 1; }
grep -q '^(warpstep) run saxpy' demo.out && grep -q '^CUDA Exception: Warp Illegal Address' demo.out || { cat demo.out; exit 1; }
