# `disassemble /s` shows what nvdisasm prints of FILE.cubin, or of a program's cubin, beside the PTX. nvdisasm is a script here that prints text in the format of
# NVIDIA's "CUDA Binary Utilities"; the lines are those of examples/01-saxpy/saxpy.ptx.
: "${WARPSTEP:?}"
bad=0
fail() { echo "$1"; bad=1; }
mkdir -p bin && cp "$ROOT/examples/01-saxpy/saxpy.ptx" . && echo cubin >saxpy.cubin || exit 1
cat >bin/recorded <<'END'
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM75 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM75)"

//--------------------- .text.other               --------------------------
	.section	.text.other,"ax",@progbits
.text.other:
	//## File ".nv_debug_ptx_txt", line 36
        /*0000*/                   NOP ;

//--------------------- .text.saxpy               --------------------------
	.section	.text.saxpy,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=10"
        .type           saxpy,@function
saxpy:
.text.saxpy:
	//## File ".nv_debug_ptx_txt", line 22
        /*0000*/                   MOV R1, c[0x0][0x28] ;
	//## File "/src/saxpy.cu", line 9
	//## File ".nv_debug_ptx_txt", line 36
        /*0010*/                   S2R R4, SR_CTAID.X ;      /* 0x0000000000047919 */
	//## File ".nv_debug_ptx_txt", line 42
        /*0020*/               @P0 EXIT ;
.L_x_0:
	//## File ".nv_debug_ptx_txt", line 64
        /*0030*/                   EXIT ;
END
cat >bin/nvdisasm <<'END'
#!/bin/sh
[ "$1 $2" = "-c -gp" ] || exit 1
name=$(grep -a -o -m1 '\.text\._Z[A-Za-z0-9_]*' "$3" | head -1)
if [ -n "$name" ]; then printf '%s:\n        /*0000*/                   NOP ;\n' "$name"; else cat "${0%/*}/recorded"; fi
END
chmod +x bin/nvdisasm
show() { PATH=$1:$PATH "$WARPSTEP" --batch -q -m functional saxpy.ptx -ex 'disassemble /s saxpy' 2>&1; }
show "$PWD/nowhere" >without
show "$PWD/bin" >with
got=$(diff without with | sed -n 's/^> //p')
want=$(printf '\t\t\t%s\n' '/*0000*/ MOV R1, c[0x0][0x28] ;' '/*0010*/ S2R R4, SR_CTAID.X ;' '/*0020*/ @P0 EXIT ;' '.L_x_0:' '/*0030*/ EXIT ;')
[ "$got" = "$want" ] || fail "$got"
diff without with | grep -q '^<' && fail "lines are missing: $(diff without with)"
grep -A1 'saxpy.ptx:36' with | grep -q 'S2R R4' || fail "S2R isn't below line 36"
grep -A2 'saxpy.ptx:64' with | tail -1 | grep -q EXIT || fail "EXIT isn't below line 64"
[ "$(PATH=$PWD/bin:$PATH "$WARPSTEP" --batch -q saxpy.ptx -ex 'disassemble /s saxpy --json' | python3 -c 'import json, sys
print([i["sass"] for i in json.load(sys.stdin)["instructions"] if "sass" in i][1])')" = "['/*0010*/ S2R R4, SR_CTAID.X ;']" ] || fail "JSON"
rm saxpy.cubin
show "$PWD/bin" | diff without - >/dev/null || fail "without a cubin: $(show "$PWD/bin")"
# of a program: the cubin that the driver would take. It has no line table here, so its code stands behind the PTX
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$NVCC" ]; then
	printf '__global__ void twice(int *p) { *p *= 2; }\nint main() { int *p; cudaMalloc(&p, 4); twice<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n' >twice.cu
	"$NVCC" -arch=sm_75 -w -o twice twice.cu || exit 1
	PATH=$PWD/bin:$PATH "$WARPSTEP" --batch -q -m functional -ex 'break twice' -ex run -ex 'disassemble /s' --args ./twice >out 2>&1 || fail "$(cat out)"
	grep -A1 '^machine code without lines' out | grep -q '/\*0000\*/ NOP ;' || fail "$(cat out)"
fi
exit $bad
