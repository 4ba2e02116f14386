/* The driver API's memory in rows and arrays, what it tells of pointers, launches in steps, 2D copies in streams that are captured. Layouts: cuda.h. */

#include "driver.h"

struct side_2d {
	size_t x, y;
	unsigned type;
	void *host;
	ptr device;
	void *array;
	size_t pitch;
};
struct copy_2d {
	struct side_2d from, to;
	size_t bytes, rows;
};
struct descriptor {
	size_t width, height;
	unsigned format, channels;
};
struct descriptor_3d {
	size_t width, height, depth;
	unsigned format, channels, flags;
};
enum { HOST = 1, DEVICE, ARRAY, UNIFIED, FLOAT = 0x20, UNSIGNED_8 = 1, INVALID_VALUE = 1, INVALID_HANDLE = 400 };

int cuMemAllocPitch_v2(ptr *, size_t *, size_t, size_t, unsigned);
int cuMemAllocManaged(ptr *, size_t, unsigned);
int cuMemcpy2D_v2(const struct copy_2d *), cuMemcpy2DUnaligned_v2(const struct copy_2d *), cuMemcpy2DAsync_v2(const struct copy_2d *, void *);
int cuMemcpy3D_v2(const struct copy_3d *), cuMemcpy3DAsync_v2(const struct copy_3d *, void *);
int cuArrayCreate_v2(void **, const struct descriptor *), cuArray3DCreate_v2(void **, const struct descriptor_3d *), cuArrayDestroy(void *);
int cuArrayGetDescriptor_v2(struct descriptor *, void *), cuArray3DGetDescriptor_v2(struct descriptor_3d *, void *);
int cuMemcpyHtoA_v2(void *, size_t, const void *, size_t), cuMemcpyAtoH_v2(void *, void *, size_t, size_t), cuMemcpyAtoA_v2(void *, size_t, void *, size_t, size_t);
int cuMemcpyDtoA_v2(void *, size_t, ptr, size_t), cuMemcpyAtoD_v2(ptr, void *, size_t, size_t);
int cuMemsetD2D8_v2(ptr, size_t, unsigned char, size_t, size_t), cuMemsetD2D32_v2(ptr, size_t, unsigned, size_t, size_t);
int cuMemsetD2D16Async(ptr, size_t, unsigned short, size_t, size_t, void *);
int cuPointerGetAttribute(void *, int, ptr), cuPointerGetAttributes(unsigned, const int *, void **, ptr), cuMemGetAddressRange_v2(ptr *, size_t *, ptr);
int cuGraphAddMemcpyNode(void **, void *, void *const *, size_t, const struct copy_3d *, void *);
int cuGraphInstantiateWithParams(void **, void *, void *), cuGraphAddEmptyNode(void **, void *, void *const *, size_t), cuGraphAddDependencies(void *, void *const *, void *const *, size_t);
int cuFuncSetBlockShape(void *, int, int, int), cuFuncSetSharedSize(void *, unsigned), cuParamSetSize(void *, unsigned), cuParamSetv(void *, int, void *, unsigned);
int cuLaunchGrid(void *, int, int), cuDeviceGetProperties(int *, int);
int cuTexObjectCreate(uint64_t *, const void *, const void *, const void *), cuTexObjectDestroy(uint64_t), cuGetExportTable(const void **, const void *);

#define W 24
#define H 10
#define D 3
static unsigned char in[D][H][W], out[D][H][W];

static void make_input(void)
{
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				in[z][y][x] = (unsigned char)(x * 7 + y * 13 + z * 101 + 1);
}

/* A part of in to the same place in out by way of the device: rows 2..6, bytes 5..14 */
static void check_part(void)
{
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			EXPECT(out[0][y][x] == (y >= 2 && y < 7 && x >= 5 && x < 15 ? in[0][y][x] : 0));
}

static void rectangles(void *stream)
{
	ptr p;
	size_t pitch;
	RETURNS(0, cuMemAllocPitch_v2(&p, &pitch, W, H, 4));
	RETURNS(INVALID_VALUE, cuMemAllocPitch_v2(&p, &pitch, W, H, 3));
	EXPECT(pitch >= W && pitch % 256 == 0);
	struct copy_2d down = {{5, 2, HOST, in, 0, NULL, W}, {3, 1, DEVICE, NULL, p, NULL, pitch}, 10, 5}, up = {down.to, {5, 2, HOST, out, 0, NULL, W}, 10, 5};
	RETURNS(0, cuMemcpy2D_v2(&down));
	RETURNS(0, cuMemcpy2DUnaligned_v2(&up));
	check_part();
	memset(out, 0, sizeof out);
	up.from.type = up.to.type = UNIFIED;
	up.to.device = (ptr)(uintptr_t)out;
	RETURNS(0, cuMemcpy2DAsync_v2(&up, stream));
	RETURNS(0, cuStreamSynchronize(stream));
	check_part();
	down.from.pitch = 14; /* 5 + 10 bytes don't fit */
	RETURNS(INVALID_VALUE, cuMemcpy2D_v2(&down));
	down.from.type = 9;
	RETURNS(INVALID_VALUE, cuMemcpy2D_v2(&down));
	RETURNS(INVALID_VALUE, cuMemcpy2D_v2(NULL));

	/* fills: 3 words in each of 4 rows */
	unsigned words[4][6];
	RETURNS(0, cuMemsetD2D8_v2(p, pitch, 0x11, W, 4));
	RETURNS(0, cuMemsetD2D32_v2(p + 4, pitch, 0xabcd, 3, 4));
	RETURNS(0, cuMemsetD2D16Async(p + 20, pitch, 0x2233, 2, 4, stream));
	const struct copy_2d back = {{0, 0, DEVICE, NULL, p, NULL, pitch}, {0, 0, HOST, words, 0, NULL, W}, W, 4};
	RETURNS(0, cuCtxSynchronize());
	RETURNS(0, cuMemcpy2D_v2(&back));
	for (int y = 0; y < 4; y++)
		EXPECT(words[y][0] == 0x11111111 && words[y][1] == 0xabcd && words[y][3] == 0xabcd && words[y][4] == 0x11111111 && words[y][5] == 0x22332233);
	RETURNS(0, cuMemFree_v2(p));
}

static void arrays(void)
{
	void *a, *b, *box;
	struct descriptor d = {W / 4, H, FLOAT, 1}, got;
	struct descriptor_3d cube = {W, H, D, UNSIGNED_8, 1, 0}, got_3d;
	RETURNS(0, cuArrayCreate_v2(&a, &d));
	RETURNS(0, cuArrayCreate_v2(&b, &d));
	RETURNS(0, cuArray3DCreate_v2(&box, &cube));
	RETURNS(INVALID_VALUE, cuArrayCreate_v2(&a, &(struct descriptor){4, 4, 7, 1}));
	RETURNS(INVALID_VALUE, cuArrayCreate_v2(&a, &(struct descriptor){4, 4, FLOAT, 3}));
	RETURNS(0, cuArrayGetDescriptor_v2(&got, a));
	EXPECT(got.width == W / 4 && got.height == H && got.format == FLOAT && got.channels == 1);
	RETURNS(0, cuArray3DGetDescriptor_v2(&got_3d, box));
	EXPECT(got_3d.width == W && got_3d.depth == D && got_3d.format == UNSIGNED_8);

	/* host to array, array to array, array to host */
	memset(out, 0, sizeof out);
	const struct copy_2d to = {{4, 1, HOST, in, 0, NULL, W}, {8, 3, ARRAY, NULL, 0, a, 0}, 12, 5};
	const struct copy_2d over = {{8, 3, ARRAY, NULL, 0, a, 0}, {0, 0, ARRAY, NULL, 0, b, 0}, 12, 5};
	const struct copy_2d from = {{0, 0, ARRAY, NULL, 0, b, 0}, {4, 1, HOST, out, 0, NULL, W}, 12, 5};
	RETURNS(0, cuMemcpy2D_v2(&to));
	RETURNS(0, cuMemcpy2D_v2(&over));
	RETURNS(0, cuMemcpy2D_v2(&from));
	for (int y = 1; y < 6; y++)
		EXPECT(!memcmp(&out[0][y][4], &in[0][y][4], 12) && !out[0][y][3] && !out[0][y][16]);
	struct copy_2d outside = to;
	outside.rows = H;
	RETURNS(INVALID_VALUE, cuMemcpy2D_v2(&outside));

	/* the first row as bytes */
	char row[W], text[] = "some of a row's bytes 1";
	ptr p;
	RETURNS(0, cuMemAlloc_v2(&p, W));
	RETURNS(0, cuMemcpyHtoA_v2(a, 0, text, W));
	RETURNS(0, cuMemcpyAtoA_v2(b, 4, a, 0, W - 4));
	RETURNS(0, cuMemcpyAtoD_v2(p, b, 4, W - 4));
	RETURNS(0, cuMemcpyDtoA_v2(a, 4, p, W - 4));
	RETURNS(0, cuMemcpyAtoH_v2(row, a, 4, W - 4));
	EXPECT(!memcmp(row, text, W - 4));
	RETURNS(INVALID_VALUE, cuMemcpyAtoH_v2(row, a, 4, W));
	RETURNS(0, cuMemFree_v2(p));

	/* a box: slices 1..2, rows 2..5 */
	memset(out, 0, sizeof out);
	struct copy_3d down = {{0, 2, 1, 0, HOST, in, 0, NULL, NULL, W, H}, {1, 0, 0, 0, ARRAY, NULL, 0, box, NULL, 0, 0}, 20, 4, 2};
	struct copy_3d up = {{1, 0, 0, 0, ARRAY, NULL, 0, box, NULL, 0, 0}, {0, 2, 1, 0, HOST, out, 0, NULL, NULL, W, H}, 20, 4, 2};
	RETURNS(0, cuMemcpy3D_v2(&down));
	RETURNS(0, cuMemcpy3DAsync_v2(&up, NULL));
	RETURNS(0, cuCtxSynchronize());
	for (int z = 0; z < D; z++)
		for (int y = 0; y < H; y++)
			for (int x = 0; x < W; x++)
				EXPECT(out[z][y][x] == (z >= 1 && y >= 2 && y < 6 && x < 20 ? in[z][y][x] : 0));

	int resource[36] = {0}, texture[26] = {0}; /* CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC */
	uint64_t object;
	memcpy(&resource[2], &a, sizeof a);
	RETURNS(0, cuTexObjectCreate(&object, resource, texture, NULL));
	RETURNS(0, cuTexObjectDestroy(object));
	RETURNS(0, cuArrayDestroy(a));
	RETURNS(INVALID_VALUE, cuTexObjectCreate(&object, resource, texture, NULL));
	RETURNS(INVALID_HANDLE, cuArrayDestroy(a));
	RETURNS(INVALID_HANDLE, cuMemcpy2D_v2(&to));
	RETURNS(0, cuArrayDestroy(b));
	RETURNS(0, cuArrayDestroy(box));
}

/* What is captured is done where the graph is launched; a node that was made is a copy as well. */
static void captured(void *stream)
{
	static unsigned words[H][W / 4];
	void *graph, *exec, *node;
	size_t n = 0;
	ptr p;
	RETURNS(0, cuMemAlloc_v2(&p, 64 * H));
	RETURNS(0, cuMemsetD32Async(p, 0, 16 * H, stream));
	RETURNS(0, cuStreamBeginCapture_v2(stream, 0));
	RETURNS(0, cuMemsetD32Async(p, 7, 16 * H, stream));
	const struct copy_2d down = {{0, 0, HOST, in, 0, NULL, W}, {0, 0, DEVICE, NULL, p, NULL, 64}, 8, H};
	const struct copy_2d up = {{0, 0, DEVICE, NULL, p, NULL, 64}, {0, 0, HOST, words, 0, NULL, W}, W, H};
	RETURNS(0, cuMemcpy2DAsync_v2(&down, stream));
	RETURNS(0, cuMemcpy2DAsync_v2(&up, stream));
	RETURNS(0, cuStreamEndCapture(stream, &graph));
	RETURNS(0, cuGraphGetNodes(graph, NULL, &n));
	EXPECT(n == 3);
	RETURNS(0, cuGraphInstantiateWithFlags(&exec, graph, 0));
	EXPECT(words[0][2] == 0);
	RETURNS(0, cuGraphLaunch(exec, stream));
	RETURNS(0, cuStreamSynchronize(stream));
	for (int y = 0; y < H; y++)
		EXPECT(!memcmp(words[y], in[0][y], 8) && words[y][2] == 7 && words[y][W / 4 - 1] == 7);

	const struct copy_3d copy = {{8, 1, 0, 0, DEVICE, NULL, p, NULL, NULL, 64, H}, {0, 0, 0, 0, DEVICE, NULL, p, NULL, NULL, 64, H}, 8, 2, 1};
	RETURNS(0, cuGraphCreate(&graph, 0));
	RETURNS(0, cuGraphAddMemcpyNode(&node, graph, NULL, 0, &copy, NULL));
	RETURNS(0, cuGraphInstantiateWithFlags(&exec, graph, 0));
	RETURNS(0, cuGraphLaunch(exec, stream));
	RETURNS(0, cuMemcpyDtoH_v2(words, p, 4));
	EXPECT(words[0][0] == 7);

	/* with what went wrong: CUDA_GRAPH_INSTANTIATE_RESULT */
	enum { SUCCESS, INVALID_STRUCTURE = 2 };
	struct {
		unsigned long long flags;
		void *stream, *failed;
		int result;
	} params = {0, NULL, &n, 9};
	void *second;
	RETURNS(0, cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT(params.result == SUCCESS && !params.failed);
	RETURNS(0, cuGraphLaunch(exec, stream));
	RETURNS(0, cuGraphAddEmptyNode(&second, graph, &node, 1));
	RETURNS(0, cuGraphAddDependencies(graph, &second, &node, 1));
	RETURNS(INVALID_VALUE, cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT(params.result == INVALID_STRUCTURE);
	RETURNS(0, cuMemFree_v2(p));
}

static ptr get(int attribute, ptr p)
{
	ptr value = 0;
	RETURNS(0, cuPointerGetAttribute(&value, attribute, p));
	return value;
}

static void pointers(void)
{
	enum { CONTEXT = 1, TYPE, DEVICE_POINTER, HOST_POINTER, MANAGED = 8, ORDINAL, START = 11, SIZE, MAPPED, NONE = 99 };
	static const int attributes[] = {TYPE, DEVICE_POINTER, ORDINAL, SIZE};
	unsigned type = 9;
	int ordinal = 9;
	ptr p, m, device = 9, base;
	size_t size = 9, bytes;
	void *host, *context, *to[] = {&type, &device, &ordinal, &size};
	RETURNS(0, cuCtxGetCurrent(&context));
	RETURNS(0, cuMemAlloc_v2(&p, 1000));
	RETURNS(0, cuMemAllocManaged(&m, 600, 1));
	RETURNS(0, cuMemHostAlloc(&host, 500, 0));
	EXPECT(get(TYPE, p + 10) == DEVICE && get(DEVICE_POINTER, p + 10) == p + 10 && get(START, p + 10) == p && get(SIZE, p) == 1000);
	EXPECT(get(CONTEXT, p) == (ptr)(uintptr_t)context && get(MANAGED, p) == 0 && get(MANAGED, m) == 1 && get(ORDINAL, m) == 0 && get(MAPPED, p) == 1);
	EXPECT(get(TYPE, (ptr)(uintptr_t)host) == HOST && get(HOST_POINTER, (ptr)(uintptr_t)host) == (ptr)(uintptr_t)host);
	RETURNS(INVALID_VALUE, cuPointerGetAttribute(&base, HOST_POINTER, p));
	RETURNS(INVALID_VALUE, cuPointerGetAttribute(&base, NONE, p));
	RETURNS(INVALID_VALUE, cuPointerGetAttribute(&base, TYPE, (ptr)(uintptr_t)&base));
	RETURNS(0, cuPointerGetAttributes(4, attributes, to, p + 10));
	EXPECT(type == DEVICE && device == p + 10 && ordinal == 0 && size == 1000);
	RETURNS(0, cuPointerGetAttributes(4, attributes, to, (ptr)(uintptr_t)&base));
	EXPECT(type == 0 && device == 0 && ordinal == -2 && size == 0);
	RETURNS(0, cuMemGetAddressRange_v2(&base, &bytes, p + 999));
	EXPECT(base == p && bytes == 1000);
	RETURNS(500, cuMemGetAddressRange_v2(&base, &bytes, 8));
	RETURNS(0, cuMemFree_v2(p));
}

/* scale multiplies the word it is given the address of by the module's factor */
static void steps(void)
{
	void *module, *f;
	ptr p;
	int value = 21, properties[14], warp;
	const void *table;
	RETURNS(0, cuModuleLoad(&module, "modules-double.ptx"));
	RETURNS(0, cuModuleGetFunction(&f, module, "scale"));
	RETURNS(0, cuMemAlloc_v2(&p, 4));
	RETURNS(0, cuMemcpyHtoD_v2(p, &value, 4));
	RETURNS(0, cuFuncSetBlockShape(f, 1, 1, 1));
	RETURNS(0, cuFuncSetSharedSize(f, 0));
	RETURNS(0, cuParamSetv(f, 0, &p, 8));
	RETURNS(INVALID_VALUE, cuParamSetv(f, -1, &p, 8));
	RETURNS(INVALID_VALUE, cuLaunchGrid(f, 1, 1)); /* without parameters yet */
	RETURNS(0, cuParamSetSize(f, 8));
	RETURNS(0, cuLaunchGrid(f, 1, 1));
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, 4));
	EXPECT(value == 42);
	RETURNS(0, cuDeviceGetProperties(properties, 0));
	RETURNS(0, cuDeviceGetAttribute(&warp, 10, 0));
	EXPECT(properties[9] == warp && warp == 32 && properties[0] >= 512);
	RETURNS(500, cuGetExportTable(&table, "0123456789abcdef"));
}

int main(void)
{
	void *stream;
	begin_driver();
	RETURNS(0, cuStreamCreate(&stream, 1));
	make_input();
	rectangles(stream);
	arrays();
	captured(stream);
	pointers();
	steps();
	RETURNS(0, cuStreamDestroy_v2(stream));
	return verdict();
}
