#!/bin/bash
# VS Code on a CUDA program: a gdb on the host's code, another on its kernels, as macros/vscode/launch.json has them.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
gdb -nx -batch -ex 'start' -ex 'kill' /bin/true 2>&1 | grep -qi 'not permitted' && { echo "no process may be traced here"; exit 77; }
$CC -std=gnu17 -g -O1 -Wno-maybe-uninitialized -o "$DIR/app" vecadd.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" || exit 1
got=$(timeout 100 python3 "$ROOT/tests/scripts/program_vscode.py" "$DIR/app" "$LIBRARIES" 2>&1)
[ "$got" = 'kernel: vecadd
host: main
ended' ] || fail "$got"
exit $bad
