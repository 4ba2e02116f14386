/* What is advised for managed memory, and asked for: by pages, for all of a range; prefetches of many at once. As of toolkit 13. */
#include "checks.h"

FIXTURE("kernels.ptx")

struct place {
	int type, id;
};
enum { NOWHERE, DEVICE, HOST, INVALID_VALUE = 1, INVALID_DEVICE = 101, CPU = -1, NO_DEVICE = -2, PAGE = 4096 };
enum { SET_READ_MOSTLY = 1, UNSET_READ_MOSTLY, SET_PREFERRED, UNSET_PREFERRED, SET_ACCESSED_BY, UNSET_ACCESSED_BY };
enum { READ_MOSTLY = 1, PREFERRED, ACCESSED_BY, PREFETCHED, PREFERRED_TYPE, PREFERRED_ID, PREFETCHED_TYPE, PREFETCHED_ID };

int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaMemAdvise(const void *p, size_t n, int advice, struct place place), cudaMemPrefetchAsync(const void *p, size_t n, struct place place, unsigned flags, cudaStream_t s);
int cudaMemPrefetchBatchAsync(void **p, size_t *bytes, size_t n, struct place *place, size_t *index, size_t n_places, unsigned long long flags, cudaStream_t s);
int cudaMemDiscardBatchAsync(void **p, size_t *bytes, size_t n, unsigned long long flags, cudaStream_t s);
int cudaMemRangeGetAttribute(void *to, size_t n, int attribute, const void *p, size_t bytes);
int cudaMemRangeGetAttributes(void **to, size_t *n, int *attribute, size_t n_attributes, const void *p, size_t bytes);

static const struct place device = {DEVICE, 0}, host = {HOST, 0};
static char *p;

static int get(int attribute, size_t first, size_t pages)
{
	int value = 99;
	RETURNS(0, cudaMemRangeGetAttribute(&value, sizeof value, attribute, p + first * PAGE, pages * PAGE));
	return value;
}

static void advice(void)
{
	int by[3], type, id;
	EXPECT(get(READ_MOSTLY, 0, 8) == 0 && get(PREFERRED, 0, 8) == NO_DEVICE && get(PREFETCHED, 0, 8) == NO_DEVICE && get(PREFERRED_TYPE, 0, 8) == NOWHERE);
	RETURNS(0, cudaMemAdvise(p + 2 * PAGE, 4 * PAGE, SET_READ_MOSTLY, device));
	EXPECT(get(READ_MOSTLY, 2, 4) == 1 && get(READ_MOSTLY, 3, 1) == 1 && get(READ_MOSTLY, 2, 5) == 0 && get(READ_MOSTLY, 1, 2) == 0);
	RETURNS(0, cudaMemAdvise(p + 3 * PAGE, 1, UNSET_READ_MOSTLY, device)); /* the whole page */
	EXPECT(get(READ_MOSTLY, 2, 1) == 1 && get(READ_MOSTLY, 3, 1) == 0 && get(READ_MOSTLY, 4, 2) == 1 && get(READ_MOSTLY, 2, 4) == 0);
	RETURNS(0, cudaMemAdvise(p, 4 * PAGE, SET_PREFERRED, device));
	RETURNS(0, cudaMemAdvise(p + 4 * PAGE, 4 * PAGE, SET_PREFERRED, host));
	EXPECT(get(PREFERRED, 0, 4) == 0 && get(PREFERRED, 4, 4) == CPU && get(PREFERRED, 3, 2) == NO_DEVICE);
	EXPECT(get(PREFERRED_TYPE, 0, 4) == DEVICE && get(PREFERRED_ID, 0, 4) == 0 && get(PREFERRED_TYPE, 4, 4) == HOST && get(PREFERRED_TYPE, 0, 8) == NOWHERE);
	RETURNS(0, cudaMemAdvise(p, PAGE, UNSET_PREFERRED, device));
	EXPECT(get(PREFERRED, 0, 1) == NO_DEVICE && get(PREFERRED, 1, 3) == 0);
	RETURNS(0, cudaMemAdvise(p, 8 * PAGE, SET_ACCESSED_BY, host));
	RETURNS(0, cudaMemAdvise(p, 2 * PAGE, SET_ACCESSED_BY, device));
	RETURNS(0, cudaMemRangeGetAttribute(by, sizeof by, ACCESSED_BY, p, 2 * PAGE));
	EXPECT(by[0] == 0 && by[1] == CPU && by[2] == NO_DEVICE);
	RETURNS(0, cudaMemRangeGetAttribute(by, sizeof by, ACCESSED_BY, p, 3 * PAGE));
	EXPECT(by[0] == CPU && by[1] == NO_DEVICE);
	RETURNS(0, cudaMemAdvise(p, 8 * PAGE, UNSET_ACCESSED_BY, host));
	RETURNS(0, cudaMemRangeGetAttribute(by, 4, ACCESSED_BY, p + PAGE, 8));
	EXPECT(by[0] == 0);
	RETURNS(0, cudaMemPrefetchAsync(p, 5000, device, 0, NULL));
	EXPECT(get(PREFETCHED, 0, 2) == 0 && get(PREFETCHED, 1, 2) == NO_DEVICE);
	RETURNS(0, cudaMemRangeGetAttributes((void *[]){&type, &id}, (size_t[]){4, 4}, (int[]){PREFETCHED_TYPE, PREFETCHED_ID}, 2, p, 100));
	EXPECT(type == DEVICE && id == 0);
	/* wrong ones */
	char *mine;
	RETURNS(0, cudaMalloc((void **)&mine, PAGE));
	RETURNS(INVALID_VALUE, cudaMemAdvise(mine, PAGE, SET_READ_MOSTLY, device));
	RETURNS(INVALID_VALUE, cudaMemAdvise(p, 9 * PAGE, SET_READ_MOSTLY, device));
	RETURNS(INVALID_VALUE, cudaMemAdvise(p, 0, SET_READ_MOSTLY, device));
	RETURNS(INVALID_VALUE, cudaMemAdvise(p, PAGE, 7, device));
	RETURNS(INVALID_DEVICE, cudaMemAdvise(p, PAGE, SET_PREFERRED, (struct place){DEVICE, 1}));
	RETURNS(INVALID_DEVICE, cudaMemPrefetchAsync(p, PAGE, (struct place){DEVICE, 1}, 0, NULL));
	RETURNS(INVALID_VALUE, cudaMemRangeGetAttribute(&type, 8, READ_MOSTLY, p, PAGE));
	RETURNS(INVALID_VALUE, cudaMemRangeGetAttribute(&type, 4, 9, p, PAGE));
	RETURNS(0, cudaFree(mine));
}

static void many(void)
{
	struct place places[2] = {device, host};
	RETURNS(0, cudaMemPrefetchBatchAsync((void *[]){p, p + 2 * PAGE, p + 4 * PAGE}, (size_t[]){PAGE, PAGE, PAGE}, 3, places, (size_t[]){0, 2}, 2, 0, NULL));
	EXPECT(get(PREFETCHED, 0, 1) == 0 && get(PREFETCHED, 2, 1) == 0 && get(PREFETCHED, 4, 1) == CPU && get(PREFETCHED, 3, 1) == NO_DEVICE);
	RETURNS(0, cudaMemDiscardBatchAsync((void *[]){p}, (size_t[]){PAGE}, 1, 0, NULL));
	RETURNS(INVALID_VALUE, cudaMemDiscardBatchAsync((void *[]){p}, (size_t[]){PAGE}, 1, 1, NULL));
}

int main(void)
{
	RETURNS(0, cudaMallocManaged((void **)&p, 8 * PAGE, 1));
	advice();
	many();
	RETURNS(0, cudaFree(p));
	/* new memory has no advice, where the old one was, too */
	RETURNS(0, cudaMallocManaged((void **)&p, 8 * PAGE, 1));
	EXPECT(get(PREFERRED, 4, 4) == NO_DEVICE && get(READ_MOSTLY, 4, 1) == 0);
	return verdict();
}
