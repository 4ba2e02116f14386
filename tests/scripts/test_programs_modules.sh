#!/bin/bash
# Programs with several modules: whose kernel runs, whose variable is meant, what is said where there is no PTX.
cd "$ROOT/tests/programs" || exit 1
. "$ROOT/tests/lib/programs"

# (with a configuration that says which compute capability it has, PTX for a later one is remarked upon)
# 10 times 2, times 3; 10 + 16 + 16; 1 from two compressed ones; no PTX; times 2 and, set by the program, 7; after a reset 3 again
want='0: 20
1: 30
2: 42
3: 1
4: 1
5: -209
0: 20
1: 70
1: 30'
build_static modules
build_shared modules 13
for program in modules-static modules-13; do
	got=$("$WARPSTEP" -m functional --batch --args "$DIR/$program" 2>"$DIR/err") || fail "$program: status $?: $(cat "$DIR/err")"
	[ "$got" = "$want" ] || fail "$program: $got"
	grep -q "^error: no PTX for one(int\*): the program has machine code for sm_75 alone; compile it with -arch=sm_75 " "$DIR/err" ||
		fail "$program: says $(cat "$DIR/err")"
done

# a breakpoint that waits for them finds both; each prints its own factor; the other one's by its module; the units of a linked one are listed
"$WARPSTEP" -m functional --batch -ex 'b scale' -ex 'b add_extra' -ex run -ex 'p factor' -ex c -ex 'p factor' -ex "p 'modules-13.ptx'::factor" \
	-ex 'delete 1' -ex c -ex bt -ex 'list modules-13-4.ptx:7,8' -ex 'p extra' -ex 'delete' -ex c \
	--args "$DIR/modules-13" >"$DIR/out" 2>"$DIR/err"
status=$?; [ $status = 0 ] || fail "breakpoints: status $status"
cat "$DIR/out" "$DIR/err" >"$DIR/all"
for line in '\$1 = 2' '\$2 = 3' '\$3 = 2' 'at modules-13-2.ptx:11' '#1 .* call .*at modules-13-3.ptx:18' '7.*\.visible \.func' '\$4 = 16' '1: 70'; do
	grep -q "$line" "$DIR/all" || fail "breakpoints: no $line in $(cat "$DIR/all")"
done

# modules that the program opens by itself; closed ones are gone, their names mean the others' now
build_shared libraries 13
got=$("$WARPSTEP" -m functional --batch --args "$DIR/libraries-13" 2>"$DIR/err") || fail "libraries: status $?: $(cat "$DIR/err")"
[ "$got" = "20 110 30 factor has 4 bytes
1 kernel, scale, 1; parameter at 0, 8 bytes
no such kernel: 500, variable: 500, parameter: 1
closed twice: 400
its kernel: 400
20
30
bad: 218
1 1 1
again: 218 'error: ' 7
no PTX: 200
no file: 301" ] || fail "libraries: $got"

# the driver API
$CC -std=gnu17 -O1 -Wall -o "$DIR/driver" driver.c -L"$LIBRARIES" -l:libcuda.so.1 -Wl,-rpath-link,"$LIBRARIES" || exit 1
$CC -std=gnu17 -O1 -w -c -o "$DIR/vecadd.o" vecadd.c && ar rcs "$DIR/vecadd.a" "$DIR/vecadd.o" || exit 1
got=$("$WARPSTEP" -m functional --batch --args "$DIR/driver" "$DIR/vecadd.o" "$DIR/vecadd.a" 2>"$DIR/err") || fail "driver: status $?: $(cat "$DIR/err")"
[ "$got" = "13000, 1 device, second: 101, 0
current: 1
20 50, 4 bytes
1966110
no such: 500 500
30x768 90x256 120x100 15x1024 15x768 30x384 flags: 0 1
lacks a unit: 999
error: 'add_extra' is used, but defined nowhere
error: 'extra' is used, but defined nowhere
broken: 218, no file: 301
said: 1
linked: 42
vecadd.o: 0
vecadd.a: 0
cuMemAlloc: 0 1
two: 1, works: 0
none: 500 1 1, too new: 500 2
no kernel image is available for execution on the device; 1
unloaded twice: 400
destroyed twice: 201, without: 201" ] || fail "driver: $got"
exit $bad
