#!/bin/bash
# Debian's python3-numba, with the libNVVM of a toolkit.
. "$ROOT/tests/lib/programs"
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import numba.cuda' 2>/dev/null && python=$p && break; done
[ -n "$python" ] || { echo "no numba (python3-numba)"; exit 77; }
# numba looks for it in one place only, and asks the runtime beside it for its version
mkdir -p "$DIR/toolkit/nvvm/lib64" "$DIR/toolkit/lib64"
ln -s "$LIBRARIES/libcudart.so.12" "$DIR/toolkit/lib64/libcudart.so.12"
for f in /usr/lib/x86_64-linux-gnu/libnvvm.so* /usr/local/cuda*/nvvm/lib64/libnvvm.so* /usr/local/cuda*/lib*/libnvvm.so*; do
	[ -e "$f" ] && ln -sf "$f" "$DIR/toolkit/nvvm/lib64"
done
for f in /usr/lib/nvidia-cuda-toolkit/libdevice /usr/local/cuda*/nvvm/libdevice; do [ -d "$f" ] && ln -sfn "$f" "$DIR/toolkit/nvvm/libdevice"; done
export CUDA_HOME=$DIR/toolkit NUMBA_CACHE_DIR=$DIR
for mode in functional performance; do
	got=$(timeout 100 "$WARPSTEP" -m $mode --batch --args "$python" "$ROOT/tests/scripts/program_numba.py" 2>"$DIR/err")
	status=$?
	[ $status = 77 ] && { echo "$got"; exit 77; }
	[ "$got" = right ] && [ $status = 0 ] || fail "$mode: status $status: $got $(tail -3 "$DIR/err")"
done
exit $bad
