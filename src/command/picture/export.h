/* A launch's recording in the formats of other viewers. Inside src/command/picture only. */
#ifndef COMMAND_PICTURE_EXPORT_H
#define COMMAND_PICTURE_EXPORT_H

#include "command/picture/picture.h"

/* Appends the JSON of Chrome's trace viewer and Perfetto: cores and warps as tracks, a cycle is a microsecond. */
void export_perfetto(const struct flights *f, struct text *out);
/* Appends a log of Kanata version 4, which Konata shows. */
void export_konata(const struct flights *f, struct text *out);

/* Appends AerialVision's log of the samples in these cycles. Returns false if there are none. */
bool export_aerialvision(const struct gpu *g, uint64_t first, uint64_t last, struct text *out);

/* What a user wants of a launch: `FILE [launch N] [core N] [warp A..B] [cycle C..D]`. */
struct picture_wanted {
	char *file;
	bool has_launch, has_cycles;
	uint32_t launch, low, high;
	int64_t core; /* -1: all */
	uint64_t first, last;
};
/* Parses `s`, the words `FILE [launch N] [core N] [warp A..B] [cycle C..D]`, into *w; ranges that `s` doesn't name are full. Returns false if a word
 * is unknown or FILE is missing. The caller frees w->file in either case; w->file is NULL if FILE is missing. */
bool picture_parse(const char *s, struct picture_wanted *w);
/* Reads `A..B`, moving *s behind it. Returns false if it is none. */
bool picture_take_range(const char **s, uint64_t *low, uint64_t *high);

#endif
