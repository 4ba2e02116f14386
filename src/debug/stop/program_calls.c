/* Stops in front of a program's calls and of its end: `catch api`, `set break-on-exit`. */
#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/xalloc.h"
#include "debug/program.h"
#include "debug/setup/buffer.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"

bool program_call_is_name(const char *name, size_t n)
{
	const size_t prefix = n > 4 && !memcmp(name, "cuda", 4) ? 4 : n > 2 && !memcmp(name, "cu", 2) ? 2 : 0;
	return prefix && isupper((unsigned char)name[prefix]) && strcspn(name, "<(:") >= n;
}

bool breakpoint_is_for_calls(const struct breakpoint *b)
{
	const struct breakpoint_filter *const f = &b->filter;
	if (b->kind == BREAKPOINT_CATCH)
		return b->caught == BREAKPOINT_ON_API;
	return b->kind == BREAKPOINT_CODE && b->code.pending && !b->internal && b->location && !b->code.prints && !f->has_uid && !f->has_thread &&
	       !f->has_block && !f->has_warp && program_call_is_name(b->location, strlen(b->location));
}

bool debug_wants_calls(const struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->enabled && breakpoint_is_for_calls(d->stop->bps[i]))
			return true;
	return false;
}

bool program_call_fits(const struct debug *d, const struct breakpoint *b)
{
	return breakpoint_is_for_calls(b) && (!b->location || !fnmatch(b->location, text_str(&d->stop->program.name), 0));
}

bool debug_program_calls(struct debug *d, const char *call, uint32_t context, uint64_t caller)
{
	struct text *name = &d->stop->program.name;
	bool any = false;
	text_clear(name);
	text_addn(name, call, strcspn(call, "("));
	for (size_t i = 0; i < d->stop->n_bps && !any; i++)
		any = d->stop->bps[i]->enabled && program_call_fits(d, d->stop->bps[i]);
	if (!any)
		return false;
	d->stop->program.what = PROGRAM_CALLS;
	text_clear(&d->stop->program.call);
	text_add(&d->stop->program.call, call);
	d->stop->program.context = context;
	d->stop->program.caller = caller;
	return true;
}

bool debug_program_ends(struct debug *d, uint32_t context, int status)
{
	if (!d->settings.breaks_on_exit)
		return false;
	d->stop->program.what = PROGRAM_ENDS;
	d->stop->program.context = context;
	d->stop->program.status = status;
	return true;
}

/* ---- the text ---- */

/* Appends ` <alloc_1+16>` for an address in a buffer or allocation, nothing for another one. */
static void add_buffer_at(struct debug *d, uint64_t address, struct text *out)
{
	for (size_t k = debug_buffer_count(d); k-- > 0;) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		const uint64_t offset = address - b->address;
		if (offset >= debug_buffer_bytes(b))
			continue;
		text_addf(out, offset ? " <%s+%" PRIu64 ">" : " <%s>", b->name, offset);
		return;
	}
}

/* Appends a kernel's name as users write it, in place of PTX's: its module may not be loaded yet. */
static void add_kernel(const struct debug *d, const char *name, size_t n, struct text *out)
{
	char *own = xstrndup(name, n);
	if (!d->settings.demangle || !demangle_name(own, false, out))
		text_addn(out, name, n);
	free(own);
}

/* Appends a call with names: of the allocations that its pointers lie in, and of the kernel. Strings between quotes stay as they are. */
static void add_call(struct debug *d, const char *s, struct text *out)
{
	bool is_quoted = false;
	while (*s) {
		const size_t n = !is_quoted && !strncmp(s, "0x", 2) ? 2 + strspn(s + 2, "0123456789abcdef") : 1;
		is_quoted ^= *s == '"';
		text_addn(out, s, n);
		if (n > 2)
			add_buffer_at(d, strtoull(s, NULL, 16), out);
		if (!is_quoted && *s == '<' && strchr(s, '>')) {
			const size_t length = strcspn(s + 1, ">");
			add_kernel(d, s + 1, length, out);
			s += length;
		}
		s += n;
	}
}

static void add_calls(struct debug *d, struct debug_stop *stop)
{
	struct text call = {0}, place = {0};
	struct report *part = report_create();
	add_call(d, text_str(&d->stop->program.call), &call);
	report_text(part, "call", text_str(&call));
	debug_program_place(d, d->stop->program.context, d->stop->program.caller, &place);
	if (place.n)
		report_text(part, "caller", text_str(&place));
	report_line(part, "{call}[, called by {caller}]\n");
	stop_set_part(stop, "call", part);
	text_free(&call);
	text_free(&place);
}

static void add_end(struct debug *d, struct debug_stop *stop)
{
	const long pid = debug_process_of(d, d->stop->program.context);
	struct report *part = report_create();
	stop->reason = DEBUG_STOP_EXITING;
	if (pid)
		report_signed(part, "process", pid);
	if (d->stop->program.status >= 0)
		report_signed(part, "status", d->stop->program.status);
	report_line(part, pid ? "Process {process} is about to end" : "The program is about to end");
	report_line(part, "[ with status {status}]\n");
	stop_set_part(stop, "end", part);
}

bool program_check_calls(struct debug *d, struct debug_stop *stop)
{
	const bool ends = d->stop->program.what == PROGRAM_ENDS;
	if (d->stop->program.what == PROGRAM_RUNS)
		return false;
	d->stop->program.what = PROGRAM_RUNS;
	if (ends) {
		add_end(d, stop);
		return true;
	}
	if (!breakpoint_check_event(d, BREAKPOINT_ON_API, UINT32_MAX, stop))
		return false;
	add_calls(d, stop);
	return true;
}
