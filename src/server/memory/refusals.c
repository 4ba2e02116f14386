/* Which memory a refused call would have used. */
#include "check/check.h"
#include "server/memory/state.h"

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

static void describe_copy(const struct server_call *c, const struct call_copy *in, struct check_call *out, struct text *detail)
{
	const uint32_t kind = in->kind != WIRE_COPY_BY_ADDRESS ? in->kind
						     : (memory_is_device(c, in->to) ? WIRE_COPY_TO_DEVICE : 0) |
							       (memory_is_device(c, in->from) ? WIRE_COPY_FROM_DEVICE : 0);
	const bool is_told = (kind & WIRE_COPY_TO_DEVICE && describe_device(c, in->to, in->bytes, true, out)) ||
			     (kind & WIRE_COPY_FROM_DEVICE && describe_device(c, in->from, in->bytes, false, out));
	if (!is_told && in->kind <= WIRE_COPY_BY_ADDRESS)
		text_addf(detail, "the host's memory at 0x%llx can't be %s: %llu bytes",
			  (unsigned long long)(kind & WIRE_COPY_TO_DEVICE ? in->from : in->to), kind & WIRE_COPY_TO_DEVICE ? "read" : "written",
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

void memory_describe_refusal(const struct server_call *c, struct check_call *out, struct text *detail)
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
