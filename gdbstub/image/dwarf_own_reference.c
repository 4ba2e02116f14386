/* C++ references in conditions of breakpoints. gdb 13 translates `ref == 8` into bytecode that compares the address: it doesn't follow the
 * reference (ax-gdb.c), and the breakpoint would be missed without a word. So their locations get an operation that changes nothing and
 * that gdb evaluates, but can't translate: DW_OP_convert to the type that everything on the stack has. Then it asks for no evaluation here
 * and looks at each lane itself. */
#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"

/* Goes over the operations that such a location begins with. */
static void skip_operation(struct cursor *c)
{
	switch (cursor_fixed(c, 1)) {
	case OP_BREG7:
	case OP_PLUS_UCONST: cursor_uleb(c); break;
	case OP_DEREF: break;
	default: c->ok = false;
	}
}

void own_hide_reference(unsigned char *e, size_t n)
{
	struct cursor c = {e, e + n, true};
	while (c.ok && c.at < c.end && *c.at != OP_NOP)
		skip_operation(&c);
	if (!c.ok || c.end - c.at < 2 || c.at[1] != OP_NOP)
		return;
	c.at[0] = OP_CONVERT;
	c.at[1] = 0;
}
