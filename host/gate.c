/* The gates: gate_NAME for each entry point of both APIs. A gate calls gate_enter (core/gate.c), and jumps to ws_NAME with registers and stack as they
 * were. Calls of this library to itself use ws_NAME. */
#include "host/core/gate.h"

/* ---- rows ---- */

#define SINCE_13(name, other) ROW(name, name, name) ROW(name##_since_13, name, other)
#define BY_RUNTIME(name) \
	ROW(name##_11, name, name##_11) ROW(name##_12, name, name##_12) ROW(name##_13, name, name##_13)
#define ENTRY(name) ROW(name, name, name)
#define TWIN(name, other) ROW(name, name, other)
#define REFUSED(name) ROW(name, name, name)

#define ROW(gate, name, target) \
	extern const char ws_##target[]; \
	__attribute__((visibility("hidden"), used)) const struct gate_row gate_row_##gate = {#name, ws_##target, #target};
#include "host/entries.def"
#include "host/driver/entries.def"
#undef ROW

/* ---- code ---- */

#if defined __x86_64__
#define ROW(gate, name, target) \
	__asm__(".globl gate_" #gate "\n.type gate_" #gate ",@function\ngate_" #gate ":\n\t.cfi_startproc\n\tendbr64\n\t" \
		"lea gate_row_" #gate "(%rip), %r11\n\tjmp gate_pass\n\t.cfi_endproc\n.size gate_" #gate ", .-gate_" #gate "\n");

/* r11: the row. The frame has a pointer, by which channel.c finds the program's return address. */
__asm__(".text\n.type gate_pass,@function\ngate_pass:\n\t.cfi_startproc\n\t"
	"push %rbp\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset %rbp, -16\n\tmov %rsp, %rbp\n\t.cfi_def_cfa_register %rbp\n\t"
	"sub $192, %rsp\n\t"
	"mov %rdi, (%rsp)\n\tmov %rsi, 8(%rsp)\n\tmov %rdx, 16(%rsp)\n\tmov %rcx, 24(%rsp)\n\tmov %r8, 32(%rsp)\n\tmov %r9, 40(%rsp)\n\t"
	"lea 16(%rbp), %rax\n\tmov %rax, 48(%rsp)\n\tmov %r11, 56(%rsp)\n\t"
	"movups %xmm0, 64(%rsp)\n\tmovups %xmm1, 80(%rsp)\n\tmovups %xmm2, 96(%rsp)\n\tmovups %xmm3, 112(%rsp)\n\t"
	"movups %xmm4, 128(%rsp)\n\tmovups %xmm5, 144(%rsp)\n\tmovups %xmm6, 160(%rsp)\n\tmovups %xmm7, 176(%rsp)\n\t"
	"mov %rsp, %rdi\n\tcall gate_enter\n\t"
	"movups 64(%rsp), %xmm0\n\tmovups 80(%rsp), %xmm1\n\tmovups 96(%rsp), %xmm2\n\tmovups 112(%rsp), %xmm3\n\t"
	"movups 128(%rsp), %xmm4\n\tmovups 144(%rsp), %xmm5\n\tmovups 160(%rsp), %xmm6\n\tmovups 176(%rsp), %xmm7\n\t"
	"mov (%rsp), %rdi\n\tmov 8(%rsp), %rsi\n\tmov 16(%rsp), %rdx\n\tmov 24(%rsp), %rcx\n\tmov 32(%rsp), %r8\n\tmov 40(%rsp), %r9\n\t"
	"mov 56(%rsp), %r11\n\tleave\n\t.cfi_def_cfa %rsp, 8\n\tjmp *8(%r11)\n\t.cfi_endproc\n.size gate_pass, .-gate_pass\n");
#elif defined __aarch64__
#define ROW(gate, name, target) \
	__asm__(".globl gate_" #gate "\n.type gate_" #gate ",%function\ngate_" #gate ":\n\tb ws_" #target "\n.size gate_" #gate ", .-gate_" #gate "\n");
#endif
#include "host/entries.def"
#include "host/driver/entries.def"
