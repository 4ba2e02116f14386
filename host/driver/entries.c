/* The entry points of the driver API by name. */
#define ENTRY_TABLE "host/driver/entries.def"
#define REFUSE(error) (error)
#include "host/entry_table.h"

void *host_driver_entry(const char *name)
{
	const struct entry *e = entry_of(name);
	return e ? e->function[0] : NULL;
}
