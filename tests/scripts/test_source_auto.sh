# Which lines are shown as those of a CUDA source is judged line by line: by what can be read, and not by a toolkit's headers.
[ -x "$WARPSTEP" ] || { echo "no program"; exit 77; }
bad() { echo "$1"; cat out; exit 1; }
toolkit=$PWD/cuda-13.0/targets/x86_64-linux/include
mkdir -p "$toolkit" own
printf '%s\n' 'kernel one' 'kernel two' 'kernel three' 'kernel four' >k.cu
printf '%s\n' 'own one' 'own two' >own/own.h
printf '%s\n' 'tool one' 'tool two' >"$toolkit/tool.h"
mkfifo pipe.cu
cat >k.ptx <<END
.version 8.0
.target sm_75
.address_size 64
.visible .entry k()
{
.reg .b32 %r<12>;
mov.u32 %r0, 0;
.loc 1 2 5
.loc 1 3 5
.loc 1 1 0
mov.u32 %r1, 1;
.loc 2 1 0, function_name \$L__info_string0, inlined_at 1 2 5
mov.u32 %r2, 2;
.loc 3 2 0, function_name \$L__info_string0, inlined_at 1 3 5
mov.u32 %r3, 3;
.loc 4 1 0
mov.u32 %r4, 4;
.loc 5 1 0
mov.u32 %r5, 5;
.loc 1 99 0
mov.u32 %r6, 6;
.loc 1 4 0
ret;
}
.file 1 "k.cu"
.file 2 "$PWD/own/own.h"
.file 3 "$toolkit/tool.h"
.file 4 "nowhere.cu"
.file 5 "pipe.cu"
.section .debug_str
{
\$L__info_string0:
.b8 102
.b8 0
}
END
# WHAT, then the places that launch and eight instructions show: number and first word of each line
places() {
	{ printf '%s\n' "set source $1" 'launch k<<<1,1>>>()'; yes nexti | head -n 7; } >steps
	timeout 30 "$WARPSTEP" -q --batch -m functional k.ptx -x steps >seen 2>&1 || { cp seen out; bad "$1: stepping"; }
	grep '^[0-9]*	\|^    \|^Stepped' seen | tr -s '[:blank:]' ' ' | sed 's/^Stepped to //' >out
}
# auto: the PTX in front of the first .loc, for a file that isn't there or is none, and for a line that a file doesn't have
places auto
cmp -s out - <<'END' || bad "auto"
7 mov.u32 %r0, 0;
k.cu:1
1 kernel one
 mov.u32 %r1, 1;
own.h:1
1 own one
 mov.u32 %r2, 2;
k.cu:3
3 kernel three
 mov.u32 %r3, 3;
k.ptx:17
17 mov.u32 %r4, 4;
k.ptx:19
19 mov.u32 %r5, 5;
k.ptx:21
21 mov.u32 %r6, 6;
k.cu:4
4 kernel four
 ret;
END
places cuda
sed -n '/nowhere/,$p' out >rest
cmp -s rest - <<'END' || bad "cuda"
nowhere.cu:1
1 in nowhere.cu
 mov.u32 %r4, 4;
pipe.cu:1
1 in pipe.cu
 mov.u32 %r5, 5;
k.cu:99
99 in k.cu
 mov.u32 %r6, 6;
k.cu:4
4 kernel four
 ret;
END
places ptx
[ "$(grep -c '^Stepped to k.ptx' seen)" = 7 ] && ! grep -q '\.cu\|^    ' seen || bad "ptx"

# breakpoints at lines, in every setting: at code that a toolkit's line stands for, and in the own header itself
for source in auto cuda ptx; do
	"$WARPSTEP" -q --batch k.ptx -ex "set source $source" -ex 'b k.cu:3' -ex 'b own.h:1' -ex 'b tool.h:2' >out 2>&1 || bad "break"
	[ "$(grep -o 'at 0x[0-9a-f]*' out | tr '\n' ' ')" = 'at 0x18 at 0x10 at 0x18 ' ] || bad "break, $source"
done

# `list` begins with the kernel's first line of the CUDA source
"$WARPSTEP" -q --batch k.ptx -ex list >out 2>&1
[ "$(sed -n 1p out)" = '1	kernel one' ] || bad "list"

# a source that is found later, by source-path
mkdir elsewhere
mv k.cu elsewhere
"$WARPSTEP" -q --batch -m functional k.ptx -ex 'launch k<<<1,1>>>()' -ex nexti -ex 'set source-path elsewhere' -ex frame >out 2>&1
grep -q '^Stepped to k.ptx:11$' out && [ "$(tail -n 2 out | head -n 1)" = '1	kernel one' ] || bad "source-path"

# gdb: PTX altogether where nothing can be read, with or without debug information of the program's own
command -v gdb >/dev/null || exit 0
export HOME=/nonexistent
asks_gdb() { # FILE PLACE WANTED: what file is the place in?
	gdb -q -nx -batch -iex 'set auto-load off' -ex "target remote | $WARPSTEP -q -g - $1.ptx" -ex "info line $2" >out 2>&1
	grep -q "^Line [0-9]* of \".*/$3\"" out || bad "gdb, $1: $3"
}
cp "$ROOT/tests/gdb/exit-arguments.ptx" own.ptx
asks_gdb k k k.ptx
asks_gdb own scale own.ptx
mv elsewhere/k.cu .
cp "$ROOT/tests/gdb/exit-arguments.cu" .
asks_gdb k k.cu:4 k.cu
asks_gdb own scale exit-arguments.cu
