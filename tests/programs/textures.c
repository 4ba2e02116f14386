/* Texture and surface objects: what they were made of is what is told, in the structures of the toolkit that is named, and no byte behind them. Sizes and
 * places: driver_types.h and texture_types.h of 11.0, 12.0, 13.0. */
#include "checks.h"
#include "texture_objects.h"

struct view { /* cudaResourceViewDesc, as all toolkits have it */
	int format;
	size_t width, height, depth;
	unsigned first_level, last_level, first_layer, last_layer;
};
typedef uint64_t object;
enum { SURFACE_LOAD_STORE = 2, CUBEMAP = 4, TEXTURE_ALIGNMENT = 14, PITCH_ALIGNMENT = 51, LINEAR_WIDTH = 69, ROWS_WIDTH, ROWS_HEIGHT, ROWS_PITCH };
int cudaMallocArray(void **array, const struct channels *c, size_t width, size_t height, unsigned flags), cudaFreeArray(void *array);
int cudaMalloc3DArray(void **array, const struct channels *c, struct extent e, unsigned flags), cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaMallocMipmappedArray(void **mipmaps, const struct channels *c, struct extent e, unsigned levels, unsigned flags), cudaFreeMipmappedArray(void *mipmaps);
int cudaCreateTextureObject(object *, const void *, const void *, const void *), cudaCreateSurfaceObject(object *, const void *);
int cudaDestroyTextureObject(object), cudaDestroySurfaceObject(object);
int cudaGetTextureObjectResourceDesc(void *, object), cudaGetTextureObjectTextureDesc(void *, object), cudaGetTextureObjectResourceViewDesc(void *, object);
int cudaGetSurfaceObjectResourceDesc(void *, object);
int cudaCreateTextureObject_v2(object *, const void *, const void *, const void *), cudaGetTextureObjectTextureDesc_v2(void *, object); /* of 11.8 */

#define BEHIND 0x5a
static unsigned char room[256];

static void *empty_room(void) { return memset(room, BEHIND, sizeof room); }

/* It begins with n bytes, is as long as `bytes`, what n leaves of that is 0, and nothing is behind it. */
static int is(const void *what, size_t n, size_t bytes)
{
	int same = !memcmp(room, what, n < bytes ? n : bytes);
	for (size_t k = n; k < bytes; k++)
		same &= !room[k];
	for (size_t k = bytes; k < sizeof room; k++)
		same &= room[k] == BEHIND;
	return same;
}

static const struct texture texture = {{1, 2, 3}, 1, 1, 1, {0.5f, 0, 0, 1}, 1, 8, 1, 0.25f, 1, 2, 1, 1};

static void textures(int toolkit, void *array)
{
	const size_t resource_bytes = toolkit < 13 ? 64 : 144, view_bytes = toolkit < 13 ? 48 : 112, texture_bytes = toolkit < 12 ? 68 : 72;
	char given_resource[144] = {0}, given_view[112] = {0};
	struct resource r = {.kind = ARRAY, .of.array = array};
	const struct view v = {.format = 22, .width = 16, .height = 4};
	object t = 0, plain = 0;
	memcpy(given_resource, &r, sizeof r);
	memcpy(given_view, &v, sizeof v);
	RETURNS(0, cudaCreateTextureObject(&t, given_resource, &texture, given_view));
	RETURNS(0, cudaGetTextureObjectResourceDesc(empty_room(), t));
	EXPECT(is(&r, sizeof r, resource_bytes));
	RETURNS(0, cudaGetTextureObjectTextureDesc(empty_room(), t));
	EXPECT(is(&texture, sizeof texture, texture_bytes));
	RETURNS(0, cudaGetTextureObjectResourceViewDesc(empty_room(), t));
	EXPECT(is(&v, sizeof v, view_bytes));
	RETURNS(1, cudaGetSurfaceObjectResourceDesc(empty_room(), t));
	RETURNS(1, cudaGetTextureObjectTextureDesc(NULL, t));

	RETURNS(0, cudaCreateTextureObject(&plain, given_resource, &texture, NULL));
	RETURNS(1, cudaGetTextureObjectResourceViewDesc(room, plain));
	RETURNS(1, cudaCreateTextureObject(&plain, given_resource, NULL, NULL));
	RETURNS(0, cudaDestroyTextureObject(plain));
	RETURNS(0, cudaDestroyTextureObject(t));
	RETURNS(1, cudaGetTextureObjectResourceDesc(room, t));
	if (toolkit == 11) { /* what its texture has not is 0 */
		RETURNS(0, cudaCreateTextureObject(&t, given_resource, &texture, NULL));
		RETURNS(0, cudaGetTextureObjectTextureDesc_v2(empty_room(), t));
		EXPECT(is(&texture, 68, 72));
		RETURNS(0, cudaDestroyTextureObject(t));
		RETURNS(0, cudaCreateTextureObject_v2(&t, given_resource, &texture, NULL));
		RETURNS(0, cudaGetTextureObjectTextureDesc_v2(empty_room(), t));
		EXPECT(is(&texture, 72, 72));
		RETURNS(0, cudaDestroyTextureObject(t));
	}
}

/* Nothing special is asked of what it reads. */
static const struct texture plain = {{1, 1, 1}, 0, 0, 0, {0}, 0, 0, 0, 0, 0, 0, 0, 0};
static int create(const struct resource *r, const struct texture *t, const void *view)
{
	char given[144] = {0};
	object o = 0;
	memcpy(given, r, sizeof *r);
	const int error = cudaCreateTextureObject(&o, given, t, view);
	if (!error)
		RETURNS(0, cudaDestroyTextureObject(o));
	return error;
}

static size_t attribute(int k)
{
	int value = 0;
	RETURNS(0, cudaDeviceGetAttribute(&value, k, 0));
	return (size_t)value;
}

static void memory(int toolkit)
{
	const struct view v = {.format = 22, .width = 16, .height = 4};
	char given[144] = {0}, view[112] = {0};
	struct resource row = {.kind = MEMORY, .of.memory = {NULL, {{32}, 2}, 1024, 0, 0}}, r = {.kind = ROWS, .of.memory = {NULL, {{8, 8, 8, 8}, 1}, 16, 4, 256}};
	object t = 0;
	RETURNS(0, cudaMalloc(&r.of.memory.p, 1024));
	memcpy(given, &r, sizeof r);
	memcpy(view, &v, sizeof v);
	RETURNS(0, cudaCreateTextureObject(&t, given, &plain, NULL));
	RETURNS(0, cudaGetTextureObjectResourceDesc(empty_room(), t));
	EXPECT(is(&r, sizeof r, toolkit < 13 ? 64 : 144));
	RETURNS(0, cudaDestroyTextureObject(t));
	RETURNS(20, cudaCreateSurfaceObject(&t, given)); /* only arrays */

	RETURNS(1, create(&r, &plain, view)); /* nor has it views */
	RETURNS(toolkit < 12 ? 0 : 1, create(&r, &texture, NULL)); /* seamless, but no cube */
	struct resource is_not = r;
	is_not.of.memory.p = (char *)r.of.memory.p + attribute(TEXTURE_ALIGNMENT) / 2;
	RETURNS(1, create(&is_not, &plain, NULL));
	is_not = r, is_not.of.memory.pitch += attribute(PITCH_ALIGNMENT) / 2;
	RETURNS(1, create(&is_not, &plain, NULL));
	is_not = r, is_not.of.memory.pitch = attribute(ROWS_PITCH) + attribute(PITCH_ALIGNMENT);
	RETURNS(1, create(&is_not, &plain, NULL));
	is_not = r, is_not.of.memory.height = attribute(ROWS_HEIGHT) + 1;
	RETURNS(1, create(&is_not, &plain, NULL));
	is_not = r, is_not.of.memory.pitch = attribute(ROWS_PITCH), is_not.of.memory.width = attribute(ROWS_WIDTH) + 1;
	RETURNS(1, create(&is_not, &plain, NULL));
	is_not = r, is_not.of.memory.p = &is_not;
	RETURNS(1, create(&is_not, &plain, NULL));

	row.of.memory.p = r.of.memory.p;
	RETURNS(0, create(&row, &plain, NULL));
	row.of.memory.width = attribute(LINEAR_WIDTH) * 4;
	RETURNS(0, create(&row, &plain, NULL));
	row.of.memory.width += 4;
	RETURNS(1, create(&row, &plain, NULL));
	row.of.memory.channels.bits[0] = 24;
	RETURNS(20, create(&row, &plain, NULL));
	RETURNS(0, cudaFree(r.of.memory.p));
}

static void mipmaps(void)
{
	const struct channels c = {{32}, 2};
	struct resource r = {.kind = MIPMAPS};
	struct texture normalized = plain;
	normalized.normalized = 1;
	RETURNS(0, cudaMallocMipmappedArray(&r.of.array, &c, (struct extent){16, 16, 0}, 3, 0));
	RETURNS(0, create(&r, &normalized, NULL));
	RETURNS(1, create(&r, &plain, NULL)); /* a level is chosen by normalized coordinates */
	r.kind = ARRAY;
	RETURNS(1, create(&r, &normalized, NULL));
	r.kind = MIPMAPS;
	RETURNS(0, cudaFreeMipmappedArray(r.of.array));
	RETURNS(1, create(&r, &normalized, NULL));
}

static void surfaces(int toolkit, void *array)
{
	char given[144] = {0};
	const struct resource r = {.kind = ARRAY, .of.array = array};
	object s = 0;
	memcpy(given, &r, sizeof r);
	RETURNS(0, cudaCreateSurfaceObject(&s, given));
	RETURNS(0, cudaGetSurfaceObjectResourceDesc(empty_room(), s));
	EXPECT(is(&r, sizeof r, toolkit < 13 ? 64 : 144));
	RETURNS(1, cudaGetTextureObjectResourceDesc(room, s));
	RETURNS(0, cudaDestroySurfaceObject(s));
	RETURNS(1, cudaDestroySurfaceObject(s));
}

/* ---- extents of arrays: the table of cudaMalloc3DArray ---- */

static const struct channels byte = {{8}, 1};
static int make(size_t width, size_t height, size_t depth, unsigned flags)
{
	void *array;
	const int error = cudaMalloc3DArray(&array, &byte, (struct extent){width, height, depth}, flags);
	if (!error)
		RETURNS(0, cudaFreeArray(array));
	return error;
}

static int make_mipmaps(size_t width, size_t height, size_t depth, unsigned flags)
{
	void *mipmaps;
	const int error = cudaMallocMipmappedArray(&mipmaps, &byte, (struct extent){width, height, depth}, 2, flags);
	if (!error)
		RETURNS(0, cudaFreeMipmappedArray(mipmaps));
	return error;
}

/* Each extent alone is as large as the attribute says, and one more is an error: the others are 1, or 0 where the shape has none. */
static void limits_of(unsigned flags, const int most[3], int (*of)(size_t, size_t, size_t, unsigned))
{
	for (int k = 0; k < 3; k++) {
		size_t e[3] = {1, most[1] != 0, most[2] != 0};
		if (!most[k])
			continue;
		e[k] = attribute(most[k]);
		RETURNS(0, of(e[0], e[1], e[2], flags));
		e[k]++;
		RETURNS(1, of(e[0], e[1], e[2], flags));
	}
}

static void extents(void)
{
	enum { LAYERED = 1, GATHER = 8 };
	limits_of(0, (int[]){21, 0, 0}, make);
	limits_of(0, (int[]){22, 23, 0}, make);
	limits_of(LAYERED, (int[]){42, 0, 43}, make);
	limits_of(LAYERED, (int[]){27, 28, 29}, make);
	limits_of(SURFACE_LOAD_STORE, (int[]){55, 0, 0}, make);
	limits_of(SURFACE_LOAD_STORE, (int[]){56, 57, 0}, make);
	limits_of(SURFACE_LOAD_STORE, (int[]){58, 59, 60}, make);
	limits_of(SURFACE_LOAD_STORE | LAYERED, (int[]){61, 0, 62}, make);
	limits_of(SURFACE_LOAD_STORE | LAYERED, (int[]){63, 64, 65}, make);
	limits_of(GATHER, (int[]){45, 46, 0}, make);
	limits_of(0, (int[]){77, 0, 0}, make_mipmaps);
	limits_of(0, (int[]){73, 74, 0}, make_mipmaps);
	/* of three dimensions there are two kinds */
	RETURNS(0, make(attribute(24), 1, 1, 0));
	RETURNS(0, make(1, 1, attribute(49), 0));
	RETURNS(1, make(1, 1, attribute(49) + 1, 0));
	RETURNS(1, make(attribute(24), 1, attribute(49), 0));
	RETURNS(1, make(1, 1, attribute(49), SURFACE_LOAD_STORE));
	/* cubes have six faces, or six of each layer */
	RETURNS(0, make(8, 8, 6, CUBEMAP));
	RETURNS(1, make(8, 8, 12, CUBEMAP));
	RETURNS(0, make(8, 8, 12, CUBEMAP | LAYERED));
	RETURNS(1, make(8, 8, 13, CUBEMAP | LAYERED));
	RETURNS(1, make(1, 1, attribute(54) + 6, CUBEMAP | LAYERED));
	RETURNS(1, make(8, 4, 6, CUBEMAP));
	RETURNS(1, make(attribute(52) + 1, attribute(52) + 1, 6, CUBEMAP));
	/* what is no shape */
	RETURNS(1, make(0, 0, 0, 0));
	RETURNS(1, make(0, 8, 0, 0));
	RETURNS(1, make(8, 0, 8, 0));
	RETURNS(1, make(8, 8, 0, LAYERED));
	RETURNS(1, make(8, 8, 8, GATHER));
}

int main(int argc, char **argv)
{
	const int toolkit = argc > 1 ? atoi(argv[1]) : 13;
	const struct channels c = {{32}, 2};
	void *array = NULL;
	char description[256];
	RETURNS(1, cudaGetTextureObjectResourceDesc(description, 1)); /* the process' first call */
	RETURNS(0, cudaMalloc3DArray(&array, &c, (struct extent){16, 16, 6}, SURFACE_LOAD_STORE | CUBEMAP));
	textures(toolkit, array);
	memory(toolkit);
	mipmaps();
	extents();
	surfaces(toolkit, array);
	RETURNS(0, cudaFreeArray(array));
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
