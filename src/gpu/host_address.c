/* Memory of the host that the device knows by the host's own address as well (cudaHostRegister). Kernels and the debugger may use
 * either; everything inside goes by the device's. The table is sorted by the host's address. */
#include <string.h>

#include "gpu/internal.h"

#define BESIDE UINT64_C(256) /* a wrong address this close to a piece is taken for one that was to be in it */

struct known {
	uint64_t host, bytes, device;
};

static struct known *table(const struct gpu *g) { return arena_at(&g->arena, g->sec_host_address, 0); }

/* Index of the first one above an address of the host's. */
static uint32_t above(const struct gpu *g, uint64_t host)
{
	const struct known *t = table(g);
	uint32_t lo = 0, hi = gpu_state(g)->n_host_addresses;
	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;
		if (t[mid].host <= host)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool gpu_set_host_address(struct gpu *g, uint64_t address, uint64_t host)
{
	struct gpu_state *s = gpu_state(g);
	const struct gpu_allocation *a = gpu_piece_at(g, address);
	if (!a || !a->live || host < g->limits->device_end || host + a->bytes < host ||
	    !arena_use(&g->arena, g->sec_host_address, (s->n_host_addresses + 1) * sizeof(struct known)))
		return false;
	struct known *t = table(g);
	const uint32_t at = above(g, host);
	if ((at && host - t[at - 1].host < t[at - 1].bytes) ||
	    (at < s->n_host_addresses && t[at].host - host < a->bytes))
		return false;
	memmove(&t[at + 1], &t[at], (s->n_host_addresses - at) * sizeof *t);
	t[at] = (struct known){.host = host, .bytes = a->bytes, .device = address};
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

uint64_t gpu_device_address(const struct gpu *g, uint64_t address)
{
	const uint32_t k = above(g, address);
	const struct known *t = table(g);
	return k && address - t[k - 1].host < t[k - 1].bytes ? t[k - 1].device + (address - t[k - 1].host) : address;
}

uint64_t gpu_device_address_beside(const struct gpu *g, uint64_t address)
{
	const uint32_t k = above(g, address), n = gpu_state(g)->n_host_addresses;
	const struct known *t = table(g);
	if (k && address - t[k - 1].host < t[k - 1].bytes + BESIDE)
		return t[k - 1].device + (address - t[k - 1].host);
	return k < n && t[k].host - address <= BESIDE ? t[k].device - (t[k].host - address) : address;
}

uint64_t gpu_host_address(const struct gpu *g, uint64_t address)
{
	const struct known *t = table(g);
	for (uint32_t k = 0; k < gpu_state(g)->n_host_addresses; k++)
		if (t[k].device == address)
			return t[k].host;
	return 0;
}
