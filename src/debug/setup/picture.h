/* Image files: PNG, and PPM of 8 bits. */
#ifndef DEBUG_PICTURE_H
#define DEBUG_PICTURE_H

#include "debug/ground/ground.h"

/* Pixels, row by row from the top, each of `channels` bytes: gray; gray and opacity; or red, green, blue and opacity. */
struct picture {
	uint32_t width, height, channels; /* channels: 1, 2 or 4 */
	unsigned char *pixels;		  /* owned */
};

/* Returns whether a file's name ends as that of an image: .png or .ppm. */
bool picture_is_name(const char *path);
/* Reads a PNG, or a PPM or PGM of 8 bits (P6, P5), and converts its pixels to `channels` bytes. Returns false, with an error in `why`, if that fails; else
 * the caller frees out->pixels. */
bool picture_read(struct debug *d, const char *path, uint32_t channels, struct picture *out, struct text *why);
/* Writes an image as the file's name says; a PPM (P6) loses opacity. Returns false, with an error in `why`, if that fails. */
bool picture_write(struct debug *d, const char *path, const struct picture *m, struct text *why);

#endif
