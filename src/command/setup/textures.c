/* texture, surface, bind: texels in device memory, and how kernels read them. */
#include "command/setup/buffers.h"
#include "debug/ground/ground.h"
#include "debug/past.h"
#include "debug/setup/texture.h"

static bool make(struct debug *d, const char *args, bool is_surface, struct report *answer, struct text *why)
{
	const struct debug_buffer *b = debug_may_change(d, why) ? debug_texture_define(d, args, is_surface, why) : NULL;
	if (!b)
		return false;
	report_text(answer, "name", b->name);
	report_hex(answer, "address", b->address);
	report_number(answer, "bytes", debug_buffer_bytes(b));
	report_hex(answer, "handle", b->handle);
	return true;
}

bool command_texture(struct debug *d, const char *args, struct report *answer, struct text *why) { return make(d, args, false, answer, why); }
bool command_surface(struct debug *d, const char *args, struct report *answer, struct text *why) { return make(d, args, true, answer, why); }

bool command_bind(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	(void)answer;
	return debug_may_change(d, why) && debug_texture_bind(d, args, why);
}
