/* buffer, struct, delete buffer, simulate: what is there before a launch. */
#include "command/setup/buffers.h"

#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/past.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launches.h"

bool command_buffer(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct debug_buffer *b = debug_may_change(d, why) ? debug_buffer_define(d, args, why) : NULL;
	if (!b)
		return false;
	report_text(answer, "name", b->name);
	report_hex(answer, "address", b->address);
	report_number(answer, "bytes", debug_buffer_bytes(b));
	return true;
}

bool command_struct(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	(void)answer;
	return debug_struct_define(d, args, why);
}

bool command_delete_buffer(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *name = scan_blanks(args);
	const size_t n = scan_name(name);
	(void)answer;
	if (!debug_may_change(d, why))
		return false;
	if (!n || *scan_blanks(name + n))
		return debug_fail(why, "usage: delete buffer NAME");
	return debug_buffer_delete(d, name, n, why);
}

bool command_simulate(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	if (*scan_blanks(args))
		return debug_simulate(d, args, why);
	debug_describe_simulated(d, answer);
	return true;
}
