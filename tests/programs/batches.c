/* Copies of many pieces, or boxes, by one call: between pointers and arrays, with distances and without, captured; what is refused. Layouts: driver_types.h. */
#include "checks.h"

FIXTURE("kernels.ptx")

struct location {
	int type, id;
};
struct attributes {
	int order;
	struct location from, to;
	unsigned flags;
};
struct operand {
	int type;
	union {
		struct {
			void *p;
			size_t row, rows;
			struct location hint;
		} pointer;
		struct {
			void *array;
			size_t x, y, z;
		} array;
	};
};
struct box {
	struct operand from, to;
	size_t width, height, depth;
	int order;
	unsigned flags;
};
struct channels {
	int x, y, z, w, kind;
};
struct extent {
	size_t width, height, depth;
};
enum { IN_ORDER = 1, DURING_CALL, ANY_ORDER, POINTER = 1, ARRAY, INVALID_VALUE = 1, INVALID_HANDLE = 400 };
#define LEGACY ((cudaStream_t)1)
#define PER_THREAD ((cudaStream_t)2)

int cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t n, const struct attributes *attributes, const size_t *index, size_t n_attributes, cudaStream_t s);
int cudaMemcpy3DBatchAsync(size_t n, const struct box *box, unsigned long long flags, cudaStream_t s);
int cudaMalloc3DArray(void **array, const struct channels *c, struct extent e, unsigned flags), cudaFreeArray(void *array);
int cudaStreamBeginCapture(cudaStream_t s, int mode), cudaStreamEndCapture(cudaStream_t s, void **graph);
int cudaGraphInstantiate(void **to, void *graph, unsigned long long flags), cudaGraphLaunch(void *graph, cudaStream_t s);

static cudaStream_t s;

static void pieces(void)
{
	static const struct attributes attributes[2] = {{.order = DURING_CALL}, {.order = IN_ORDER}}, none = {0};
	int a[2] = {5, 6}, b[3] = {7, 8, 9}, back[5] = {0}, *d;
	const size_t bytes[] = {sizeof a, sizeof b}, first[] = {0, 1}, wrong[] = {1, 0}, far[] = {0, 2};
	const void *from[] = {a, b};
	RETURNS(0, cudaMalloc((void **)&d, sizeof back));
	void *to[] = {d, d + 2}, *outside[] = {d, d + 4};
	RETURNS(0, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, first, 2, s));
	a[0] = b[0] = 0; /* they have been read */
	RETURNS(0, cudaStreamSynchronize(s));
	RETURNS(0, cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
	for (int k = 0; k < 5; k++)
		EXPECT(back[k] == 5 + k);
	RETURNS(0, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, first, 1, PER_THREAD));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, first, 1, NULL));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, first, 1, LEGACY));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, NULL, NULL, 0, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, wrong, 1, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, wrong + 1, 2, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, far, 2, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 1, attributes, first, 2, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 2, &none, first, 1, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(outside, from, bytes, 2, attributes, first, 1, s));
	RETURNS(INVALID_VALUE, cudaMemcpyBatchAsync(to, from, bytes, 0, attributes, first, 0, s));
	RETURNS(0, cudaFree(d));
}

enum { W = 7, H = 5, D = 3 };

static struct operand at(void *p, size_t row, size_t rows) { return (struct operand){.type = POINTER, .pointer = {p, row, rows, {0, 0}}}; }
static struct operand in(void *array, size_t x, size_t y, size_t z) { return (struct operand){.type = ARRAY, .array = {array, x, y, z}}; }

/* From a box of the program's into memory with gaps, from there into an array of pairs, from there into another one, and back. */
static void boxes(void)
{
	static int host[D][H][W][2], back[D][H][W][2];
	const struct channels pairs = {32, 32, 0, 0, 0}, single = {32, 0, 0, 0, 0};
	void *x, *y, *z;
	char *d;
	for (int k = 0; k < W * H * D * 2; k++)
		(&host[0][0][0][0])[k] = 3 * k + 1;
	RETURNS(0, cudaMalloc((void **)&d, 100 * 9 * D));
	RETURNS(0, cudaMemset(d, 0xee, 100 * 9 * D));
	RETURNS(0, cudaMalloc3DArray(&x, &pairs, (struct extent){W + 1, H + 1, D + 1}, 0));
	RETURNS(0, cudaMalloc3DArray(&y, &pairs, (struct extent){W, H, D}, 0));
	RETURNS(0, cudaMalloc3DArray(&z, &single, (struct extent){W, H, D}, 0));
	const struct box steps[] = {{at(host, 0, 0), at(d, 100, 9), W * 8, H, D, IN_ORDER, 0}, /* bytes */
				    {at(d, 0, 0), in(x, 0, 0, 0), W, 1, 1, ANY_ORDER, 0},	/* texels */
				    {in(x, 1, 1, 1), in(y, 0, 0, 0), W, H, D, IN_ORDER, 0},
				    {in(y, 0, 0, 0), at(back, W, H), W, H, D, IN_ORDER, 0}};
	RETURNS(0, cudaMemcpy3DBatchAsync(1, &steps[0], 0, s));
	for (int k = 0; k < D; k++) /* 100 isn't a whole number of texels: row by row */
		for (int j = 0; j < H; j++)
			RETURNS(0, cudaMemcpy3DBatchAsync(1, &(struct box){at(d + k * 900 + j * 100, 0, 0), in(x, 1, 1 + (size_t)j, 1 + (size_t)k), W, 1, 1, IN_ORDER, 0}, 0, s));
	RETURNS(0, cudaMemcpy3DBatchAsync(2, &steps[1], 0, s));
	RETURNS(0, cudaMemcpy3DBatchAsync(1, &steps[3], 0, s));
	RETURNS(0, cudaStreamSynchronize(s));
	EXPECT(!memcmp(host, back, sizeof host));
	/* with gaps, by the last row of a slice, too */
	memset(back, 0, sizeof back);
	RETURNS(0, cudaMemcpy3DBatchAsync(1, &(struct box){at(d, 100, 9), at(back, 0, 0), W * 8, H, D, IN_ORDER, 0}, 0, s));
	RETURNS(0, cudaStreamSynchronize(s));
	EXPECT(!memcmp(host, back, sizeof host));

	struct box wrong = steps[2];
	wrong.width = 0;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[2], wrong.order = 0;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[2], wrong.to.array.array = z; /* texels of another size */
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[2], wrong.to.array.x = 1;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[3], wrong.to.pointer.row = W - 1;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[3], wrong.to.pointer.rows = H - 1;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	wrong = steps[3], wrong.from.type = 3;
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, &wrong, 0, s));
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, steps, 1, s));
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(0, steps, 0, s));
	RETURNS(INVALID_VALUE, cudaMemcpy3DBatchAsync(1, steps, 0, NULL));
	RETURNS(0, cudaFreeArray(y));
	RETURNS(INVALID_HANDLE, cudaMemcpy3DBatchAsync(1, &steps[2], 0, s));

	/* captured */
	void *graph, *run;
	memset(back, 0, sizeof back);
	RETURNS(0, cudaStreamBeginCapture(s, 0));
	RETURNS(0, cudaMemcpy3DBatchAsync(1, &(struct box){in(x, 1, 1, 1), at(back, 0, 0), W, H, D, IN_ORDER, 0}, 0, s));
	RETURNS(0, cudaStreamEndCapture(s, &graph));
	EXPECT(back[0][0][0][0] == 0);
	RETURNS(0, cudaGraphInstantiate(&run, graph, 0));
	RETURNS(0, cudaGraphLaunch(run, s));
	RETURNS(0, cudaStreamSynchronize(s));
	/* step 1 wrote the first texels of the array, which aren't of the box */
	EXPECT(!memcmp(host, back, sizeof host));
}

int main(void)
{
	RETURNS(0, cudaStreamCreate(&s));
	pieces();
	boxes();
	return verdict();
}
