/* Memory that is known by another address than that where the device has it. Kernels and the debugger may use either; everything inside goes by
 * the one where it is. Memory of the host has the host's own (cudaHostRegister), beyond the device's. Hosts' processes have the same ones: the
 * table is sorted by context, then by the host's address. Aliases are parts of the device's ranges (range.c). */
#include <string.h>

#include "gpu/device/valid_internal.h"
#include "gpu/memory/memory.h"

#define BESIDE UINT64_C(256) /* a wrong address this close to a piece is taken for one that was to be in it */

struct known {
	uint32_t context;
	uint64_t host, bytes, device;
};

static struct known *table(const struct gpu *g) { return arena_at(&g->arena, g->sec_host_address, 0); }

static bool is_above(const struct known *t, uint32_t context, uint64_t host)
{
	return t->context > context || (t->context == context && t->host > host);
}

/* Index of the first one above an address of a context's host. */
static uint32_t above(const struct gpu *g, uint32_t context, uint64_t host)
{
	const struct known *t = table(g);
	uint32_t lo = 0, hi = gpu_state(g)->n_host_addresses;
	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		if (is_above(&t[mid], context, host))
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* The one in front of place k, if it is the context's. */
static const struct known *before(const struct gpu *g, uint32_t context, uint32_t k)
{
	return k && table(g)[k - 1].context == context ? &table(g)[k - 1] : NULL;
}

static const struct known *behind(const struct gpu *g, uint32_t context, uint32_t k)
{
	return k < gpu_state(g)->n_host_addresses && table(g)[k].context == context ? &table(g)[k] : NULL;
}

bool gpu_set_host_address(struct gpu *g, uint64_t address, uint64_t host)
{
	struct gpu_state *s = gpu_state(g);
	const struct gpu_allocation *a = gpu_piece_at(g, address);
	if (!a || !a->live || host < g->limits->device_end || host + a->bytes < host ||
	    !arena_use(&g->arena, g->sec_host_address, (s->n_host_addresses + 1) * sizeof(struct known)))
		return false;
	struct known *t = table(g);
	const uint32_t at = above(g, a->context, host);
	const struct known *low = before(g, a->context, at), *high = behind(g, a->context, at);
	if ((low && host - low->host < low->bytes) || (high && high->host - host < a->bytes))
		return false;
	memmove(&t[at + 1], &t[at], (s->n_host_addresses - at) * sizeof *t);
	t[at] = (struct known){.context = a->context, .host = host, .bytes = a->bytes, .device = address};
	s->n_host_addresses++;
	return true;
}

void gpu_forget_host_address(struct gpu *g, uint64_t address)
{
	struct gpu_state *s = gpu_state(g);
	struct known *t = table(g);
	uint32_t k = 0;
	while (k < s->n_host_addresses && t[k].device != address)
		k++;
	if (k == s->n_host_addresses)
		return;
	s->n_host_addresses--;
	memmove(&t[k], &t[k + 1], (s->n_host_addresses - k) * sizeof *t);
}

static bool host_elsewhere(const struct gpu *g, uint32_t context, uint64_t address, struct exec_window *w, uint64_t *at)
{
	const struct known *t = before(g, context, above(g, context, address));
	if (!t || address - t->host >= t->bytes)
		return false;
	*w = (struct exec_window){t->host, t->host + t->bytes};
	*at = t->device;
	return true;
}

/* As far as what it stands for is in one piece. */
static bool alias_elsewhere(const struct gpu_allocation *a, struct exec_window *w, uint64_t *at)
{
	if (!a || !a->alias)
		return false;
	*w = (struct exec_window){a->address, a->address + a->bytes};
	*at = a->alias;
	return true;
}

bool gpu_elsewhere(void *self, uint32_t context, uint64_t address, bool writes, struct exec_window *w, uint64_t *at)
{
	const struct gpu *g = self;
	if (address >= g->limits->device_end) {
		const bool is_known = host_elsewhere(g, context, address, w, at);
		if (is_known)
			gpu_note_allocation_use(g, context, *at);
		return is_known;
	}
	const struct gpu_allocation *a = gpu_piece_with(g, address);
	return a && a->users >> context & 1 && !(writes && a->read_only) && alias_elsewhere(a, w, at);
}

uint64_t gpu_device_address_of(const struct gpu *g, uint32_t context, uint64_t address)
{
	struct exec_window w;
	uint64_t at;
	const bool is_known = address >= g->limits->device_end ? host_elsewhere(g, context, address, &w, &at)
							       : alias_elsewhere(gpu_piece_with(g, address), &w, &at);
	return is_known ? at + (address - w.first) : address;
}

static uint64_t beside(const struct gpu *g, uint32_t context, uint64_t address)
{
	const uint32_t k = above(g, context, address);
	const struct known *low = before(g, context, k), *high = behind(g, context, k);
	if (low && address - low->host < low->bytes + BESIDE)
		return low->device + (address - low->host);
	return high && high->host - address <= BESIDE ? high->device - (high->host - address) : address;
}

/* As the launch that ran last has it, else as another one. */
static uint64_t as_anybody(const struct gpu *g, uint64_t address,
			   uint64_t (*find)(const struct gpu *g, uint32_t context, uint64_t address))
{
	uint64_t at = find(g, g->exec.context, address);
	const bool is_host = address >= g->limits->device_end && gpu_state(g)->n_host_addresses;
	for (uint32_t k = 0; is_host && at == address && k < GPU_CONTEXTS; k++)
		at = find(g, k, address);
	return at;
}

uint64_t gpu_device_address(const struct gpu *g, uint64_t address)
{
	return as_anybody(g, address, gpu_device_address_of);
}

uint64_t gpu_device_address_beside(const struct gpu *g, uint64_t address) { return as_anybody(g, address, beside); }

uint64_t gpu_host_address(const struct gpu *g, uint64_t address)
{
	const struct known *t = table(g);
	for (uint32_t k = 0; k < gpu_state(g)->n_host_addresses; k++)
		if (t[k].device == address)
			return t[k].host;
	return 0;
}

/* ---- validation ---- */

bool gpu_valid_host_addresses(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const uint32_t n = gpu_state(g)->n_host_addresses;
	const struct known *t = table(g);
	if (n > gpu_valid_entries(v, g->sec_host_address, sizeof *t))
		return invalid(v->what, "how many addresses of hosts there are");
	for (uint32_t k = 0; k < n; k++) {
		const struct gpu_allocation *a = gpu_piece_at(g, t[k].device);
		if (t[k].context >= GPU_CONTEXTS || !a || !a->live || t[k].bytes > a->bytes ||
		    t[k].host < g->limits->device_end || t[k].host + t[k].bytes < t[k].host ||
		    (k && (!is_above(&t[k], t[k - 1].context, t[k - 1].host) ||
			   (t[k].context == t[k - 1].context && t[k].host - t[k - 1].host < t[k - 1].bytes))))
			return invalid(v->what, "the host's address of allocation %s", a && a->live ? a->name : "?");
	}
	return true;
}
