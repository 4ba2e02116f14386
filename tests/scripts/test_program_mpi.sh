#!/bin/bash
# Ranks of a real MPI job, each with a machine of its own: mpirun in front of warpstep, and by path alone.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"
command -v mpirun >/dev/null && command -v mpicc >/dev/null || { echo "no MPI (openmpi-bin, libopenmpi-dev)"; exit 77; }
mpicc -std=gnu17 -O1 -Wno-maybe-uninitialized -o "$DIR/ranks" ranks.c -L"$LIBRARIES" -l:libcudart.so.13 -Wl,-rpath-link,"$LIBRARIES" >"$DIR/err" 2>&1 || { echo "mpicc builds nothing: $(tail -1 "$DIR/err")"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 TMPDIR=/tmp
timeout 60 mpirun -n 2 true >"$DIR/err" 2>&1 || { echo "mpirun runs nothing here: $(tail -1 "$DIR/err")"; exit 77; }
want='rank 0 of 2: 63 at 0x80000000, sum 1
rank 1 of 2: 64 at 0x80000000, sum 1'
for mode in functional performance; do
	got=$(timeout 60 mpirun -n 2 "$WARPSTEP" -m $mode --batch --args "$DIR/ranks" 2>"$DIR/err") || fail "$mode: status $?: $(cat "$DIR/err")"
	[ "$(sort <<<"$got")" = "$want" ] || fail "$mode: $got"
done
got=$(WARPSTEP_ARGS='-m functional' LD_LIBRARY_PATH=$LIBRARIES timeout 60 mpirun -x WARPSTEP_ARGS -x LD_LIBRARY_PATH -n 2 "$DIR/ranks" 2>"$DIR/err") || fail "alone: status $?: $(cat "$DIR/err")"
[ "$(sort <<<"$got")" = "$want" ] || fail "alone: $got"
# one fails: mpirun ends the others, and nothing of them is left
timeout 60 mpirun -n 3 "$WARPSTEP" -m functional --batch --args "$DIR/ranks" fails >"$DIR/out" 2>"$DIR/err"
status=$?; [ $status = 5 ] || fail "fails: status $status: $(cat "$DIR/err")"
left() { for d in /proc/[0-9]*; do [ "$(readlink "$d/exe" 2>/dev/null)" = "$DIR/ranks" ] && return; done; return 1; }
for ((k = 0; k < 100; k++)); do left || break; sleep 0.05; done
left && fail "ranks outlive their job"
exit $bad
