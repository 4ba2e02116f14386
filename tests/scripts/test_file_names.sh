# Files with blanks and letters beyond ASCII in their names, which nvcc writes as \303\244: at the prompt and in gdb.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
command -v gdb >/dev/null || { echo "no gdb"; exit 77; }
bad() { echo "$1"; cat out; exit 1; }
cp "$ROOT/tests/golden/debugger/inline.cu" 'so ä.cu'
sed 's/"inline\.cu"/"so \\303\\244.cu"/' "$ROOT/tests/golden/debugger/inline.ptx" >'in é 2.ptx'
line=$(grep -n '\.loc.*1 6 ' 'in é 2.ptx' | head -n 1 | cut -d: -f1)
next=$((line + 1))
want=$(printf '6\t\treturn x * x + 7;')
"$WARPSTEP" -q --batch 'in é 2.ptx' -ex 'list so ä.cu:6,6' -ex 'list "so ä.cu":6,6' -ex 'b "so ä.cu":6' -ex 'tb so ä.cu:6' \
	-ex "b 'in é 2.ptx:$next'" -ex "b \"in é 2.ptx\":$next if 1 ? 2 : 3" -ex 'list "in é 2.ptx":1,1' -ex "b $next" -ex 'load in é 2.ptx' \
	-ex 'info breakpoints' >out 2>&1 || bad "a command failed"
[ "$(sed -n 1p out)" = "$want" ] && [ "$(sed -n 2p out)" = "$want" ] || bad "list"
[ "$(grep -c '^Breakpoint.*file so ä.cu, line 6\.$\|^Breakpoint.*so ä.cu:6\. ' out)" = 1 ] || bad "break FILE:LINE of CUDA"
[ "$(grep -c "^Breakpoint.*file in é 2.ptx, line $next\.\$" out)" = 3 ] || bad "break FILE:LINE of PTX"
"$WARPSTEP" -q --batch -ex 'b "in é 2.ptx":'"$next" -ex "b $next" -ex 'load in é 2.ptx' -ex 'load in é 2.ptx' -ex 'info breakpoints' \
	>out 2>&1 || bad "a command failed before the load"
[ "$(awk '/ keep y /{ print $5 }' out | sort -u | wc -l)" = 1 ] || bad "a line is another one after a second load"
"$WARPSTEP" -q --batch 'in é 2.ptx' -ex 'b "no é.ptx":3' >out 2>&1 && bad "a file that isn't there"
[ "$(cat out)" = 'error: No source file named no é.ptx.' ] || bad "the words for a file that isn't there"
export LC_ALL=C.UTF-8 HOME=/nonexistent
printf '%s\n' 'list so ä.cu:6,6' 'info line so ä.cu:6' >commands
gdb -q -nx -batch -iex 'set auto-load off' -ex "target remote | $WARPSTEP -q -g - 'in é 2.ptx' -ex 'set source cuda'" -x commands >out 2>&1
grep -qxF "$want" out || bad "gdb: list"
grep -q 'Line 6 of "[^"]*so ä.cu" ' out || bad "gdb: info line"

# made on Windows; gdb finds the source by the last part of its name
cp "$ROOT/tests/golden/debugger/inline.cu" win.cu
sed 's/"inline\.cu"/"C:\\\\Users\\\\me\\\\win.cu"/' "$ROOT/tests/golden/debugger/inline.ptx" >win.ptx
grep -qF '"C:\\Users\\me\\win.cu"' win.ptx || bad "the test's own file"
"$WARPSTEP" -q --batch win.ptx -ex 'b win.cu:6' -ex 'set source-path .' -ex 'list win.cu:6,6' >out 2>&1 || bad "of Windows: a command failed"
grep -q '^Breakpoint 1 at 0x.*win\.cu' out || bad "of Windows: break"
grep -qxF "$want" out || bad "of Windows: list"
printf '%s\n' 'list win.cu:6,6' >commands
gdb -q -nx -batch -iex 'set auto-load off' -ex "target remote | $WARPSTEP -q -g - win.ptx -ex 'set source cuda'" -x commands >out 2>&1
grep -qxF "$want" out || bad "of Windows, gdb: list"
