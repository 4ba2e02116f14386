/* Virtual memory at random, against a model: handles are made, mapped, made accessible or not, or only for reading, written, unmapped, released; what each call returns and what each
 * piece holds is known. `virtual_random SEED STEPS` */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef uint64_t ptr;
struct properties {
	int type, handles, location, device;
	void *of_windows;
	unsigned char more[8];
};
struct access {
	int location, device, flags;
};
int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuMemGetInfo_v2(size_t *, size_t *);
int cuMemAddressReserve(ptr *, size_t, size_t, ptr, unsigned long long), cuMemAddressFree(ptr, size_t), cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long);
int cuMemRelease(uint64_t), cuMemMap(ptr, size_t, size_t, uint64_t, unsigned long long), cuMemUnmap(ptr, size_t), cuMemSetAccess(ptr, size_t, const struct access *, size_t);
int cuMemcpyHtoD_v2(ptr, const void *, size_t), cuMemcpyDtoH_v2(void *, ptr, size_t), cuMemRetainAllocationHandle(uint64_t *, void *);

enum { RANGES = 2, GRAINS = 10, HANDLES = 6, LARGEST = 3, INVALID = 1, NOT_SUPPORTED = 801 };
#define GRAIN ((size_t)2 << 20)

static struct handle {
	uint64_t handle;
	int held, grains, mapped_grains; /* held: by the program */
	int range, first;		 /* where it is mapped; range -1: nowhere */
	int access; /* CUmemAccess_flags */
	unsigned value[LARGEST];
} handles[HANDLES];
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

static int exists(const struct handle *h) { return h->held || h->range >= 0; }

/* Whose mapping has a grain; NULL: none. */
static struct handle *at(int r, int grain)
{
	for (int k = 0; k < HANDLES; k++)
		if (exists(&handles[k]) && handles[k].range == r && grain >= handles[k].first && grain < handles[k].first + handles[k].mapped_grains)
			return &handles[k];
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
	const struct properties p = {.type = 1, .location = 1};
	if (exists(h))
		return;
	*h = (struct handle){.held = 1, .grains = 1 + draw(LARGEST), .range = -1};
	RETURNS(0, cuMemCreate(&h->handle, (size_t)h->grains * GRAIN, &p, 0));
}

static void release(struct handle *h)
{
	if (!h->handle)
		return;
	RETURNS(h->held ? 0 : INVALID, cuMemRelease(h->handle));
	h->held -= h->held > 0;
}

static void map(struct handle *h)
{
	const int r = draw(RANGES), first = draw(GRAINS), n = 1 + draw(LARGEST);
	if (!h->handle)
		return;
	int wanted = h->held && n <= h->grains && first + n <= GRAINS ? 0 : INVALID;
	for (int k = first; k < first + n; k++)
		wanted = at(r, k) ? INVALID : wanted;
	if (!wanted && h->range >= 0)
		wanted = NOT_SUPPORTED;
	RETURNS(wanted, cuMemMap(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN, 0, h->handle, 0));
	if (wanted)
		return;
	h->range = r;
	h->first = first;
	h->mapped_grains = n;
	h->access = 0;
}

/* From a place on, so many grains; those of whole mappings, one after the other? */
static int is_whole(int r, int first, int n)
{
	for (int k = first; k < first + n;) {
		const struct handle *h = k < GRAINS ? at(r, k) : NULL;
		if (!h || h->first != k || k + h->mapped_grains > first + n)
			return 0;
		k += h->mapped_grains;
	}
	return 1;
}

static void each(int unmap)
{
	const int r = draw(RANGES), first = draw(GRAINS), allowed = (int[]){0, 1, 3, 3}[draw(4)];
	struct handle *h = at(r, first);
	const int n = h && draw(4) ? h->first + h->mapped_grains - first + draw(2) : 1 + draw(4), whole = is_whole(r, first, n);
	const struct access a = {1, 0, allowed};
	RETURNS(whole ? 0 : INVALID, unmap ? cuMemUnmap(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN) : cuMemSetAccess(range[r] + (ptr)first * GRAIN, (size_t)n * GRAIN, &a, 1));
	for (int k = first; whole && k < first + n;) {
		h = at(r, k);
		k += h->mapped_grains;
		if (unmap) {
			h->range = -1;
			if (!h->held)
				h->handle = 0;
		} else {
			h->access = allowed;
		}
	}
}

static void use(void)
{
	const int r = draw(RANGES), grain = draw(GRAINS), writes = draw(2);
	const ptr word = range[r] + (ptr)grain * GRAIN + 4 * 1000;
	struct handle *h = at(r, grain);
	const int wanted = h && h->access > writes ? 0 : INVALID;
	unsigned value = (unsigned)draw(1000000), got = 0;
	uint64_t same = 0;
	RETURNS(h ? 0 : INVALID, cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)word));
	if (h) {
		EXPECT(same == h->handle);
		RETURNS(0, cuMemRelease(same));
	}
	RETURNS(wanted, writes ? cuMemcpyHtoD_v2(word, &value, 4) : cuMemcpyDtoH_v2(&got, word, 4));
	if (wanted)
		return;
	if (writes)
		h->value[grain - h->first] = value;
	else
		EXPECT(got == h->value[grain - h->first]);
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
		switch (draw(8)) {
		case 0: create(h); break;
		case 1: release(h); break;
		case 2: map(h); break;
		case 3: each(1); break;
		case 4: each(0); break;
		default: use();
		}
		check_left();
	}
	if (!failures)
		puts("PASSED");
	return failures != 0;
}
