/* Base classes. nvcc describes one as a member of the name __b_1Base; as what it is, gdb finds the base's members in the derived class
 * (`p d.a`, in a method `p a`) and shows it as <Base>. */
#include <string.h>

#include "gdbstub/dwarf_own.h"

#define ACCESS_PUBLIC 1u /* DW_ACCESS_public: without a word DWARF 2 means private */

void own_base_class(struct own *o, const struct own_named *e)
{
	static const char mark[] = "__b_";
	if (!e->name || strncmp((const char *)e->name, mark, sizeof mark - 1))
		return;
	uint64_t code = own_abbrev_copy(o, e->table, e->code, OWN_BASE, e->version);
	if (!code)
		return;
	*e->code_at = (unsigned char)code;
	e->name[0] = ACCESS_PUBLIC; /* the name's first byte; the others mean nothing */
}
