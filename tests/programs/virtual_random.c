/* Virtual memory at random, against a model: handles are made, mapped, also several times, made accessible or not, or only for reading, written, unmapped, released; what each call returns
 * and what each piece holds, by whichever address, is known. `virtual_random SEED STEPS` */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "virtual.h"

enum { RANGES = 2, GRAINS = 10, HANDLES = 6, LARGEST = 3, MAPPINGS = RANGES * GRAINS };

static struct handle {
	uint64_t handle;
	int held, grains; /* held: so often by the program */
	unsigned value[LARGEST][2]; /* the first word of a grain, the last one */
} handles[HANDLES];
static struct mapping {
	struct handle *of; /* NULL: there is none */
	int range, first, grains, access;
} mappings[MAPPINGS];
static ptr range[RANGES];
static size_t all;
static uint64_t state;

static int draw(int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)((state >> 33) % (unsigned)below);
}

static int is_mapped(const struct handle *h)
{
	int n = 0;
	for (int k = 0; k < MAPPINGS; k++)
		n += mappings[k].of == h;
	return n;
}

static int exists(const struct handle *h) { return h->held || is_mapped(h); }

/* What has a grain; NULL: nothing. */
static struct mapping *at(int r, int grain)
{
	for (int k = 0; k < MAPPINGS; k++) {
		struct mapping *m = &mappings[k];
		if (m->of && m->range == r && grain >= m->first && grain < m->first + m->grains)
			return m;
	}
	return NULL;
}

static void check_left(void)
{
	size_t left, total, used = 0;
	for (int k = 0; k < HANDLES; k++)
		used += exists(&handles[k]) ? (size_t)handles[k].grains * GRAIN : 0;
	RETURNS(0, cuMemGetInfo_v2(&left, &total));
	EXPECT(all - left == used);
}

static void create(struct handle *h)
{
	if (exists(h))
		return;
	*h = (struct handle){.held = 1, .grains = 1 + draw(LARGEST)};
	RETURNS(0, cuMemCreate(&h->handle, (size_t)h->grains * GRAIN, &of_device, 0));
}

static void release(struct handle *h)
{
	if (!h->handle)
		return;
	RETURNS(h->held ? 0 : INVALID_VALUE, cuMemRelease(h->handle));
	h->held -= h->held > 0;
}

static void map(struct handle *h)
{
	const int r = draw(RANGES), first = draw(GRAINS), n = 1 + draw(LARGEST);
	struct mapping *m = mappings;
	if (!h->handle)
		return;
	int wanted = h->held && n <= h->grains && first + n <= GRAINS ? 0 : INVALID_VALUE;
	for (int k = first; k < first + n; k++)
		wanted = at(r, k) ? INVALID_VALUE : wanted;
	RETURNS(wanted, cuMemMap(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN, 0, h->handle, 0));
	if (wanted)
		return;
	while (m->of)
		m++;
	*m = (struct mapping){.of = h, .range = r, .first = first, .grains = n};
}

/* From a place on, so many grains; those of whole mappings, one after the other? */
static int is_whole(int r, int first, int n)
{
	for (int k = first; k < first + n;) {
		const struct mapping *m = k < GRAINS ? at(r, k) : NULL;
		if (!m || m->first != k || k + m->grains > first + n)
			return 0;
		k += m->grains;
	}
	return 1;
}

static void each(int unmap)
{
	const int r = draw(RANGES), first = draw(GRAINS), allowed = (int[]){0, READ, READ_WRITE, READ_WRITE}[draw(4)];
	struct mapping *m = at(r, first);
	const int n = m && draw(4) ? m->first + m->grains - first + draw(2) : 1 + draw(4), whole = is_whole(r, first, n);
	const struct access a = {{DEVICE, 0}, allowed};
	RETURNS(whole ? 0 : INVALID_VALUE, unmap ? cuMemUnmap(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN) : cuMemSetAccess(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN, &a, 1));
	for (int k = first; whole && k < first + n;) {
		m = at(r, k);
		k += m->grains;
		if (!unmap) {
			m->access = allowed;
			continue;
		}
		struct handle *h = m->of;
		m->of = NULL;
		if (!exists(h))
			h->handle = 0;
	}
}

static void retain(int r, int grain)
{
	const struct mapping *m = at(r, grain);
	uint64_t same = 0;
	RETURNS(m ? 0 : INVALID_VALUE, cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)(range[r] + (ptr)grain * GRAIN + 9)));
	if (!m)
		return;
	EXPECT(same == m->of->handle);
	RETURNS(0, cuMemRelease(same));
}

static unsigned *word(int r, int grain, int last)
{
	const struct mapping *m = at(r, grain);
	return &m->of->value[grain - m->first][last];
}

/* One word, or the last of a grain and the first of the next. */
static void use(void)
{
	const int r = draw(RANGES), grain = draw(GRAINS), writes = draw(2), last = draw(2), n = last ? 1 + draw(2) : 1;
	const ptr p = range[r] + (ptr)grain * GRAIN + (last ? GRAIN - 4 : 0);
	int wanted = grain + n <= GRAINS ? 0 : INVALID_VALUE;
	for (int k = grain; !wanted && k < grain + n; k++)
		wanted = at(r, k) && at(r, k)->access > writes ? 0 : INVALID_VALUE;
	unsigned value[2] = {(unsigned)draw(1000000), (unsigned)draw(1000000)}, got[2];
	retain(r, grain);
	RETURNS(wanted, writes ? cuMemcpyHtoD_v2(p, value, 4 * (size_t)n) : cuMemcpyDtoH_v2(got, p, 4 * (size_t)n));
	for (int k = 0; !wanted && k < n; k++) {
		unsigned *const known = word(r, grain + k, last && !k);
		if (writes)
			*known = value[k];
		else
			EXPECT(got[k] == *known);
	}
}

int main(int argc, char **argv)
{
	void *context;
	size_t total;
	state = (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) * UINT64_C(0x9E3779B97F4A7C15) + 1;
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(0, cuMemGetInfo_v2(&all, &total));
	for (int k = 0; k < RANGES; k++)
		RETURNS(0, cuMemAddressReserve(&range[k], GRAINS * GRAIN, 0, 0, 0));
	for (int k = argc > 2 ? atoi(argv[2]) : 1000; k > 0 && failures < 20; k--) {
		struct handle *h = &handles[draw(HANDLES)];
		switch (draw(10)) {
		case 0: create(h); break;
		case 1: release(h); break;
		case 2:
		case 3: map(h); break;
		case 4: each(1); break;
		case 5: each(0); break;
		default: use();
		}
		check_left();
	}
	if (!failures)
		puts("PASSED");
	return failures != 0;
}
