/* Calls that the program made and that failed, reported to the memory checker. */
#include <string.h>

#include "debug/findings/findings.h"
#include "server/internal.h"
#include "server/memory/state.h"

void server_note_answer(struct server_slot *s, const struct server_handler *r, uint32_t status)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	const size_t n = r->n_in < sizeof s->refused.arguments ? r->n_in : sizeof s->refused.arguments;
	if (m->call == CALL_failed || m->call == CALL_refused)
		return;
	s->refused.call = status ? m->call : SERVER_NOT_REFUSED;
	s->refused.is_found &= status != 0;
	memcpy(s->refused.arguments, m + 1, n);
}

/* ---- which memory a refused call uses ---- */

/* Describes n bytes of device memory that a call uses, if it may not use all of them. Returns false if it may. */
static bool describe_device(const struct server_call *c, uint64_t address, uint64_t n, bool writes, struct check_call *out)
{
	const uint64_t at = memory_device_address(c, address), usable = memory_usable(c, at, n, writes);
	if (usable == n)
		return false;
	out->address = at;
	out->bytes = n;
	out->usable = usable;
	return true;
}

enum { TO_DEVICE = 1, FROM_DEVICE = 2, BY_ADDRESS = 4 }; /* bits of cudaMemcpyKind */

static void describe_copy(const struct server_call *c, const struct call_copy *in, struct check_call *out, struct text *detail)
{
	const uint32_t kind = in->kind != BY_ADDRESS ? in->kind
						     : (memory_is_device(c, in->to) ? TO_DEVICE : 0) |
							       (memory_is_device(c, in->from) ? FROM_DEVICE : 0);
	const bool is_told = (kind & TO_DEVICE && describe_device(c, in->to, in->bytes, true, out)) ||
			     (kind & FROM_DEVICE && describe_device(c, in->from, in->bytes, false, out));
	if (!is_told && in->kind <= BY_ADDRESS)
		text_addf(detail, "the host's memory at 0x%llx can't be %s: %llu bytes",
			  (unsigned long long)(kind & TO_DEVICE ? in->from : in->to), kind & TO_DEVICE ? "read" : "written",
			  (unsigned long long)in->bytes);
}

static void describe_fill(const struct server_call *c, const struct call_fill *in, struct check_call *out, struct text *detail)
{
	if (in->width && (in->to % in->width || in->bytes % in->width))
		text_addf(detail, "the address 0x%llx or the %llu bytes are no multiple of %u", (unsigned long long)in->to,
			  (unsigned long long)in->bytes, in->width);
	else
		describe_device(c, in->to, in->bytes, true, out);
}

static void describe_refusal(const struct server_call *c, struct check_call *out, struct text *detail)
{
	const struct server_refusal *const r = &c->slot->refused;
	const void *const in = r->arguments;
	switch (r->call) {
	case CALL_copy: describe_copy(c, in, out, detail); break;
	case CALL_fill: describe_fill(c, in, out, detail); break;
	case CALL_alloc:
	case CALL_host_alloc: /* both begin with the bytes */
		text_addf(detail, "%llu bytes are wanted, %llu are left", (unsigned long long)r->arguments[0],
			  (unsigned long long)memory_available(c->server));
		break;
	case CALL_host_free: describe_device(c, r->arguments[0], 1, false, out); break;
	default: break;
	}
}

/* ---- the report ---- */

/* Returns the string at *at of a message, which has its 0, and moves *at behind it. Returns "" at the message's end. */
static const char *next_string(const struct server_call *c, uint32_t *at)
{
	const char *s = (const char *)c->payload + *at;
	const char *end = *at < c->n_payload ? memchr(s, '\0', c->n_payload - *at) : NULL;
	if (!end)
		return "";
	*at += (uint32_t)(end - s) + 1;
	return s;
}

uint32_t serve_failed(struct server_call *c, const struct call_failed *in, struct call_failed_out *out)
{
	uint32_t at = 0;
	const char *const name = next_string(c, &at), *const error = next_string(c, &at), *const meaning = next_string(c, &at);
	struct text entry = {0}, what = {0}, detail = {0};
	struct check_call call = {.context = c->client->context, .caller = server_called_from(c)};
	(void)out;
	text_add(&detail, next_string(c, &at));
	if (debug_checks_memory(c->server->dbg) && !c->slot->refused.is_found) {
		call.name = (in->by_driver || !*name) && program_entry_name(c, &entry) ? text_str(&entry) : name;
		text_addf(&what, "%s (error %u) due to \"%s\"", error, in->error, meaning);
		call.error = text_str(&what);
		describe_refusal(c, &call, &detail);
		call.detail = text_str(&detail);
		debug_refused_call(c->server->dbg, &call);
	}
	c->slot->refused.call = SERVER_NOT_REFUSED;
	c->slot->refused.is_found = false;
	text_free(&entry);
	text_free(&what);
	text_free(&detail);
	return 0;
}
