/* Memory in rows: pitched allocations, rectangles and boxes, arrays and mipmapped arrays, texture objects. Struct layouts: driver_types.h. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

struct channels {
	int x, y, z, w, kind;
};
struct pitched {
	void *p;
	size_t pitch, width, height;
};
struct extent {
	size_t width, height, depth;
};
struct box {
	void *from_array;
	size_t from_at[3];
	struct pitched from;
	void *to_array;
	size_t to_at[3];
	struct pitched to;
	struct extent extent;
	int kind;
};

int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
int cudaMalloc3D(struct pitched *p, struct extent e);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind);
int cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
int cudaMemset3D(struct pitched p, int value, struct extent e);
int cudaMemcpy3D(const struct box *b);
struct channels cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
int cudaMallocArray(void **array, const struct channels *c, size_t width, size_t height, unsigned flags);
int cudaMalloc3DArray(void **array, const struct channels *c, struct extent e, unsigned flags);
int cudaFreeArray(void *array);
int cudaArrayGetInfo(struct channels *c, struct extent *e, unsigned *flags, void *array);
int cudaMemcpy2DToArray(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind);
int cudaMemcpy2DFromArray(void *to, size_t pitch, void *from, size_t x, size_t y, size_t width, size_t height, int kind);
int cudaMallocMipmappedArray(void **m, const struct channels *c, struct extent e, unsigned levels, unsigned flags);
int cudaGetMipmappedArrayLevel(void **array, void *m, unsigned level);
int cudaFreeMipmappedArray(void *m);
int cudaArrayGetPlane(void **plane, void *array, unsigned index), cudaArrayGetSparseProperties(void *to, void *array), cudaArrayGetMemoryRequirements(void *to, void *array, int device);
int cudaMipmappedArrayGetSparseProperties(void *to, void *mipmaps), cudaMipmappedArrayGetMemoryRequirements(void *to, void *mipmaps, int device);
int cudaCreateTextureObject(uint64_t *t, const void *resource, const void *texture, const void *view);
int cudaDestroyTextureObject(uint64_t t);

#define W 100
#define H 20
#define D 6

static unsigned char pattern(int x, int y, int z) { return (unsigned char)(x * 7 + y * 13 + z * 101 + 1); }

static void rectangles(void)
{
	static unsigned char in[H][W], out[H][2 * W];
	void *p = NULL;
	size_t pitch = 0;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			in[y][x] = pattern(x, y, 0);
	RETURNS(0, cudaMallocPitch(&p, &pitch, W, H));
	EXPECT(pitch >= W && pitch % 512 == 0);
	RETURNS(0, cudaMemset2D(p, pitch, 0xaa, pitch, H));
	RETURNS(0, cudaMemcpy2D(p, pitch, in, W, W, H, cudaMemcpyHostToDevice));
	RETURNS(0, cudaMemset2D((char *)p + 2 * pitch + 3, pitch, 0x55, 4, 2)); /* a hole: columns 3..6 of rows 2 and 3 */
	RETURNS(0, cudaMemcpy2D(out, 2 * W, p, pitch, W, H, cudaMemcpyDeviceToHost));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < 2 * W; x++) {
			const int hole = x >= 3 && x < 7 && (y == 2 || y == 3);
			EXPECT(out[y][x] == (x >= W ? 0 : hole ? 0x55 : pattern(x, y, 0)));
		}
	RETURNS(0, cudaMemcpy(out, (char *)p + W, 1, cudaMemcpyDeviceToHost));
	EXPECT(out[0][0] == 0xaa); /* between the rows */
	RETURNS(12, cudaMemcpy2D(p, pitch, in, W - 1, W, H, cudaMemcpyHostToDevice));
	RETURNS(12, cudaMemset2D(p, pitch, 0, pitch + 1, H));
	EXPECT(cudaMemcpy2D(p, pitch, in, W, W, H + 1000, cudaMemcpyHostToDevice) != 0);
	RETURNS(0, cudaMemcpy2D(p, pitch, in, W, 0, H, cudaMemcpyHostToDevice));
	RETURNS(2, cudaMallocPitch(&p, &pitch, (size_t)1 << 40, (size_t)1 << 40));
	RETURNS(0, cudaFree(p));
}

static void boxes(void)
{
	static unsigned char in[D][H][W], out[D][H][W];
	struct pitched p;
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				in[z][y][x] = pattern(x, y, z);
	RETURNS(0, cudaMalloc3D(&p, (struct extent){W, H, D}));
	EXPECT(p.width == W && p.height == H && p.pitch >= W);
	RETURNS(0, cudaMemset3D(p, 0x11, (struct extent){W, H, D}));
	/* all but the first 10 columns, 2 rows and 1 slice */
	const struct box b = {NULL, {10, 2, 1}, {in, W, W, H}, NULL, {10, 2, 1}, p, {W - 10, H - 2, D - 1}, cudaMemcpyHostToDevice};
	RETURNS(0, cudaMemcpy3D(&b));
	const struct box back = {NULL, {0}, p, NULL, {0}, {out, W, W, H}, {W, H, D}, cudaMemcpyDeviceToHost};
	RETURNS(0, cudaMemcpy3D(&back));
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				EXPECT(out[z][y][x] == (x < 10 || y < 2 || z < 1 ? 0x11 : pattern(x, y, z)));
	RETURNS(0, cudaFree(p.p));
}

static void arrays(void)
{
	static float in[H][W], out[H][W];
	const struct channels c = cudaCreateChannelDesc(32, 0, 0, 0, 2);
	struct channels got;
	struct extent e;
	unsigned flags = 9;
	void *a = NULL, *cube = NULL;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			in[y][x] = (float)(y * W + x);
	RETURNS(0, cudaMallocArray(&a, &c, W, H, 0));
	RETURNS(0, cudaArrayGetInfo(&got, &e, &flags, a));
	EXPECT(got.x == 32 && got.y == 0 && got.kind == 2 && e.width == W && e.height == H && e.depth == 0 && flags == 0);
	RETURNS(0, cudaMemcpy2DToArray(a, 0, 0, in, W * 4, W * 4, H, cudaMemcpyHostToDevice));
	RETURNS(0, cudaMemcpy2DToArray(a, 8, 1, in, W * 4, 8, 1, cudaMemcpyHostToDevice)); /* row 1: columns 2 and 3 are 0 and 1 */
	RETURNS(0, cudaMemcpy2DFromArray(out, W * 4, a, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
	in[1][2] = 0, in[1][3] = 1;
	EXPECT(memcmp(in, out, sizeof in) == 0);
	RETURNS(1, cudaMemcpy2DToArray(a, 4, 0, in, W * 4, W * 4, 1, cudaMemcpyHostToDevice)); /* past a row's end */
	RETURNS(0, cudaFreeArray(a));
	EXPECT(cudaFreeArray(a) != 0);
	EXPECT(cudaMemcpy2DToArray(a, 0, 0, in, 4, 4, 1, cudaMemcpyHostToDevice) != 0);

	RETURNS(0, cudaMalloc3DArray(&cube, &c, (struct extent){4, 5, 6}, 0));
	const struct box b = {NULL, {0}, {in, 16, 4, 5}, cube, {0}, {0}, {4, 5, 6}, cudaMemcpyHostToDevice}; /* in texels */
	RETURNS(0, cudaMemcpy3D(&b));
	const struct box back = {cube, {1, 2, 3}, {0}, NULL, {0}, {out, 8, 2, 1}, {2, 1, 1}, cudaMemcpyDeviceToHost};
	RETURNS(0, cudaMemcpy3D(&back));
	EXPECT(out[0][0] == (&in[0][0])[3 * 20 + 2 * 4 + 1] && out[0][1] == (&in[0][0])[3 * 20 + 2 * 4 + 2]);
	RETURNS(0, cudaFreeArray(cube));
	const struct channels three = cudaCreateChannelDesc(8, 8, 8, 0, 1);
	RETURNS(20, cudaMallocArray(&a, &three, 4, 4, 0));

	/* the device's attributes say that it has none of these kinds */
	char told[64];
	RETURNS(801, cudaMallocArray(&a, &c, 4, 4, 0x40)); /* cudaArraySparse */
	RETURNS(801, cudaMallocArray(&a, &c, 4, 4, 0x80)); /* cudaArrayDeferredMapping */
	RETURNS(0, cudaMallocArray(&a, &c, 4, 4, 0));
	RETURNS(1, cudaArrayGetPlane(&cube, a, 0));
	RETURNS(1, cudaArrayGetSparseProperties(told, a));
	RETURNS(1, cudaArrayGetMemoryRequirements(told, a, 0));
	RETURNS(0, cudaFreeArray(a));
	RETURNS(400, cudaArrayGetPlane(&cube, a, 0));
}

static void objects(void)
{
	const struct channels c = cudaCreateChannelDesc(8, 8, 8, 8, 1);
	void *m = NULL, *level = NULL;
	struct extent e;
	uint64_t t = 0;
	static long resource[18], texture[9];
	RETURNS(0, cudaMallocMipmappedArray(&m, &c, (struct extent){16, 8, 0}, 9, 0));
	RETURNS(0, cudaGetMipmappedArrayLevel(&level, m, 4));
	RETURNS(0, cudaArrayGetInfo(NULL, &e, NULL, level));
	EXPECT(e.width == 1 && e.height == 1 && e.depth == 0);
	RETURNS(1, cudaGetMipmappedArrayLevel(&level, m, 5));
	RETURNS(1, cudaMipmappedArrayGetSparseProperties(resource, m));
	RETURNS(1, cudaMipmappedArrayGetMemoryRequirements(resource, m, 0));
	RETURNS(0, cudaGetMipmappedArrayLevel(&level, m, 0));
	resource[1] = (long)level;
	RETURNS(0, cudaCreateTextureObject(&t, resource, texture, NULL));
	EXPECT(t != 0);
	RETURNS(0, cudaDestroyTextureObject(t));
	EXPECT(cudaDestroyTextureObject(t) != 0);
	resource[1] = 0x1234;
	EXPECT(cudaCreateTextureObject(&t, resource, texture, NULL) != 0);
	RETURNS(0, cudaFreeMipmappedArray(m));
	EXPECT(cudaFreeMipmappedArray(m) != 0);
}

int main(void)
{
	rectangles();
	boxes();
	arrays();
	objects();
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
