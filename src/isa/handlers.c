#include "isa/handlers.h"

#include <string.h>

const char *const isa_handler_names[ISA_HANDLER_COUNT] = {
	"unsupported",
#define HANDLER(name) #name,
#define ALIAS(name, handler)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef HANDLER
#undef ALIAS
};

struct handler_name {
	const char *name;
	uint16_t handler;
};

static const struct handler_name handler_names[] = {
#define HANDLER(name) {#name, ISA_H_##name},
#define ALIAS(name, handler) {#name, ISA_H_##handler},
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef HANDLER
#undef ALIAS
	{NULL, 0},
};

/* Called once per distinct opcode text, so a walk over a few thousand names is cheap enough. */
static enum isa_handler find_name(const char *name)
{
	if (!name)
		return ISA_H_UNSUPPORTED;
	for (const struct handler_name *h = handler_names; h->name; h++)
		if (h->name[0] == name[0] && !strcmp(h->name, name))
			return (enum isa_handler)h->handler;
	return ISA_H_UNSUPPORTED;
}

enum isa_handler isa_handler_find(const char *exact, const char *base, const char *mnemonic)
{
	enum isa_handler h = find_name(exact);
	if (h == ISA_H_UNSUPPORTED)
		h = find_name(base);
	if (h == ISA_H_UNSUPPORTED)
		h = find_name(mnemonic);
	return h;
}
