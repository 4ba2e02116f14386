/* Texture and surface references and objects of the driver API: what is set is what is told. What calls return, and layouts: cuda.h. */
#include <stdint.h>
#include <string.h>

#include "expect.h"

typedef uint64_t ptr;
typedef struct texref *texref;
struct descriptor {
	size_t width, height;
	unsigned format, channels;
};
struct descriptor_3d {
	size_t width, height, depth;
	unsigned format, channels, flags;
};
enum { UNSIGNED_8 = 1, UNSIGNED_32 = 3, FLOAT = 0x20, POINT = 0, LINEAR = 1, WRAP = 0, CLAMP, MIRROR, BORDER, OVERRIDE_FORMAT = 1, SURFACE_LDST = 2, CUBEMAP = 4 };
enum { INVALID_VALUE = 1, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500 };
enum { ALIGNMENT = 14, PITCH_ALIGNMENT = 51, LINEAR_WIDTH = 69, ROWS_WIDTH, ROWS_HEIGHT, ROWS_PITCH };

int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuCtxDestroy_v2(void *), cuDeviceGetAttribute(int *, int, int);
int cuMemAlloc_v2(ptr *, size_t), cuMemFree_v2(ptr), cuMemAllocPitch_v2(ptr *, size_t *, size_t, size_t, unsigned);
int cuArrayCreate_v2(void **, const struct descriptor *), cuArray3DCreate_v2(void **, const struct descriptor_3d *), cuArrayDestroy(void *);
int cuMipmappedArrayCreate(void **, const struct descriptor_3d *, unsigned), cuMipmappedArrayDestroy(void *);
int cuModuleLoad(void **, const char *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *), cuModuleGetGlobal_v2(ptr *, size_t *, void *, const char *);
int cuModuleGetTexRef(texref *, void *, const char *), cuModuleGetSurfRef(texref *, void *, const char *);
int cuTexRefCreate(texref *), cuTexRefDestroy(texref), cuParamSetTexRef(void *, int, texref);
int cuTexRefSetArray(texref, void *, unsigned), cuTexRefGetArray(void **, texref);
int cuTexRefSetMipmappedArray(texref, void *, unsigned), cuTexRefGetMipmappedArray(void **, texref);
int cuTexRefSetAddress_v2(size_t *, texref, ptr, size_t);
int cuTexRefGetAddress_v2(ptr *, texref);
int cuTexRefSetAddress2D(texref, const void *, unsigned, unsigned), cuTexRefSetAddress2D_v2(texref, const void *, ptr, size_t), cuTexRefSetAddress2D_v3(texref, const void *, ptr, size_t);
int cuTexRefSetFormat(texref, unsigned, int), cuTexRefGetFormat(unsigned *, int *, texref);
int cuTexRefSetAddressMode(texref, int, int), cuTexRefGetAddressMode(int *, texref, int);
int cuTexRefSetFilterMode(texref, int), cuTexRefGetFilterMode(int *, texref), cuTexRefSetMipmapFilterMode(texref, int), cuTexRefGetMipmapFilterMode(int *, texref);
int cuTexRefSetMipmapLevelBias(texref, float), cuTexRefGetMipmapLevelBias(float *, texref);
int cuTexRefSetMipmapLevelClamp(texref, float, float), cuTexRefGetMipmapLevelClamp(float *, float *, texref);
int cuTexRefSetMaxAnisotropy(texref, unsigned), cuTexRefGetMaxAnisotropy(int *, texref), cuTexRefSetFlags(texref, unsigned), cuTexRefGetFlags(unsigned *, texref);
int cuTexRefSetBorderColor(texref, const float *), cuTexRefGetBorderColor(float *, texref);
int cuSurfRefSetArray(texref, void *, unsigned), cuSurfRefGetArray(void **, texref);
int cuTexObjectCreate(uint64_t *, const void *, const void *, const void *), cuTexObjectDestroy(uint64_t), cuSurfObjectCreate(uint64_t *, const void *), cuSurfObjectDestroy(uint64_t);
int cuTexObjectGetResourceDesc(void *, uint64_t), cuTexObjectGetTextureDesc(void *, uint64_t), cuTexObjectGetResourceViewDesc(void *, uint64_t), cuSurfObjectGetResourceDesc(void *, uint64_t);
int cuGetProcAddress(const char *, void **, int, uint64_t);

static size_t attribute(int k)
{
	int value = 0;
	RETURNS(0, cuDeviceGetAttribute(&value, k, 0));
	return (size_t)value;
}

/* One handle for each name of a module; it is the module's. */
static texref names(void *module)
{
	texref t = NULL, again = NULL, s = NULL;
	ptr p;
	RETURNS(0, cuModuleGetTexRef(&t, module, "line"));
	RETURNS(0, cuModuleGetTexRef(&again, module, "line"));
	EXPECT(t && t == again);
	RETURNS(0, cuModuleGetSurfRef(&s, module, "canvas"));
	EXPECT(s && s != t);
	RETURNS(NOT_FOUND, cuModuleGetTexRef(&again, module, "canvas"));
	RETURNS(NOT_FOUND, cuModuleGetTexRef(&again, module, "number"));
	RETURNS(NOT_FOUND, cuModuleGetTexRef(&again, module, "nothing"));
	RETURNS(NOT_FOUND, cuModuleGetSurfRef(&again, module, "line"));
	RETURNS(NOT_FOUND, cuModuleGetGlobal_v2(&p, NULL, module, "line"));
	RETURNS(INVALID_VALUE, cuModuleGetTexRef(NULL, module, "line"));
	RETURNS(INVALID_VALUE, cuModuleGetTexRef(&again, module, NULL));
	RETURNS(INVALID_HANDLE, cuModuleGetTexRef(&again, &t, "line"));
	RETURNS(INVALID_VALUE, cuTexRefDestroy(t));
	RETURNS(INVALID_VALUE, cuTexRefSetFilterMode(s, LINEAR));
	return t;
}

static void defaults(texref t)
{
	unsigned format = 99, flags = 99;
	int n = 0, mode = 99, anisotropy = 99;
	void *array;
	ptr p;
	RETURNS(0, cuTexRefGetFormat(&format, &n, t));
	EXPECT(format == FLOAT && n == 1);
	RETURNS(0, cuTexRefGetFlags(&flags, t));
	EXPECT(flags == 0);
	RETURNS(0, cuTexRefGetFilterMode(&mode, t));
	EXPECT(mode == POINT);
	for (int k = 0; k < 2; k++) {
		RETURNS(0, cuTexRefGetAddressMode(&mode, t, k));
		EXPECT(mode == CLAMP);
	}
	RETURNS(0, cuTexRefGetMaxAnisotropy(&anisotropy, t));
	EXPECT(anisotropy == 0);
	RETURNS(INVALID_VALUE, cuTexRefGetAddress_v2(&p, t));
	RETURNS(INVALID_VALUE, cuTexRefGetArray(&array, t));
	RETURNS(INVALID_VALUE, cuTexRefGetMipmappedArray(&array, t));
}

static void properties(texref t)
{
	unsigned u;
	int k, n;
	float f, g, color[4] = {0};
	const float red[4] = {1, 0, 0, 0.5f};
	RETURNS(0, cuTexRefSetFormat(t, UNSIGNED_8, 4));
	RETURNS(0, cuTexRefGetFormat(&u, &n, t));
	EXPECT(u == UNSIGNED_8 && n == 4);
	RETURNS(0, cuTexRefGetFormat(NULL, NULL, t));
	RETURNS(INVALID_VALUE, cuTexRefSetFormat(t, UNSIGNED_8, 3));
	RETURNS(INVALID_VALUE, cuTexRefSetFormat(t, 0x77, 1));
	RETURNS(0, cuTexRefSetAddressMode(t, 1, MIRROR));
	RETURNS(0, cuTexRefGetAddressMode(&k, t, 1));
	EXPECT(k == MIRROR);
	RETURNS(0, cuTexRefGetAddressMode(&k, t, 0));
	EXPECT(k == CLAMP);
	RETURNS(INVALID_VALUE, cuTexRefSetAddressMode(t, 3, CLAMP));
	RETURNS(INVALID_VALUE, cuTexRefSetAddressMode(t, 0, 4));
	RETURNS(INVALID_VALUE, cuTexRefGetAddressMode(&k, t, -1));
	RETURNS(0, cuTexRefSetFilterMode(t, LINEAR));
	RETURNS(INVALID_VALUE, cuTexRefSetFilterMode(t, 2));
	RETURNS(0, cuTexRefGetFilterMode(&k, t));
	EXPECT(k == LINEAR);
	RETURNS(0, cuTexRefSetMipmapFilterMode(t, LINEAR));
	RETURNS(0, cuTexRefGetMipmapFilterMode(&k, t));
	EXPECT(k == LINEAR);
	RETURNS(0, cuTexRefSetMipmapLevelBias(t, 0.25f));
	RETURNS(0, cuTexRefGetMipmapLevelBias(&f, t));
	EXPECT(f == 0.25f);
	RETURNS(0, cuTexRefSetMipmapLevelClamp(t, 1, 2.5f));
	RETURNS(0, cuTexRefGetMipmapLevelClamp(&f, &g, t));
	EXPECT(f == 1 && g == 2.5f);
	RETURNS(0, cuTexRefSetMaxAnisotropy(t, 8));
	RETURNS(0, cuTexRefGetMaxAnisotropy(&k, t));
	EXPECT(k == 8);
	RETURNS(0, cuTexRefSetFlags(t, 3));
	RETURNS(INVALID_VALUE, cuTexRefSetFlags(t, 0x80));
	RETURNS(0, cuTexRefGetFlags(&u, t));
	EXPECT(u == 3);
	RETURNS(INVALID_VALUE, cuTexRefGetFlags(NULL, t));
	/* a color is for borders */
	RETURNS(INVALID_VALUE, cuTexRefSetBorderColor(t, red));
	RETURNS(0, cuTexRefSetAddressMode(t, 0, BORDER));
	RETURNS(0, cuTexRefSetBorderColor(t, red));
	RETURNS(0, cuTexRefGetBorderColor(color, t));
	EXPECT(!memcmp(color, red, sizeof red));
}

static void memory(texref t)
{
	const size_t align = attribute(ALIGNMENT), most = attribute(LINEAR_WIDTH);
	size_t offset = 99;
	ptr p, at = 0;
	void *array;
	RETURNS(0, cuMemAlloc_v2(&p, 4000));
	RETURNS(0, cuTexRefSetFormat(t, FLOAT, 1));
	RETURNS(0, cuTexRefSetAddress_v2(NULL, t, p, 4000));
	RETURNS(0, cuTexRefSetAddress_v2(&offset, t, p, 4000));
	EXPECT(offset == 0);
	RETURNS(0, cuTexRefGetAddress_v2(&at, t));
	EXPECT(at == p);
	RETURNS(INVALID_VALUE, cuTexRefGetArray(&array, t));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress_v2(NULL, t, p + 32, 400));
	RETURNS(0, cuTexRefSetAddress_v2(&offset, t, p + 32, 400));
	EXPECT(offset == 32);
	RETURNS(0, cuTexRefSetAddress_v2(&offset, t, p + align, 400));
	EXPECT(offset == 0);
	RETURNS(0, cuTexRefSetAddress_v2(NULL, t, p, most * 4));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress_v2(NULL, t, p, most * 4 + 4));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress_v2(NULL, t, p, 0xffffffff));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress_v2(NULL, t, 0, 400));
	RETURNS(0, cuTexRefSetAddress_v2(NULL, t, 0, 0)); /* nothing any more */
	RETURNS(INVALID_VALUE, cuTexRefGetAddress_v2(&at, t));
	RETURNS(0, cuMemFree_v2(p));
}

static void rows(texref t)
{
	const size_t step = attribute(PITCH_ALIGNMENT), most = attribute(ROWS_PITCH);
	struct descriptor d = {100, 16, UNSIGNED_8, 4}, wide = {attribute(ROWS_WIDTH) + 1, 16, UNSIGNED_8, 4}, high = {100, attribute(ROWS_HEIGHT) + 1, UNSIGNED_8, 4},
			  three = {100, 16, UNSIGNED_8, 3};
	size_t pitch;
	unsigned format;
	int n;
	ptr p, at = 0;
	RETURNS(0, cuMemAllocPitch_v2(&p, &pitch, 400, 17, 4));
	RETURNS(0, cuTexRefSetAddress2D_v3(t, &d, p, pitch));
	RETURNS(0, cuTexRefGetAddress_v2(&at, t));
	EXPECT(at == p);
	RETURNS(0, cuTexRefGetFormat(&format, &n, t));
	EXPECT(format == UNSIGNED_8 && n == 4);
	RETURNS(INVALID_VALUE, cuTexRefSetFormat(t, FLOAT, 1)); /* it can't follow */
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &d, p + 16, pitch));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &d, p, pitch + step / 2));
	RETURNS(0, cuTexRefSetAddress2D_v2(t, &d, p, pitch + step / 2)); /* before 4.1 */
	RETURNS(801, cuTexRefSetAddress2D(t, NULL, (unsigned)p, (unsigned)pitch)); /* before 3.2: not supported */
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &wide, p, most));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &high, p, pitch));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &d, p, most + step));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &d, p, step));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, &three, p, pitch));
	RETURNS(INVALID_VALUE, cuTexRefSetAddress2D_v3(t, NULL, p, pitch));
	RETURNS(0, cuTexRefSetAddress_v2(NULL, t, p, 400)); /* a row again */
	RETURNS(0, cuTexRefSetFormat(t, FLOAT, 1));
	RETURNS(0, cuMemFree_v2(p));
}

static void arrays(texref t, void *module)
{
	struct descriptor d = {32, 8, UNSIGNED_32, 2};
	const struct descriptor_3d flat = {32, 8, 0, FLOAT, 1, 0}, written = {32, 8, 0, FLOAT, 1, SURFACE_LDST};
	void *array, *other, *mipmaps, *got = NULL;
	unsigned format;
	int n;
	texref s;
	ptr p;
	RETURNS(0, cuArrayCreate_v2(&array, &d));
	RETURNS(0, cuArray3DCreate_v2(&other, &written));
	RETURNS(INVALID_VALUE, cuTexRefSetArray(t, array, 0));
	RETURNS(0, cuTexRefSetArray(t, array, OVERRIDE_FORMAT));
	RETURNS(0, cuTexRefGetArray(&got, t));
	EXPECT(got == array);
	RETURNS(0, cuTexRefGetFormat(&format, &n, t));
	EXPECT(format == UNSIGNED_32 && n == 2);
	RETURNS(INVALID_VALUE, cuTexRefGetAddress_v2(&p, t));
	RETURNS(INVALID_VALUE, cuTexRefSetArray(t, &d, OVERRIDE_FORMAT));
	RETURNS(0, cuMipmappedArrayCreate(&mipmaps, &flat, 2));
	RETURNS(0, cuTexRefSetMipmappedArray(t, mipmaps, OVERRIDE_FORMAT));
	RETURNS(0, cuTexRefGetMipmappedArray(&got, t));
	EXPECT(got == mipmaps);
	RETURNS(INVALID_VALUE, cuTexRefGetArray(&got, t));
	RETURNS(INVALID_VALUE, cuTexRefSetMipmappedArray(t, array, OVERRIDE_FORMAT));
	RETURNS(0, cuMipmappedArrayDestroy(mipmaps));
	RETURNS(INVALID_VALUE, cuTexRefGetMipmappedArray(&got, t));
	RETURNS(0, cuTexRefSetArray(t, array, OVERRIDE_FORMAT));

	RETURNS(0, cuModuleGetSurfRef(&s, module, "canvas"));
	RETURNS(INVALID_VALUE, cuSurfRefGetArray(&got, s));
	RETURNS(INVALID_VALUE, cuSurfRefSetArray(s, array, 0)); /* made without the flag */
	RETURNS(INVALID_VALUE, cuSurfRefSetArray(s, other, 1));
	RETURNS(0, cuSurfRefSetArray(s, other, 0));
	RETURNS(0, cuSurfRefGetArray(&got, s));
	EXPECT(got == other);
	RETURNS(INVALID_VALUE, cuSurfRefSetArray(t, other, 0));
	RETURNS(0, cuArrayDestroy(other));
	RETURNS(INVALID_VALUE, cuSurfRefGetArray(&got, s));
	RETURNS(0, cuArrayDestroy(array));
	RETURNS(INVALID_VALUE, cuTexRefGetArray(&got, t));
}

/* The program's own. */
static void created(void *module)
{
	texref t = NULL;
	void *function;
	RETURNS(0, cuTexRefCreate(&t));
	RETURNS(INVALID_VALUE, cuTexRefCreate(NULL));
	defaults(t);
	properties(t);
	memory(t);
	rows(t);
	RETURNS(0, cuModuleGetFunction(&function, module, "fetch"));
	RETURNS(0, cuParamSetTexRef(function, -1, t));
	RETURNS(INVALID_VALUE, cuParamSetTexRef(function, 0, t));
	RETURNS(0, cuTexRefDestroy(t));
	RETURNS(INVALID_VALUE, cuTexRefDestroy(t));
	RETURNS(INVALID_VALUE, cuTexRefSetFilterMode(t, POINT));
	RETURNS(INVALID_VALUE, cuParamSetTexRef(function, -1, t));
	RETURNS(INVALID_VALUE, cuTexRefDestroy(NULL));
}

/* Which one a program gets by name: that of before 4.1 takes any pitch. */
static void versions(texref t)
{
	const struct descriptor d = {100, 16, UNSIGNED_8, 4};
	const size_t step = attribute(PITCH_ALIGNMENT), odd = 400 / step * step + step * 3 / 2;
	int (*set)(texref, const void *, ptr, size_t) = NULL;
	ptr p;
	RETURNS(0, cuMemAlloc_v2(&p, 16 * odd));
	RETURNS(0, cuGetProcAddress("cuTexRefSetAddress2D", (void **)&set, 3020, 0));
	RETURNS(0, set(t, &d, p, odd));
	RETURNS(0, cuGetProcAddress("cuTexRefSetAddress2D", (void **)&set, 11000, 0));
	RETURNS(INVALID_VALUE, set(t, &d, p, odd));
	RETURNS(0, cuMemFree_v2(p));
}

struct resource { /* CUDA_RESOURCE_DESC */
	int kind;
	union {
		void *array;
		struct {
			ptr at;
			unsigned format, channels;
			size_t width, height, pitch;
		} rows;
		int reserved[32];
	} of;
	unsigned flags;
};
struct texture { /* CUDA_TEXTURE_DESC */
	int address[3], filter;
	unsigned flags, anisotropy;
	int mipmap_filter;
	float bias, least, most, border[4];
	int reserved[12];
};
struct view { /* CUDA_RESOURCE_VIEW_DESC */
	int format;
	size_t width, height, depth;
	unsigned first_level, last_level, first_layer, last_layer, reserved[16];
};

static void objects(void)
{
	const struct descriptor_3d d = {32, 32, 6, FLOAT, 1, SURFACE_LDST | CUBEMAP};
	const struct view view = {.format = 22, .width = 32, .height = 8};
	struct view told_view;
	struct texture texture = {{WRAP, CLAMP, BORDER}, LINEAR, 0, 4, LINEAR, 0.5f, 1, 2, {1, 0, 0, 1}, {0}}, told_texture;
	struct resource array = {.kind = 0}, rows = {.kind = 3, .of.rows = {0, UNSIGNED_8, 4, 64, 4, 256}}, told;
	uint64_t t, s;
	RETURNS(0, cuArray3DCreate_v2(&array.of.array, &d));
	RETURNS(0, cuMemAlloc_v2(&rows.of.rows.at, 1024));
	for (unsigned bits = 0; bits < 32; bits++) { /* all flags there are */
		texture.flags = (bits & 3) | (bits >> 2) << 4;
		RETURNS(0, cuTexObjectCreate(&t, &array, &texture, &view));
		memset(&told_texture, -1, sizeof told_texture);
		RETURNS(0, cuTexObjectGetTextureDesc(&told_texture, t));
		EXPECT(!memcmp(&told_texture, &texture, sizeof texture));
		RETURNS(0, cuTexObjectDestroy(t));
	}
	RETURNS(0, cuTexObjectCreate(&t, &array, &texture, &view));
	memset(&told, -1, sizeof told);
	RETURNS(0, cuTexObjectGetResourceDesc(&told, t));
	EXPECT(told.kind == 0 && told.of.array == array.of.array && told.flags == 0);
	RETURNS(0, cuTexObjectGetResourceViewDesc(&told_view, t));
	EXPECT(!memcmp(&told_view, &view, sizeof view));
	RETURNS(INVALID_VALUE, cuSurfObjectGetResourceDesc(&told, t));
	RETURNS(INVALID_VALUE, cuTexObjectGetTextureDesc(NULL, t));
	RETURNS(0, cuTexObjectDestroy(t));
	RETURNS(INVALID_VALUE, cuTexObjectGetResourceDesc(&told, t));

	RETURNS(INVALID_VALUE, cuTexObjectCreate(&t, &rows, &texture, NULL)); /* seamless, but no cube */
	texture.flags = 0;
	RETURNS(0, cuTexObjectCreate(&t, &rows, &texture, NULL));
	RETURNS(0, cuTexObjectGetResourceDesc(&told, t));
	EXPECT(told.kind == 3 && !memcmp(&told.of.rows, &rows.of.rows, sizeof rows.of.rows));
	RETURNS(INVALID_VALUE, cuTexObjectGetResourceViewDesc(&told_view, t));
	RETURNS(0, cuTexObjectDestroy(t));

	RETURNS(0, cuSurfObjectCreate(&s, &array));
	RETURNS(0, cuSurfObjectGetResourceDesc(&told, s));
	EXPECT(told.kind == 0 && told.of.array == array.of.array);
	RETURNS(0, cuSurfObjectDestroy(s));
	RETURNS(0, cuMemFree_v2(rows.of.rows.at));
	RETURNS(0, cuArrayDestroy(array.of.array));
}

int main(void)
{
	void *context, *module;
	texref t, made;
	RETURNS(0, cuInit(0));
	RETURNS(INVALID_CONTEXT, cuTexRefCreate(&t));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(0, cuModuleLoad(&module, "references.ptx"));
	t = names(module);
	defaults(t);
	properties(t);
	memory(t);
	rows(t);
	arrays(t, module);
	created(module);
	versions(t);
	objects();
	RETURNS(0, cuModuleUnload(module));
	RETURNS(INVALID_VALUE, cuTexRefSetFilterMode(t, POINT)); /* it went with its module */
	RETURNS(INVALID_HANDLE, cuModuleGetTexRef(&t, module, "line"));
	RETURNS(0, cuTexRefCreate(&made));
	RETURNS(0, cuCtxDestroy_v2(context));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(INVALID_VALUE, cuTexRefSetFilterMode(made, POINT)); /* with its context */
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
