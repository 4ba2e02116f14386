#!/bin/bash
# A program that is run again takes the same cycles as the first time, whatever was run before it: memory, caches and code begin anew.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

# WHAT COMMAND...: statistics after the last command, which has run the program to its end
statistics() {
	local to=$DIR/$1 ex=()
	shift
	for command; do ex+=(-ex "$command"); done
	timeout 100 "$WARPSTEP" --batch "${ex[@]}" -ex 'echo statistics\n' -ex stats -ex 'info launches' -ex 'info allocations' --args "$DIR/$program" >"$DIR/out" 2>"$DIR/err" || fail "$program: status $?: $(tail -3 "$DIR/err")"
	sed '1,/^statistics$/d' "$DIR/err" >"$to"
	[ -s "$to" ] || fail "$program: no statistics: $(cat "$DIR/err")"
}

for program in vecadd kernels_launch managed modules; do
	$CC -std=gnu17 -O1 -Wno-maybe-uninitialized -o "$DIR/$program" $program.c -L"$LIBRARIES" -l:libcudart.so.13 -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" -lpthread || exit 1
	statistics first run
	statistics again run run
	diff "$DIR/first" "$DIR/again" >"$DIR/diff" || fail "$program again: $(head -5 "$DIR/diff")"
	statistics killed 'catch launch' run kill 'delete 1' run
	diff "$DIR/first" "$DIR/killed" >"$DIR/diff" || fail "$program after one that was killed: $(head -5 "$DIR/diff")"
	statistics loaded 'load vecadd.ptx' run 'reset' run
	statistics before 'load vecadd.ptx' run
	diff "$DIR/before" "$DIR/loaded" >"$DIR/diff" || fail "$program behind a file: $(head -5 "$DIR/diff")"
done
exit $bad
