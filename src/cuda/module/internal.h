/* What the files of this folder share. */
#ifndef CUDA_MODULE_INTERNAL_H
#define CUDA_MODULE_INTERNAL_H

#include "base/diag.h"
#include "base/hash.h"
#include "cuda/module/module.h"
#include "isa/program.h"

/* PTX of one translation unit. */
struct unit {
	char *name; /* for messages; owned */
	char *text; /* owned */
	size_t n;
};
struct units {
	struct unit *v;
	size_t n, cap;
};
/* Takes the text over, copies the name. libcudadevrt's own code is left out: its functions are the device's (isa/builtins.def). */
void units_add(struct units *u, const char *name, char *text, size_t n);
bool is_device_runtime(const char *text);
void units_free(struct units *u);

/* ---- image.c: what linker_complete gives the program, and module_open reads ---- */
#define IMAGE_MAGIC "WSLINK1\n"
#define IMAGE_MAGIC_BYTES 8u
void image_write(const struct units *u, struct text *out);
bool image_read(const struct fatbin_reader *from, uint64_t address, struct units *out);

/* ---- object.c: device code in host objects and in archives of them ---- */
/* The PTX of each fat binary there that has some for the device. False, with the reason, if there is none. */
bool object_units(const void *bytes, size_t n, uint32_t capability, const char *name, struct units *out,
		  struct text *why);

/* ---- module_load.c ---- */
/* All units into a module of the program, which then is linked: messages go to `log` (may be NULL). `strict`: names that are defined nowhere
 * are an error. */
enum module_error units_load(struct isa_program *p, uint32_t module, const struct units *u, bool strict,
			     struct module_log *log);
/* Text that may be PTX? */
bool looks_like_ptx(const char *text);

struct modules {
	struct debug *d;
	struct modules_host host;
	struct module *first;
	uint32_t highest;
	bool quiet; /* modules_tell */
};

struct module {
	struct modules *ms;
	struct module *next;
	struct fatbin fat; /* registered: where its PTX is, until it is loaded */
	struct fatbin_reader from;
	uint32_t n_units;
	uint32_t runtime;   /* 1 + the unit that is libcudadevrt's, 0: none */
	struct units units; /* what is to be loaded, or was */
	enum module_error error;
	bool tried, said;
	uint32_t number;	 /* among the program's modules, 0: not loaded */
	uint32_t first_function; /* none of its functions has a lower index */
	struct hash_map kernels; /* by name: index into `list` */
	uint32_t *list;
	size_t n_list, cap_list;
};

/* Why there is nothing to run, and the option that helps. */
void module_say_no_ptx(struct module *m, uint32_t unit, struct module_log *log);

#endif
