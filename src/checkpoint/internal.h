/* What the files of this layer share. */
#ifndef CHECKPOINT_INTERNAL_H
#define CHECKPOINT_INTERNAL_H

#include <stdio.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/record.h"
#include "checkpoint/checkpoint.h"
#include "gpu/restore.h"
#include "isa/program.h"

#define CHECKPOINT_TITLE "warpstep checkpoint\n"
#define CHECKPOINT_FORMAT 6u

/* After the head come entries, each a number and what it says. */
enum checkpoint_entry {
	CHECKPOINT_END,
	CHECKPOINT_MARKED, /* offset, page: what `global` held at the last mark of memory. In front of the first section */
	CHECKPOINT_SECTION, /* name, kind, bytes used */
	CHECKPOINT_PAGE	    /* offset, page: of the section before it, by offset */
};

/* ---- heading.c: title, format, layout of the arena's structures; bytes and checksum of all that follows ---- */
struct heading {
	uint64_t bytes;
	unsigned long crc; /* zlib's crc32 */
};
void heading_write(const struct heading *h, struct text *out);
size_t heading_bytes(void); /* the same for all files */
/* Reads the heading of a file whose first n bytes are there. Returns false, with the reason, if the file is no checkpoint for this build. */
bool heading_read(const char *file, size_t n, const char *path, struct heading *out, struct text *why);
/* Returns false, with the reason, if what follows the heading is not what was written. */
bool heading_fits(const struct heading *h, const char *frame, uint64_t n, const char *path, struct text *why);

/* ---- stream.c: the frame ---- */
struct packer {
	FILE *f;
	ZSTD_CCtx *z;
	char *in, *out;
	size_t n;
	uint64_t written;
	unsigned long crc; /* of what was written */
	bool failed;	   /* errno says why */
};
bool packer_begin(struct packer *p, FILE *f);
void packer_put(struct packer *p, const void *bytes, size_t n);
void packer_number(struct packer *p, uint64_t v);
bool packer_end(struct packer *p); /* false: something could not be written */

struct unpacker {
	ZSTD_DCtx *z;
	ZSTD_inBuffer in;
	char *out;
	size_t at, n;
	bool over, truncated, damaged;
};
bool unpacker_begin(struct unpacker *u, const char *frame, size_t n);
bool unpacker_take(struct unpacker *u, void *to, size_t n);
uint64_t unpacker_number(struct unpacker *u);
bool unpacker_text(struct unpacker *u, struct text *to); /* a number, and so many bytes */
/* The frame ends here, its checksum is right, and nothing follows. */
bool unpacker_is_over(struct unpacker *u);
void unpacker_end(struct unpacker *u);

/* ---- programs.c ---- */
void programs_record(const struct isa_program *p, struct text *out);
/* Those of a record, in which all pointers lie. */
struct programs {
	struct programs_module {
		const char *name;
		uint32_t context;
		uint32_t since, until;	 /* steps of the machine between which it is there */
		uint32_t unloaded_after; /* files that had been loaded then */
	} * module;
	struct programs_file {
		const char *name, *text;
		size_t n;
		uint32_t module;
		bool in_memory;
	} * file;
	uint32_t n_modules, n_files;
	struct programs_place {
		uint64_t bytes, address;
	} * place; /* of managed variables that the program's process had, too, in the order in which they got them */
	uint32_t n_places;
	uint64_t n_insns, globals, constants; /* what they take, when all are loaded, */
	uint64_t digest;		      /* and where their variables are */
};
void programs_take(struct record_reader *r, struct programs *out);
void programs_free(struct programs *x);
/* Does the program have just these? False, with the first difference. */
bool programs_are(const struct programs *x, const struct isa_program *p, struct text *why);
/* Into a program without any. False: they can't be loaded, or not as they were. */
bool programs_load(const struct programs *x, struct isa_program *p, uint64_t device_end, struct text *why);

/* ---- restore.c ---- */
/* What stands in front of the pages. Everything points into `text`. */
struct checkpoint_head {
	struct text text;
	struct config *config;
	struct gpu_outside outside;
	struct programs programs;
	const char *debug;
	size_t n_debug;
};
bool checkpoint_head_take(struct checkpoint_head *h, const char *text, size_t n);
void checkpoint_head_free(struct checkpoint_head *h);
/* Gives the session the machine of a whole file. Returns false, with the reason and nothing changed, if the file is wrong. */
bool checkpoint_take(struct session *s, const char *file, size_t n, const char *path, struct text *why);
/* Gives the session the machine of a frame, whose checksum is right. `change` may be called in between: tests change the machine in it before it
 * is looked at. */
struct checkpoint_change {
	void (*change)(void *self, struct gpu *g);
	void *self;
};
bool checkpoint_take_frame(struct session *s, const char *frame, size_t n, const char *path,
			   const struct checkpoint_change *change, struct text *why);

#endif
