# SASS of sm_13 becomes PTXPlus: text equal to that of GPGPU-Sim 3.2.2's converter with -gpgpu_ptxplus_exact, else what the code means, with notes; what can't be
# converted is an error with its place, and nothing is written.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
cases=$ROOT/tests/ptxplus/sass
bad=0
complain() { echo "$*"; bad=1; }
convert() { # FILE.sass OPTIONS...
	rm -f out.ptxplus
	"$WARPSTEP" --batch -q "${@:2}" -ex "convert $1 out.ptxplus" >log 2>&1
}
exact=(-o '-gpgpu_ptxplus_exact 1')

# whole texts
for name in reduction constants local r124; do
	convert "$cases/$name.sass" "${exact[@]}" || complain "$name: $(cat log)"
	cmp -s out.ptxplus "$cases/$name.want" || complain "$name: $(diff out.ptxplus "$cases/$name.want" | head -5)"
done

# each instruction
convert "$cases/instructions.sass" "${exact[@]}" || complain "instructions: $(cat log)"
sed -n '/^{/,/^}/p' out.ptxplus | sed -nE 's/^\t(l0x[0-9a-f]{8}: )?([^.].*)$/\2/p' | grep -v '^l_exit' >got
diff got "$cases/instructions.want" >differ || complain "instructions: $(head -8 differ)"

# what the code means, and where that differs
convert "$cases/right.sass" || complain "right: $(cat log)"
sed -n '/^{/,/^}/p' out.ptxplus | diff - "$cases/right.want" || complain "right differs"
sed -n 's/^note: [^:]*right.sass:/note: /p' log | diff - "$cases/right.notes" || complain "notes differ"

# breaks of nested loops go where the innermost PBK says: the values are those of a plain loop
"$WARPSTEP" --batch -q -ex "load $cases/nested.sass" -ex 'buffer out u32[32]' -ex 'run second<<<1, 32, 64>>>(out)' -ex 'print out' >log 2>&1
grep -qF '= {104, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 120, 101, 102, 103, 120, 121, 122, 123, 112, 113, 114, 115, 128, 129, 130, 131}' log ||
	complain "nested: $(cat log)"

# the listing is the source of what is loaded
cp "$cases"/reduction.{sass,elf,ptx} .
"$WARPSTEP" --batch -q -o '-gpgpu_ptx_convert_to_ptxplus 1' -o '-gpgpu_ptx_save_converted_ptxplus 1' -o '-gpgpu_ptxplus_exact 1' -ex 'load reduction.ptx' \
	-ex 'disassemble /s _Z6reducePjPKj' -ex 'buffer out u32[1]' -ex 'buffer in u32[64] = fill 3' -ex 'break reduction.sass:25' \
	-ex 'run _Z6reducePjPKj<<<1, 64, 288>>>(out, in)' -ex 'print $r6' -ex 'print s[0x20]' -ex 'print $p1.ne' -ex 'print $r0.lo' >log 2>&1
for line in '16		/*0068*/     /*0x5689735bbdc26888*/ 	IADD R6, R6, g [A1+0x8];' '	add.u32 $r6, $r6, s[$ofs1+0x0020];' 'at reduction.sass:25' '$1 = 192' '$2 = 192' '$3 = 0' '$4 = 0' \
	'the PTXPlus text is in _ptxplus_reduction'; do
	grep -qF -- "$line" log || complain "not in the session: $line"
done
cmp -s _ptxplus_reduction "$cases/reduction.want" || complain "_ptxplus_reduction is another text"

# refusals: nothing is written, the message has line and column of the listing
while IFS= read -r line; do
	printf '\tcode for sm_13\n\t\tFunction : knl\n\t/*0000*/     /*0x1000000007800000*/ \tNOP;\n\t/*0008*/     /*0x1000000007800000*/ \t%s;\n\t\t.......\n' "$line" >x.sass
	cp "$cases/instructions.elf" x.elf
	cp "$cases/instructions.ptx" x.ptx
	convert x.sass && complain "not refused: $line"
	grep -qE '^error: x.sass:4:[0-9]+: ' log || complain "$line: $(cat log)"
	[ -e out.ptxplus ] && complain "written: $line"
done <"$cases/refused.txt"
refused() { # FILE TEXT
	convert x.sass && complain "$1: not refused"
	grep -qF "$2" log || complain "$2: $(cat log)"
}
rm x.elf
refused x 'error: x.elf: '
cp "$cases/instructions.elf" x.elf
printf '\tcode for sm_20\n\t\tFunction : knl\n\t/*0000*/ NOP;\n' >x.sass
refused x "error: x.sass:1:2: machine code of sm_20"
printf '\tcode for sm_13\n\t\tFunction : other\n\t/*0000*/ NOP;\n' >x.sass
refused x "error: x.sass:2:14: x.ptx does not declare the function other"
printf '\tcode for sm_13\n\t\tFunction : knl\n\t/*008*/ NOP;\n' >x.sass
refused x "error: x.sass:3:4: an address has exactly four hexadecimal digits"
printf '\tcode for sm_13\n\t\tFunction : knl\n\t/*a000*/ IADD R1, R2;\n\t/*a008*/ BRA 0xa000;\n' >x.sass
convert x.sass || complain "address a000: $(cat log)"
exit $bad
