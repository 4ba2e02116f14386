/* Macros for libraries of names only: each name is a jump to its gate in libwarpstep.so. */
#if defined __x86_64__
#define JUMP(name, to) \
	__asm__(".globl " #name "\n.type " #name ",@function\n" #name ":\n\tendbr64\n\tjmp *gate_" #to \
		"@GOTPCREL(%rip)\n.size " #name ", .-" #name "\n");
#elif defined __aarch64__
#define JUMP(name, to) \
	__asm__(".globl " #name "\n.type " #name ",%function\n" #name ":\n\tb gate_" #to "\n.size " #name ", .-" #name \
		"\n");
#endif
#define ENTRY(name) JUMP(name, name)
#define TWIN(name, other) JUMP(name, name)
#define REFUSED(name) JUMP(name, name)
__asm__(".text\n");
