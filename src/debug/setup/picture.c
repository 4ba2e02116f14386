/* Image files. PNG is libpng's; PPM: netpbm's ppm(5), pgm(5). */
#include "debug/setup/picture.h"

#include <errno.h>
#include <png.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"

#define FILE_BYTES_MAX (UINT64_C(1) << 30)
#define EXTENT_MAX 65536u

static bool ends_in(const char *path, const char *end)
{
	const size_t n = strlen(path), k = strlen(end);
	return n > k && !strcmp(path + n - k, end);
}

bool picture_is_name(const char *path) { return ends_in(path, ".png") || ends_in(path, ".ppm"); }

static uint32_t png_format(uint32_t channels)
{
	return channels == 1 ? PNG_FORMAT_GRAY : channels == 2 ? PNG_FORMAT_GA : PNG_FORMAT_RGBA;
}

static bool allocate(struct picture *m, uint64_t width, uint64_t height, uint32_t channels, const char *path, struct text *why)
{
	if (!width || !height || width > EXTENT_MAX || height > EXTENT_MAX)
		return debug_fail(why, "%s has %llu x %llu pixels: each has to be from 1 to %u", path, (unsigned long long)width,
				  (unsigned long long)height, EXTENT_MAX);
	*m = (struct picture){.width = (uint32_t)width, .height = (uint32_t)height, .channels = channels};
	m->pixels = xcalloc(width * height, channels);
	return true;
}

/* ---- PNG ---- */

static bool read_png(const char *path, const char *bytes, size_t n, uint32_t channels, struct picture *m, struct text *why)
{
	png_image p = {.version = PNG_IMAGE_VERSION};
	if (!png_image_begin_read_from_memory(&p, bytes, n))
		return debug_fail(why, "%s is no PNG that can be read: %s", path, p.message);
	p.format = png_format(channels);
	if (!allocate(m, p.width, p.height, channels, path, why)) {
		png_image_free(&p);
		return false;
	}
	if (png_image_finish_read(&p, NULL, m->pixels, 0, NULL))
		return true;
	free(m->pixels);
	return debug_fail(why, "%s is no PNG that can be read: %s", path, p.message);
}

static bool write_png(struct debug *d, const char *path, const struct picture *m, struct text *why)
{
	png_image p = {.version = PNG_IMAGE_VERSION, .width = m->width, .height = m->height, .format = png_format(m->channels)};
	png_alloc_size_t n = 0;
	if (!png_image_write_to_memory(&p, NULL, &n, 0, m->pixels, 0, NULL))
		return debug_fail(why, "can't write '%s': %s", path, p.message);
	void *bytes = xmalloc(n);
	bool ok = png_image_write_to_memory(&p, bytes, &n, 0, m->pixels, 0, NULL) || debug_fail(why, "can't write '%s': %s", path, p.message);
	ok = ok && (files_write(d->host.files, path, bytes, n) || debug_fail(why, "can't write '%s': %s", path, strerror(errno)));
	free(bytes);
	return ok;
}

/* ---- PPM ---- */

/* Reads a number of the heading behind blanks and comments. Returns false if there is none. */
static bool take_number(const char **s, const char *end, uint64_t *out)
{
	while (*s < end && strchr(" \t\r\n#", **s) && **s) {
		if (**s == '#')
			while (*s < end && **s != '\n')
				++*s;
		else
			++*s;
	}
	const char *first = *s;
	for (*out = 0; *s < end && **s >= '0' && **s <= '9' && *out < UINT32_MAX; ++*s)
		*out = *out * 10 + (uint64_t)(**s - '0');
	return *s > first;
}

static void convert_pixel(const unsigned char *from, bool is_gray, uint32_t channels, unsigned char *to)
{
	const unsigned r = from[0], g = from[is_gray ? 0 : 1], b = from[is_gray ? 0 : 2];
	if (channels == 4) {
		to[0] = (unsigned char)r;
		to[1] = (unsigned char)g;
		to[2] = (unsigned char)b;
		to[3] = 255;
		return;
	}
	to[0] = (unsigned char)(is_gray ? r : (2126 * r + 7152 * g + 722 * b + 5000) / 10000);
	if (channels == 2)
		to[1] = 255;
}

static bool read_ppm(const char *path, const char *bytes, size_t n, uint32_t channels, struct picture *m, struct text *why)
{
	const bool is_gray = bytes[1] == '5';
	const uint32_t size = is_gray ? 1 : 3;
	const char *s = bytes + 2, *end = bytes + n;
	uint64_t width, height, most;
	if (!take_number(&s, end, &width) || !take_number(&s, end, &height) || !take_number(&s, end, &most) || s == end)
		return debug_fail(why, "%s has no heading of a PPM", path);
	if (most != 255)
		return debug_fail(why, "%s has values up to %llu: only 255 can be read", path, (unsigned long long)most);
	s++;
	if (!allocate(m, width, height, channels, path, why))
		return false;
	if ((uint64_t)(end - s) < width * height * size) {
		free(m->pixels);
		return debug_fail(why, "%s has fewer than %llu x %llu pixels", path, (unsigned long long)width, (unsigned long long)height);
	}
	for (uint64_t k = 0; k < width * height; k++)
		convert_pixel((const unsigned char *)s + k * size, is_gray, channels, m->pixels + k * channels);
	return true;
}

static bool write_ppm(struct debug *d, const char *path, const struct picture *m, struct text *why)
{
	struct text out = {0};
	text_addf(&out, "P6\n%u %u\n255\n", m->width, m->height);
	for (uint64_t k = 0; k < (uint64_t)m->width * m->height; k++) {
		const unsigned char *p = m->pixels + k * m->channels;
		const char rgb[3] = {(char)p[0], (char)p[m->channels == 4 ? 1 : 0], (char)p[m->channels == 4 ? 2 : 0]};
		text_addn(&out, rgb, 3);
	}
	const bool ok = files_write(d->host.files, path, out.s, out.n);
	text_free(&out);
	return ok || debug_fail(why, "can't write '%s': %s", path, strerror(errno));
}

/* ---- either ---- */

bool picture_read(struct debug *d, const char *path, uint32_t channels, struct picture *out, struct text *why)
{
	size_t n = 0;
	char *bytes = files_read(d->host.files, path, FILES_READ, FILE_BYTES_MAX, &n);
	bool ok;
	if (!bytes)
		return debug_fail(why, "can't read '%s': %s", path, strerror(errno));
	if (n > FILE_BYTES_MAX)
		ok = debug_fail(why, "%s is too large", path);
	else if (n > 2 && bytes[0] == 'P' && (bytes[1] == '5' || bytes[1] == '6'))
		ok = read_ppm(path, bytes, n, channels, out, why);
	else
		ok = read_png(path, bytes, n, channels, out, why);
	free(bytes);
	return ok;
}

bool picture_write(struct debug *d, const char *path, const struct picture *m, struct text *why)
{
	return ends_in(path, ".ppm") ? write_ppm(d, path, m, why) : write_png(d, path, m, why);
}
