#!/bin/bash
# A program that is run again takes the same cycles as the first time, whatever was run before it: memory, caches and code begin anew.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

# COMMAND...: statistics after the last one, which has run the program to its end
statistics() {
	local ex=() command
	for command; do ex+=(-ex "$command"); done
	timeout 100 "$WARPSTEP" --batch "${ex[@]}" -ex 'echo statistics\n' -ex stats -ex 'info launches' -ex 'info allocations' --args "$DIR/program" 2>&1 >"$DIR/out" | sed '1,/^statistics$/d'
}

# WHAT FIRST... -- AGAIN...: both end alike. (On a busy machine a kernel may begin while the program still computes: once more.)
alike() {
	local what=$1 first=() try
	shift
	while [ "$1" != -- ]; do first+=("$1"); shift; done
	shift
	for try in 1 2 3; do
		statistics "${first[@]}" >"$DIR/first"
		statistics "$@" >"$DIR/again"
		[ -s "$DIR/first" ] && cmp -s "$DIR/first" "$DIR/again" && return
	done
	fail "$program, $what: $(diff "$DIR/first" "$DIR/again" | head -5)"
}

for program in vecadd kernels_launch managed; do
	$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -o "$DIR/program" $program.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" -lpthread || exit 1
	alike again run -- run run
	alike 'after one that was killed' run -- 'catch launch' run kill 'delete 1' run
	alike 'behind a file' 'load vecadd.ptx' run -- 'load vecadd.ptx' run reset run
done
exit $bad
