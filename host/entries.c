/* The entry points of the runtime by name. */
#define ENTRY_TABLE "host/entries.def"
#define REFUSE(error) host_leave(error)
#include "host/entry_table.h"

void *host_entry_find(const char *name, unsigned toolkit)
{
	const struct entry *e = entry_of(name);
	return e ? e->function[toolkit - 11] : NULL;
}
