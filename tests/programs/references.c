/* Texture and surface references, as programs of toolkits up to 11 have them. What calls return: CUDA's manual of 11, texture_types.h, driver_types.h.
 * With an argument: a kernel reads one, or an object. */
#include "checks.h"

FIXTURE("references.ptx")
KERNEL(plain, "plain")
KERNEL(fetch, "fetch")
KERNEL(look, "look")
KERNEL(store, "store")
KERNEL(object, "object")
KERNEL(write_one, "write")

struct channels {
	int bits[4], format;
};
enum { SIGNED, UNSIGNED, FLOAT };
struct texture { /* textureReference */
	int normalized, filter, address[3];
	struct channels channels;
	int srgb;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, least, most;
	int no_trilinear, reserved[14];
};
struct surface { /* surfaceReference */
	struct channels channels;
};
struct extent {
	size_t width, height, depth;
};
enum { POINT, LINEAR, ELEMENT = 0, NORMALIZED = 1, CLAMP = 1, SURFACE_LOAD_STORE = 2 };
enum { INVALID_VALUE = 1, INVALID_TEXTURE = 18, INVALID_BINDING, INVALID_CHANNELS, INVALID_FILTER = 26, INVALID_NORM, INVALID_SURFACE = 37 };
enum { TEXTURE_ALIGNMENT = 14, PITCH_ALIGNMENT = 51, LINEAR_WIDTH = 69, ROWS_WIDTH, ROWS_HEIGHT, ROWS_PITCH };

RUNTIME(char, __cudaRegisterTexture, (void **handle, const struct texture *t, const void **device, const char *name, int dimensions, int reads, int is_extern))
RUNTIME(char, __cudaRegisterSurface, (void **handle, const struct surface *s, const void **device, const char *name, int dimensions, int is_extern))
RUNTIME(int, cudaBindTexture, (size_t *offset, const struct texture *t, const void *p, const struct channels *c, size_t bytes))
RUNTIME(int, cudaBindTexture2D, (size_t *offset, const struct texture *t, const void *p, const struct channels *c, size_t width, size_t height, size_t pitch))
RUNTIME(int, cudaBindTextureToArray, (const struct texture *t, const void *array, const struct channels *c))
RUNTIME(int, cudaBindTextureToMipmappedArray, (const struct texture *t, const void *mipmaps, const struct channels *c))
RUNTIME(int, cudaUnbindTexture, (const struct texture *t))
RUNTIME(int, cudaGetTextureAlignmentOffset, (size_t *offset, const struct texture *t))
RUNTIME(int, cudaGetTextureReference, (const struct texture **t, const void *symbol))
RUNTIME(int, cudaBindSurfaceToArray, (const struct surface *s, const void *array, const struct channels *c))
RUNTIME(int, cudaGetSurfaceReference, (const struct surface **s, const void *symbol))
RUNTIME(int, cudaMallocPitch, (void **p, size_t *pitch, size_t width, size_t height))
RUNTIME(int, cudaMallocArray, (void **array, const struct channels *c, size_t width, size_t height, unsigned flags))
RUNTIME(int, cudaFreeArray, (void *array))
RUNTIME(int, cudaMallocMipmappedArray, (void **mipmaps, const struct channels *c, struct extent e, unsigned levels, unsigned flags))
RUNTIME(int, cudaFreeMipmappedArray, (void *mipmaps))
RUNTIME(int, cudaCreateTextureObject, (uint64_t *handle, const void *resource, const void *texture, const void *view))
RUNTIME(int, cudaCreateSurfaceObject, (uint64_t *handle, const void *resource))
RUNTIME(int, cudaDeviceGetAttribute, (int *value, int attribute, int device))
RUNTIME(int, cudaGetSymbolAddress, (void **p, const void *symbol))

static const struct channels f32 = {{32}, FLOAT}, rgba = {{8, 8, 8, 8}, UNSIGNED}, u32 = {{32}, UNSIGNED}, rgb = {{8, 8, 8}, UNSIGNED};
static struct texture line = {.address = {CLAMP, CLAMP, CLAMP}, .channels = {{32}, FLOAT}},
		      image = {.address = {CLAMP, CLAMP, CLAMP}, .channels = {{8, 8, 8, 8}, UNSIGNED}},
		      left_out = {.channels = {{32}, FLOAT}}, /* registered, but no kernel reads it */
		      unknown;
static struct surface canvas, no_canvas;

__attribute__((constructor)) static void enter(void)
{
	__cudaRegisterTexture(fixture_handle, &line, NULL, "line", 1, ELEMENT, 0);
	__cudaRegisterTexture(fixture_handle, &image, NULL, "image", 2, NORMALIZED, 0);
	__cudaRegisterTexture(fixture_handle, &left_out, NULL, "left_out", 2, ELEMENT, 0);
	__cudaRegisterSurface(fixture_handle, &canvas, NULL, "canvas", 2, 0);
}

static size_t attribute(int k)
{
	int value = 0;
	RETURNS(0, cudaDeviceGetAttribute(&value, k, 0));
	return (size_t)value;
}

static void names(void)
{
	const struct texture *t = NULL;
	const struct surface *s = NULL;
	void *p;
	RETURNS(0, cudaGetTextureReference(&t, &line));
	EXPECT(t == &line);
	RETURNS(INVALID_TEXTURE, cudaGetTextureReference(&t, &unknown));
	RETURNS(INVALID_TEXTURE, cudaGetTextureReference(&t, &canvas));
	RETURNS(INVALID_TEXTURE, cudaGetTextureReference(&t, NULL));
	RETURNS(0, cudaGetSurfaceReference(&s, &canvas));
	EXPECT(s == &canvas);
	RETURNS(INVALID_SURFACE, cudaGetSurfaceReference(&s, &no_canvas));
	RETURNS(13, cudaGetSymbolAddress(&p, &line)); /* it is no variable */
}

/* Memory in a row: what cudaMalloc gave needs no offset. */
static void memory(void)
{
	const size_t align = attribute(TEXTURE_ALIGNMENT), most = attribute(LINEAR_WIDTH);
	size_t offset = 99;
	char *p, on_host[4];
	RETURNS(0, cudaMalloc((void **)&p, 4000));
	RETURNS(INVALID_BINDING, cudaGetTextureAlignmentOffset(&offset, &line));
	EXPECT((uintptr_t)p % align == 0);
	RETURNS(0, cudaBindTexture(NULL, &line, p, &f32, 4000));
	RETURNS(0, cudaBindTexture(&offset, &line, p, &f32, 4000));
	EXPECT(offset == 0);
	offset = 99;
	RETURNS(0, cudaGetTextureAlignmentOffset(&offset, &line));
	EXPECT(offset == 0);
	RETURNS(INVALID_VALUE, cudaGetTextureAlignmentOffset(NULL, &line));

	RETURNS(INVALID_VALUE, cudaBindTexture(NULL, &line, p + 64, &f32, 400));
	RETURNS(0, cudaBindTexture(&offset, &line, p + 64, &f32, 400));
	EXPECT(offset == 64);
	offset = 99;
	RETURNS(0, cudaGetTextureAlignmentOffset(&offset, &line));
	EXPECT(offset == 64);
	RETURNS(0, cudaBindTexture(&offset, &line, p + align, &f32, 400));
	EXPECT(offset == 0);

	RETURNS(0, cudaBindTexture(NULL, &line, p, &f32, 4294967295u)); /* UINT_MAX: the default, all there is */
	RETURNS(0, cudaBindTexture(NULL, &line, p, &f32, most * 4));
	RETURNS(INVALID_VALUE, cudaBindTexture(NULL, &line, p, &f32, most * 4 + 4));
	RETURNS(INVALID_VALUE, cudaBindTexture(NULL, &line, NULL, &f32, 400));
	RETURNS(INVALID_VALUE, cudaBindTexture(NULL, &line, on_host, &f32, 4));
	RETURNS(INVALID_VALUE, cudaBindTexture(NULL, &line, p, NULL, 400));
	RETURNS(INVALID_CHANNELS, cudaBindTexture(NULL, &line, p, &rgb, 400));
	RETURNS(INVALID_TEXTURE, cudaBindTexture(NULL, &unknown, p, &f32, 400));
	RETURNS(INVALID_TEXTURE, cudaBindTexture(NULL, NULL, p, &f32, 400));
	RETURNS(INVALID_TEXTURE, cudaBindTexture(NULL, &left_out, p, &f32, 400));
	EXPECT(cudaGetLastError() == INVALID_TEXTURE);

	/* it is as it was bound last */
	RETURNS(0, cudaUnbindTexture(&line));
	RETURNS(INVALID_BINDING, cudaGetTextureAlignmentOffset(&offset, &line));
	RETURNS(0, cudaUnbindTexture(&line));
	RETURNS(INVALID_TEXTURE, cudaUnbindTexture(&unknown));
	RETURNS(INVALID_TEXTURE, cudaGetTextureAlignmentOffset(&offset, &unknown));
	RETURNS(0, cudaFree(p));
}

static void rows(void)
{
	const size_t width = attribute(ROWS_WIDTH), height = attribute(ROWS_HEIGHT), most = attribute(ROWS_PITCH), step = attribute(PITCH_ALIGNMENT);
	size_t offset = 99, pitch;
	char *p;
	RETURNS(0, cudaMallocPitch((void **)&p, &pitch, 100 * 4, 16));
	RETURNS(0, cudaBindTexture2D(NULL, &image, p, &rgba, 100, 16, pitch));
	RETURNS(0, cudaBindTexture2D(&offset, &image, p + pitch + 16, &rgba, 50, 8, pitch));
	EXPECT(offset == ((uintptr_t)p + pitch + 16) % attribute(TEXTURE_ALIGNMENT));
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p + 16, &rgba, 50, 8, pitch));
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p, &rgba, 100, 16, pitch + step / 2));
	RETURNS(0, cudaBindTexture2D(NULL, &image, p, &rgba, 100, 16, pitch + step));
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p, &rgba, 100, 16, step)); /* shorter than a row */
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p, &rgba, width + 1, 16, most));
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p, &rgba, 100, height + 1, pitch));
	RETURNS(0, cudaBindTexture2D(NULL, &image, p, &rgba, width, height, most));
	RETURNS(INVALID_VALUE, cudaBindTexture2D(NULL, &image, p, &rgba, 100, 16, most + step));
	RETURNS(INVALID_CHANNELS, cudaBindTexture2D(NULL, &image, p, &rgb, 100, 16, pitch));
	RETURNS(INVALID_TEXTURE, cudaBindTexture2D(NULL, &unknown, p, &rgba, 100, 16, pitch));
	RETURNS(0, cudaFree(p));
}

/* Integers can be interpolated where they are read as parts of 1, and those of 32 bits can't be read so. */
static void reading(void *array, void *p)
{
	line.filter = LINEAR;
	RETURNS(0, cudaBindTextureToArray(&line, array, &f32));
	RETURNS(INVALID_FILTER, cudaBindTextureToArray(&line, array, &u32));
	RETURNS(0, cudaBindTexture(NULL, &line, p, &u32, 400)); /* there is no filter */
	line.filter = POINT;
	RETURNS(0, cudaBindTextureToArray(&line, array, &u32));
	image.filter = LINEAR;
	RETURNS(0, cudaBindTextureToArray(&image, array, &rgba));
	RETURNS(INVALID_NORM, cudaBindTextureToArray(&image, array, &u32));
	image.filter = POINT;
}

static void arrays(void)
{
	void *array, *other, *mipmaps, *p;
	size_t offset = 99;
	RETURNS(0, cudaMalloc(&p, 400));
	RETURNS(0, cudaMallocArray(&array, &f32, 64, 16, 0));
	RETURNS(0, cudaMallocArray(&other, &f32, 64, 16, SURFACE_LOAD_STORE));
	reading(array, p);
	RETURNS(0, cudaBindTextureToArray(&image, array, &rgba));
	RETURNS(0, cudaGetTextureAlignmentOffset(&offset, &image));
	EXPECT(offset == 0);
	RETURNS(INVALID_VALUE, cudaBindTextureToArray(&image, p, &rgba));
	RETURNS(INVALID_VALUE, cudaBindTextureToArray(&image, NULL, &rgba));
	RETURNS(INVALID_VALUE, cudaBindTextureToArray(&image, array, NULL));
	RETURNS(INVALID_CHANNELS, cudaBindTextureToArray(&image, array, &rgb));
	RETURNS(INVALID_TEXTURE, cudaBindTextureToArray(&unknown, array, &rgba));

	RETURNS(INVALID_VALUE, cudaBindSurfaceToArray(&canvas, array, &f32)); /* made without the flag */
	RETURNS(0, cudaBindSurfaceToArray(&canvas, other, &f32));
	RETURNS(INVALID_VALUE, cudaBindSurfaceToArray(&canvas, p, &f32));
	RETURNS(INVALID_SURFACE, cudaBindSurfaceToArray(&no_canvas, other, &f32));
	RETURNS(0, cudaFreeArray(other));
	RETURNS(INVALID_VALUE, cudaBindSurfaceToArray(&canvas, other, &f32));

	RETURNS(0, cudaFreeArray(array)); /* what was bound to it isn't any more */
	RETURNS(INVALID_BINDING, cudaGetTextureAlignmentOffset(&offset, &image));
	RETURNS(INVALID_VALUE, cudaBindTextureToArray(&image, array, &rgba));

	RETURNS(0, cudaMallocMipmappedArray(&mipmaps, &rgba, (struct extent){16, 16, 0}, 3, 0));
	RETURNS(0, cudaBindTextureToMipmappedArray(&image, mipmaps, &rgba));
	RETURNS(0, cudaGetTextureAlignmentOffset(&offset, &image));
	RETURNS(INVALID_VALUE, cudaBindTextureToMipmappedArray(&image, p, &rgba));
	RETURNS(INVALID_TEXTURE, cudaBindTextureToMipmappedArray(&unknown, mipmaps, &rgba));
	RETURNS(0, cudaFreeMipmappedArray(mipmaps));
	RETURNS(INVALID_BINDING, cudaGetTextureAlignmentOffset(&offset, &image));
	RETURNS(0, cudaFree(p));
}

/* A reset takes what is bound along; kernels that read no texture run. */
static void resetting(void)
{
	size_t offset;
	int *p, seven = 0;
	RETURNS(0, cudaMalloc((void **)&p, 400));
	RETURNS(0, cudaBindTexture(NULL, &line, p, &f32, 400));
	RETURNS(0, cudaDeviceReset());
	RETURNS(INVALID_BINDING, cudaGetTextureAlignmentOffset(&offset, &line));
	RETURNS(0, cudaMalloc((void **)&p, 400));
	RETURNS(0, cudaBindTexture(NULL, &line, p, &f32, 400));
	RETURNS(0, launch(plain, 1, 1, 0, NULL, ARGUMENTS(&p)));
	RETURNS(0, cudaMemcpy(&seven, p, sizeof seven, cudaMemcpyDeviceToHost));
	EXPECT(seven == 7);
	RETURNS(0, cudaFree(p));
}

/* ---- a kernel that reads one: the failure is the program's error ---- */

static void bind_line(int is_freed)
{
	size_t offset;
	char *p;
	CHECK(cudaMalloc((void **)&p, 1024));
	CHECK(cudaBindTexture(&offset, &line, p + 128, &f32, 512));
	if (is_freed)
		CHECK(cudaFree(p));
}

static void bind_image(void)
{
	size_t pitch;
	void *p;
	CHECK(cudaMallocPitch(&p, &pitch, 256, 4));
	CHECK(cudaBindTexture2D(NULL, &image, p, &rgba, 64, 4, pitch));
}

static void bind_canvas(void)
{
	void *array;
	CHECK(cudaMallocArray(&array, &f32, 32, 8, SURFACE_LOAD_STORE));
	CHECK(cudaBindSurfaceToArray(&canvas, array, &f32));
}

static uint64_t make_object(int is_surface)
{
	static uint64_t resource[18], texture[9]; /* cudaResourceDesc of an array, cudaTextureDesc */
	uint64_t handle = 0;
	CHECK(cudaMallocArray((void **)&resource[1], &f32, 32, 8, SURFACE_LOAD_STORE));
	if (is_surface)
		CHECK(cudaCreateSurfaceObject(&handle, resource));
	else
		CHECK(cudaCreateTextureObject(&handle, resource, texture, NULL));
	return handle;
}

static int read_one(const char *what)
{
	const void *kernel = !strcmp(what, "look") ? look : !strcmp(what, "store") ? store : fetch;
	uint64_t argument = 5; /* an object that is none */
	CHECK(cudaMalloc((void **)&(void *){NULL}, 4));
	if (!strcmp(what, "fetch") || !strcmp(what, "freed")) {
		bind_line(!strcmp(what, "freed"));
	} else if (kernel == look) {
		bind_image();
	} else if (kernel == store) {
		bind_canvas();
	} else if (!strcmp(what, "object") || !strcmp(what, "none")) {
		kernel = object;
		if (*what == 'o')
			argument = make_object(0);
	} else if (!strcmp(what, "write")) {
		kernel = write_one;
		argument = make_object(1);
	}
	CHECK(launch(kernel, 1, 32, 0, NULL, ARGUMENTS(&argument)));
	printf("%d\n", cudaDeviceSynchronize());
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return read_one(argv[1]);
	names();
	memory();
	rows();
	arrays();
	resetting();
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
