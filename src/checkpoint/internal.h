/* Declarations shared by the files of src/checkpoint. */
#ifndef CHECKPOINT_INTERNAL_H
#define CHECKPOINT_INTERNAL_H

#include <stdio.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/record.h"
#include "checkpoint/checkpoint.h"
#include "gpu/rewind/restore.h"
#include "isa/program.h"

#define CHECKPOINT_FORMAT 10u

/* Kinds of the entries that follow the head of the frame. Each entry is a number and its contents. */
enum checkpoint_entry {
	CHECKPOINT_END,
	CHECKPOINT_MARKED, /* offset, page: contents of `global` at the last mark of memory; before the first section */
	CHECKPOINT_SECTION, /* name, kind, bytes used */
	CHECKPOINT_PAGE,    /* offset, page: a page of the preceding section; ascending offsets */
	CHECKPOINT_INPUTS   /* text: inputs that lead from the frame of the past to the present */
};

/* ---- heading.c: title, format, layout of the arena's structures; length and checksum of the frames ---- */
struct heading {
	uint64_t bytes;	   /* of all frames */
	uint64_t past;	   /* of the last one: the machine at the beginning of the history; 0: the file has no history */
	unsigned long crc; /* zlib's crc32 of the frames */
};
/* Appends the heading's text to `out`. */
void heading_write(const struct heading *h, struct text *out);
/* Returns the length of a heading, which is the same for all files of this build. */
size_t heading_bytes(void);
/* Reads the heading of a file whose first n bytes are in `file`. Returns false, with the reason, if the file is no checkpoint for this build. */
bool heading_read(const char *file, size_t n, const char *path, struct heading *out, struct text *why);
/* Checks length and checksum of the n bytes that follow the heading. Returns false, with the reason, if they differ from what was written. */
bool heading_fits(const struct heading *h, const char *frame, uint64_t n, const char *path, struct text *why);

/* ---- stream.c: the frame ---- */
struct packer {
	FILE *f;
	ZSTD_CCtx *z;
	char *in, *out;
	size_t n;
	uint64_t written;
	unsigned long crc; /* CRC-32 of what was written */
	bool failed;	   /* true after an error; errno has the reason */
};
/* Prepares the writing of a zstd frame to `f`. Returns false with errno if there isn't enough memory. */
bool packer_begin(struct packer *p, FILE *f);
/* Adds n bytes to the frame. Errors are kept in `failed`. */
void packer_write(struct packer *p, const void *bytes, size_t n);
/* Adds a number (8 bytes) to the frame. */
void packer_number(struct packer *p, uint64_t v);
/* Completes the frame and frees the packer's buffers. Returns false with errno if something could not be written. */
bool packer_end(struct packer *p);

struct unpacker {
	ZSTD_DCtx *z;
	ZSTD_inBuffer in;
	char *out;
	size_t at, n;
	bool over, truncated, damaged;
};
/* Prepares the reading of the zstd frame in the n bytes at `frame`, which must stay valid. Returns false if there isn't enough memory. */
bool unpacker_begin(struct unpacker *u, const char *frame, size_t n);
/* Copies the next n bytes of the frame's contents to `to`. Returns false, and sets `truncated` or `damaged`, if there are fewer. */
bool unpacker_read(struct unpacker *u, void *to, size_t n);
/* Returns the next number (8 bytes) of the frame; after an error the value is undefined, and `truncated` or `damaged` is set. */
uint64_t unpacker_number(struct unpacker *u);
/* Appends a length-prefixed text of the frame to `to`. Returns false if the frame ends before the text does, or is damaged. */
bool unpacker_text(struct unpacker *u, struct text *to);
/* Returns whether all contents were read, the frame's checksum is right, and nothing follows the frame. */
bool unpacker_is_over(struct unpacker *u);
/* Frees the unpacker's buffers. */
void unpacker_end(struct unpacker *u);

/* ---- programs.c ---- */
/* Appends the record of all modules, texts and placed variables of a program to `out`. */
void programs_write(const struct isa_program *p, struct text *out);
/* The programs of a record. All pointers point into the record. */
struct programs {
	struct programs_module {
		const char *name;
		uint32_t context;
		uint32_t since, until;	 /* loaded for steps [since, until) of the machine */
		uint32_t unloaded_after; /* number of files that were loaded before the unload */
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
	} * place; /* of managed variables that the program's process maps too, in the order of their placement */
	uint32_t n_places;
	uint64_t n_insns, globals, constants; /* totals when all modules are loaded */
	uint64_t digest;		      /* digest of all variables' addresses, sizes and spaces */
};
/* Reads the programs of a record. The caller frees the result with programs_free, also after an error, which sets r->bad. */
void programs_read(struct record_reader *r, struct programs *out);
/* Frees the tables of `x`; the record itself belongs to the caller. */
void programs_free(struct programs *x);
/* Returns whether the loaded programs of `p` are those of the record; writes the first difference to `why` if they are not. */
bool programs_match(const struct programs *x, const struct isa_program *p, struct text *why);
/* Loads the record's programs into `p`, which must be empty. Returns false with the reason if they can't be loaded, or if the result differs from the
 * record. */
bool programs_load(const struct programs *x, struct isa_program *p, uint64_t device_end, struct text *why);

/* ---- restore.c ---- */
/* The head of a frame, before the pages. All pointers point into `text`. */
struct checkpoint_head {
	struct text text;
	struct config *config;
	struct gpu_outside outside;
	struct programs programs;
	const char *debug;
	size_t n_debug;
};
/* Called with the restored machine before it is validated: tests change the machine there. */
struct checkpoint_change {
	void (*change)(void *self, struct gpu *g);
	void *self;
};
/* Replaces the session's machine by that of a frame whose checksum is right. `change` may be NULL. Returns false, with the reason and nothing
 * changed, if the contents are wrong. */
bool checkpoint_restore_frame(struct session *s, const char *frame, size_t n, const char *path,
			      const struct checkpoint_change *change, struct text *why);

#endif
