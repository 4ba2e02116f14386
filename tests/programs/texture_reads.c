/* What kernels read through texture objects and write through surface objects, against a model of the texture unit in double precision that was written
 * from the CUDA C++ Programming Guide (appendix "Texture Fetching", "Cubemap Textures"), not from src/exec. Coordinates are multiples of 1/1024, so
 * that the 8 bits of fraction of the weights are the same in both. */
#include <math.h>

#include "checks.h"
#include "texture_objects.h"

FIXTURE("texture_reads.ptx")
KERNEL(read_1d, "read_1d")
KERNEL(read_2d, "read_2d")
KERNEL(read_3d, "read_3d")
KERNEL(read_a1d, "read_a1d")
KERNEL(read_a2d, "read_a2d")
KERNEL(read_cube, "read_cube")
KERNEL(read_acube, "read_acube")
KERNEL(read_level, "read_level")
KERNEL(gather, "gather")
KERNEL(fetch, "fetch")
KERNEL(read_bytes, "read_bytes")
KERNEL(swap, "swap")
KERNEL(beyond, "beyond")

struct pitched {
	void *p;
	size_t pitch, xsize, ysize;
};
struct copy { /* cudaMemcpy3DParms */
	void *from_array;
	size_t from[3];
	struct pitched from_p;
	void *to_array;
	size_t to[3];
	struct pitched to_p;
	struct extent extent;
	int kind;
};
enum { WRAP, CLAMP, MIRROR, BORDER };
enum { SIGNED, UNSIGNED, FLOAT };
enum { LAYERED = 1, STORES = 2, CUBE = 4 };
int cudaMalloc3DArray(void **array, const struct channels *c, struct extent e, unsigned flags), cudaMemcpy3D(const struct copy *c);
int cudaMallocMipmappedArray(void **mipmaps, const struct channels *c, struct extent e, unsigned levels, unsigned flags);
int cudaGetMipmappedArrayLevel(void **array, const void *mipmaps, unsigned level);
int cudaCreateTextureObject(uint64_t *, const void *, const void *, const void *), cudaCreateSurfaceObject(uint64_t *, const void *);
int cudaMemcpy2DFromArray(void *to, size_t pitch, const void *array, size_t x, size_t y, size_t width, size_t height, int kind);

#define PLACES 256u
static uint32_t seed = 1;
static uint32_t number(uint32_t below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* ---- the model ---- */

struct level {
	int width, height, depth; /* depth: slices, layers or faces */
	unsigned char *texels;
};
struct model {
	struct level level[4];
	int levels, dims, channels, bytes, format, faces; /* faces: 6 for cubes, else 1 */
	struct texture s;
};

static double channel(const struct model *m, const struct level *l, int x, int y, int z, int c)
{
	if (c >= m->channels)
		return c == 3;
	const unsigned char *p = l->texels + ((((size_t)z * (size_t)l->height + (size_t)y) * (size_t)l->width + (size_t)x) * (size_t)m->channels + (size_t)c) * (size_t)m->bytes;
	if (m->format == FLOAT) {
		float f;
		memcpy(&f, p, sizeof f);
		return f;
	}
	if (m->format == UNSIGNED) {
		const double v = m->bytes == 1 ? *p : p[0] + 256 * p[1];
		return m->s.reads ? v / (m->bytes == 1 ? 255 : 65535) : v;
	}
	const double v = m->bytes == 1 ? (signed char)*p : (int16_t)(p[0] + 256 * p[1]);
	return !m->s.reads ? v : fmax(v / (m->bytes == 1 ? 127 : 32767), -1);
}

/* -1: the border */
static int settle(long i, int n, int mode)
{
	if (mode == WRAP)
		return (int)(((i % n) + n) % n);
	if (mode == MIRROR) {
		const long turn = ((i % (2L * n)) + 2L * n) % (2L * n);
		return (int)(turn < n ? turn : 2L * n - 1 - turn);
	}
	if (mode == CLAMP)
		return (int)(i < 0 ? 0 : i >= n ? n - 1 : i);
	return i < 0 || i >= n ? -1 : (int)i;
}

/* Interpolates dimension k and those below it; i has the texels of the dimensions above. */
static double along(const struct model *m, const struct level *l, const double *at, int k, int *i, int layer, int c)
{
	if (k < 0) {
		for (int d = 0; d < m->dims; d++)
			if (i[d] < 0)
				return m->s.border[c];
		return channel(m, l, i[0], m->dims > 1 ? i[1] : 0, m->dims > 2 ? i[2] : layer, c);
	}
	const int n = k == 0 ? l->width : k == 1 ? l->height : l->depth;
	int mode = m->faces > 1 ? CLAMP : m->s.address[k];
	if (!m->s.normalized && (mode == WRAP || mode == MIRROR))
		mode = CLAMP;
	const double x = m->s.normalized ? at[k] * n : at[k];
	if (!m->s.filter) {
		i[k] = settle(lround(floor(x)), n, mode);
		return along(m, l, at, k - 1, i, layer, c);
	}
	const double low = floor(x - 0.5), alpha = floor((x - 0.5 - low) * 256 + 0.5) / 256;
	i[k] = settle(lround(low), n, mode);
	const double a = along(m, l, at, k - 1, i, layer, c);
	i[k] = settle(lround(low) + 1, n, mode);
	const double b = along(m, l, at, k - 1, i, layer, c);
	return (1 - alpha) * a + alpha * b;
}

/* The guide's table: face, s, t and the major axis by the direction's largest component. */
static int face_of(const float *d, double *s, double *t)
{
	const double x = d[0], y = d[1], z = d[2], ax = fabs(x), ay = fabs(y), az = fabs(z);
	if (ax > ay && ax > az)
		return *s = (x > 0 ? -z : z) / ax, *t = -y / ax, x > 0 ? 0 : 1;
	if (ay > az)
		return *s = x / ay, *t = (y > 0 ? z : -z) / ay, y > 0 ? 2 : 3;
	return *s = (z > 0 ? x : -x) / az, *t = -y / az, z > 0 ? 4 : 5;
}

static double expected(const struct model *m, const float *at, int layer, double lod, int c)
{
	double place[3] = {at[0], at[1], at[2]};
	int i[3] = {0};
	if (m->faces > 1) {
		double s, t;
		layer = layer * 6 + face_of(at, &s, &t);
		place[0] = (s + 1) / 2;
		place[1] = (t + 1) / 2;
	}
	lod = fmin(fmax(lod + m->s.bias, m->s.least), m->s.most);
	lod = m->levels == 1 ? 0 : fmin(fmax(lod, 0), m->levels - 1);
	const int dims = m->dims;
	if (!m->s.mipmap_filter)
		return along(m, &m->level[(int)floor(lod + 0.5)], place, dims - 1, i, layer, c);
	const int low = (int)floor(lod);
	const double alpha = floor((lod - low) * 256 + 0.5) / 256;
	const double a = along(m, &m->level[low], place, dims - 1, i, layer, c);
	return alpha > 0 ? (1 - alpha) * a + alpha * along(m, &m->level[low + 1], place, dims - 1, i, layer, c) : a;
}

/* ---- the device ---- */

static void fill_level(struct model *m, struct level *l)
{
	const size_t n = (size_t)l->width * (size_t)l->height * (size_t)l->depth * (size_t)m->channels;
	l->texels = malloc(n * (size_t)m->bytes);
	for (size_t k = 0; k < n; k++) {
		const float f = (float)number(4096) / 64.0f - 32.0f;
		const uint32_t v = number(65536);
		memcpy(l->texels + k * (size_t)m->bytes, m->format == FLOAT ? (const void *)&f : &v, (size_t)m->bytes);
	}
}

static void upload(const struct model *m, const struct level *l, void *array)
{
	const size_t row = (size_t)(l->width * m->channels * m->bytes);
	const struct copy c = {.from_p = {l->texels, row, (size_t)l->width, (size_t)l->height},
			       .to_array = array,
			       .extent = {(size_t)l->width, (size_t)l->height, (size_t)l->depth},
			       .kind = cudaMemcpyHostToDevice};
	RETURNS(0, cudaMemcpy3D(&c));
}

static uint64_t texture_of(struct model *m, unsigned flags)
{
	struct channels c = {.format = m->format};
	for (int k = 0; k < m->channels; k++)
		c.bits[k] = 8 * m->bytes;
	const struct level *l = &m->level[0];
	const struct extent e = {(size_t)l->width, m->dims > 1 ? (size_t)l->height : 0, m->dims > 2 || flags & (LAYERED | CUBE) ? (size_t)l->depth : 0};
	struct resource r = {.kind = m->levels > 1 ? MIPMAPS : ARRAY};
	uint64_t handle = 0;
	for (int k = 0; k < m->levels; k++) {
		m->level[k].width = l->width >> k ? l->width >> k : 1;
		m->level[k].height = l->height >> k ? l->height >> k : 1;
		m->level[k].depth = l->depth;
		fill_level(m, &m->level[k]);
	}
	if (m->levels > 1) {
		RETURNS(0, cudaMallocMipmappedArray(&r.of.array, &c, e, (unsigned)m->levels, flags));
		for (int k = 0; k < m->levels; k++) {
			void *level;
			RETURNS(0, cudaGetMipmappedArrayLevel(&level, r.of.array, (unsigned)k));
			upload(m, &m->level[k], level);
		}
	} else {
		RETURNS(0, cudaMalloc3DArray(&r.of.array, &c, e, flags));
		upload(m, l, r.of.array);
	}
	RETURNS(0, cudaCreateTextureObject(&handle, &r, &m->s, NULL));
	return handle;
}

static float places[PLACES][4], results[PLACES][4];

static void ask(const void *kernel, uint64_t handle)
{
	void *at, *out;
	RETURNS(0, cudaMalloc(&at, sizeof places));
	RETURNS(0, cudaMalloc(&out, sizeof results));
	RETURNS(0, cudaMemcpy(at, places, sizeof places, cudaMemcpyHostToDevice));
	RETURNS(0, launch(kernel, PLACES / 64, 64, 0, NULL, ARGUMENTS(&handle, &at, &out)));
	RETURNS(0, cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost));
	cudaFree(at);
	cudaFree(out);
}

static void compare(const char *what, const struct model *m, unsigned place, const double *wanted)
{
	for (int c = 0; c < 4; c++) {
		const double got = results[place][c], off = fabs(got - wanted[c]);
		if (off <= 2e-5 * fmax(1, fabs(wanted[c])))
			continue;
		if (failures++ < 5)
			printf("%s: filter %d, modes %d %d %d, normalized %d, at %g %g %g %g, channel %d: %g, wanted %g\n", what, m->s.filter, m->s.address[0],
			       m->s.address[1], m->s.address[2], m->s.normalized, places[place][0], places[place][1], places[place][2], places[place][3], c, got,
			       wanted[c]);
	}
}

/* One texture: random size, format, modes and places. */
static void try_one(const char *name, const void *kernel, int dims, int layers, int faces, int levels)
{
	struct model m = {.levels = levels, .dims = dims, .faces = faces};
	const int formats[][2] = {{FLOAT, 4}, {UNSIGNED, 1}, {SIGNED, 1}, {UNSIGNED, 2}, {SIGNED, 2}};
	const int *f = formats[number(5)];
	m.format = f[0];
	m.bytes = f[1];
	m.channels = 1 << number(3);
	m.level[0].width = 1 + (int)number(levels > 1 ? 16 : 12) + (levels > 1 ? 8 : 0);
	m.level[0].height = dims > 1 ? faces > 1 ? m.level[0].width : 1 + (int)number(9) + (levels > 1 ? 8 : 0) : 1;
	m.level[0].depth = dims > 2 ? 1 + (int)number(5) : layers ? layers * faces : faces;
	m.s.reads = m.format != FLOAT;
	m.s.filter = (int)number(2);
	m.s.normalized = levels > 1 || faces > 1 || number(2);
	m.s.mipmap_filter = levels > 1 && number(2);
	m.s.most = 100;
	if (levels > 1) {
		m.s.bias = (float)number(3) / 4 - 0.25f;
		m.s.most = (float)number(8) / 2;
	}
	for (int k = 0; k < 3; k++) {
		m.s.address[k] = (int)number(4);
		m.s.border[k] = (float)number(8);
	}
	m.s.border[3] = 2;
	const uint64_t handle = texture_of(&m, (layers ? LAYERED : 0) | (faces > 1 ? CUBE : 0));
	for (unsigned p = 0; p < PLACES; p++) {
		for (int k = 0; k < 3; k++) {
			places[p][k] = ((float)number(24 * 1024) - 6 * 1024) / 1024;
			if (m.s.normalized)
				places[p][k] /= 8;
			if (faces > 1) /* one component larger than the others by a power of two, so that the quotients are exact */
				places[p][k] = (int)(p % 3) == k ? (number(2) ? 4.0f : -4.0f) : ((float)number(4000) - 2000) / 512;
		}
		places[p][3] = levels > 1 ? (float)number(48) / 8 - 1 : (float)number((uint32_t)layers + 2);
	}
	ask(kernel, handle);
	for (unsigned p = 0; p < PLACES; p++) {
		const int layer = !layers ? 0 : places[p][3] < (float)layers ? (int)places[p][3] : layers - 1;
		double wanted[4];
		for (int c = 0; c < 4; c++)
			wanted[c] = expected(&m, places[p], layer, levels > 1 ? places[p][3] : 0, c);
		compare(name, &m, p, wanted);
	}
	for (int k = 0; k < levels; k++)
		free(m.level[k].texels);
}

/* The four texels of a footprint, from the lower left one against the clock; channel 1. */
static void try_gather(void)
{
	struct model m = {.levels = 1, .dims = 2, .channels = 2, .bytes = 4, .format = FLOAT, .faces = 1, .s = {.address = {CLAMP, CLAMP, CLAMP}, .most = 100}};
	m.level[0] = (struct level){.width = 7, .height = 5, .depth = 1};
	const uint64_t handle = texture_of(&m, 0);
	for (unsigned p = 0; p < PLACES; p++)
		for (int k = 0; k < 2; k++)
			places[p][k] = (float)number(9 * 1024) / 1024 - 1;
	ask(gather, handle);
	for (unsigned p = 0; p < PLACES; p++) {
		const long x = lround(floor(places[p][0] - 0.5)), y = lround(floor(places[p][1] - 0.5));
		const long dx[] = {0, 1, 1, 0}, dy[] = {1, 1, 0, 0};
		double wanted[4];
		for (int c = 0; c < 4; c++)
			wanted[c] = channel(&m, &m.level[0], settle(x + dx[c], 7, CLAMP), settle(y + dy[c], 5, CLAMP), 0, 1);
		compare("gather", &m, p, wanted);
	}
}

/* Linear memory by numbers, zeros outside; memory with a pitch; bytes as they are. */
static void try_memory(void)
{
	float texels[32];
	void *p;
	uint64_t handle;
	for (int k = 0; k < 32; k++)
		texels[k] = (float)k;
	RETURNS(0, cudaMalloc(&p, 4096));
	RETURNS(0, cudaMemcpy(p, texels, sizeof texels, cudaMemcpyHostToDevice));
	const struct channels two = {{32, 32}, FLOAT}, bytes = {{8, 8, 8, 8}, UNSIGNED};
	struct resource r = {.kind = MEMORY, .of.memory = {p, two, sizeof texels, 0, 0}};
	const struct texture plain = {.address = {CLAMP, CLAMP, CLAMP}};
	RETURNS(0, cudaCreateTextureObject(&handle, &r, &plain, NULL));
	for (unsigned k = 0; k < PLACES; k++)
		places[k][0] = (float)k - 8;
	ask(fetch, handle);
	for (unsigned k = 0; k < PLACES; k++)
		EXPECT(k >= 8 && k < 24 ? results[k][0] == texels[2 * (k - 8)] && results[k][1] == texels[2 * (k - 8) + 1] : results[k][0] == 0);
	r = (struct resource){.kind = ROWS, .of.memory = {p, bytes, 5, 3, 512}};
	unsigned char image[3 * 512];
	for (size_t k = 0; k < sizeof image; k++)
		image[k] = (unsigned char)(k * 7);
	RETURNS(0, cudaMemcpy(p, image, sizeof image, cudaMemcpyHostToDevice));
	RETURNS(0, cudaCreateTextureObject(&handle, &r, &plain, NULL));
	for (unsigned k = 0; k < PLACES; k++) {
		places[k][0] = (float)(k % 8) - 1;
		places[k][1] = (float)(k / 8 % 5) - 1;
	}
	ask(read_bytes, handle);
	for (unsigned k = 0; k < PLACES; k++)
		for (int c = 0; c < 4; c++)
			EXPECT(results[k][c] == image[settle((long)places[k][1], 3, CLAMP) * 512 + settle((long)places[k][0], 5, CLAMP) * 4 + c]);
}

static void try_surface(int beyond_it)
{
	const struct channels bytes = {{8, 8, 8, 8}, UNSIGNED};
	unsigned char image[3][16][4], after[3][16][4];
	struct resource r = {.kind = ARRAY};
	uint64_t handle;
	int width = 16;
	for (int k = 0; k < 3 * 16 * 4; k++)
		(&image[0][0][0])[k] = (unsigned char)(k * 5);
	RETURNS(0, cudaMalloc3DArray(&r.of.array, &bytes, (struct extent){16, 3, 0}, STORES));
	const struct copy up = {.from_p = {image, 64, 16, 3}, .to_array = r.of.array, .extent = {16, 3, 1}, .kind = cudaMemcpyHostToDevice};
	RETURNS(0, cudaMemcpy3D(&up));
	RETURNS(0, cudaCreateSurfaceObject(&handle, &r));
	if (beyond_it) {
		RETURNS(0, launch(beyond, 1, 1, 0, NULL, ARGUMENTS(&handle)));
		printf("%d\n", cudaDeviceSynchronize());
		return;
	}
	RETURNS(0, launch(swap, 3, 16, 0, NULL, ARGUMENTS(&handle, &width)));
	RETURNS(0, cudaMemcpy2DFromArray(after, 64, r.of.array, 0, 0, 64, 3, cudaMemcpyDeviceToHost));
	for (int y = 0; y < 3; y++)
		for (int x = 0; x < 16; x++)
			for (int c = 0; c < 4; c++)
				EXPECT(after[y][x][c] == image[y][x][3 - c]);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "beyond")) {
		try_surface(1);
		return 0;
	}
	seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
	for (int k = 0; k < 8; k++) {
		try_one("1d", read_1d, 1, 0, 1, 1);
		try_one("2d", read_2d, 2, 0, 1, 1);
		try_one("3d", read_3d, 3, 0, 1, 1);
		try_one("a1d", read_a1d, 1, 3, 1, 1);
		try_one("a2d", read_a2d, 2, 3, 1, 1);
		try_one("cube", read_cube, 2, 0, 6, 1);
		try_one("acube", read_acube, 2, 2, 6, 1);
		try_one("levels", read_level, 2, 0, 1, 4);
	}
	try_gather();
	try_memory();
	try_surface(0);
	return verdict();
}
