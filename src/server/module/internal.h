/* Declarations shared by the files of this folder. */
#ifndef SERVER_MODULE_INTERNAL_H
#define SERVER_MODULE_INTERNAL_H

#include "base/diag.h"
#include "base/hash.h"
#include "server/module/module.h"
#include "isa/program.h"

/* The PTX of one translation unit. */
struct unit {
	char *name; /* for messages; owned */
	char *text; /* owned */
	size_t n;
};
struct units {
	struct unit *v;
	size_t n, cap;
};
/* Adds PTX `text` of n bytes as a unit; takes ownership of `text` and copies the name. If the text is code of libcudadevrt, whose functions the
 * device has itself, frees the text instead. */
void units_add(struct units *u, const char *name, char *text, size_t n);
/* Returns whether PTX is code of libcudadevrt: whether it contains `__cuda_syscall_cnp`. */
bool is_device_runtime(const char *text);
/* Frees all units with their names and texts; `u` is empty afterwards. */
void units_free(struct units *u);

/* ---- image.c: linked images, as linker_complete returns and module_open reads them ---- */
#define IMAGE_MAGIC "WSLINK1\n"
#define IMAGE_MAGIC_BYTES 8u
/* Appends a linked image of the units, which image_read can read, to `out`. */
void image_write(const struct units *u, struct text *out);
/* Adds the units of the linked image at `address` to `out`, without code of libcudadevrt. Returns false if the image is malformed or can't be read;
 * `out` then has the units before the error. */
bool image_read(const struct fatbin_reader *from, uint64_t address, struct units *out);

/* ---- object.c: device code in host objects and in archives of them ---- */
/* Adds to `out`, from each fat binary of an object or archive of n bytes, the PTX that fits a device of `capability` best. name: names units whose
 * fat binary gives no name. Returns false, with the reason, if no fat binary has PTX, or one or the archive is damaged; units before the damage stay
 * added. */
bool object_units(const void *bytes, size_t n, uint32_t capability, const char *name, struct units *out,
		  struct text *why);

/* ---- module_load.c ---- */
/* Loads all units into module `module` of the program; appends warnings and errors to `log`, unless NULL. Returns WIRE_INVALID_PROGRAM at the first
 * unit that can't be loaded; units before it stay loaded. Returns WIRE_UNDEFINED_NAMES, with `strict`, if a name is used but undefined, else WIRE_OK. */
enum wire_status units_load(struct isa_program *p, uint32_t module, const struct units *u, bool strict,
			     struct module_log *log);
/* Returns whether a front end, such as PTX's, recognizes the text as a program of its language. */
bool looks_like_program(const char *text);

struct modules {
	struct debug *d;
	struct modules_host host;
	struct module *first;
	uint32_t highest, highest_within; /* targets of all PTX; of that up to host.most */
	bool is_quiet; /* true if notes about breakpoints are off (modules_set_notes) */
	struct parked { /* modules of the last run, which keep their code addresses if the next run loads them again */
		uint32_t number, first_function;
	} * parked;
	size_t n_parked, cap_parked;
};

struct module {
	struct modules *ms;
	struct module *next;
	struct fatbin fat; /* of a registered module: the location of its PTX, until it is loaded */
	struct fatbin_reader from;
	uint32_t n_units;
	uint32_t runtime;   /* 1 + the unit of libcudadevrt; 0: none */
	struct units units; /* units to load; empty after loading */
	enum wire_status error;
	bool was_tried, has_reported;
	bool is_registered; /* by the runtime API */
	uint32_t number;	 /* number among the program's modules; 0: not loaded */
	uint32_t first_function; /* lower limit of its functions' indices */
	struct module_code {	 /* machine code for the device, unpacked: kept up to MODULE_CODE_MOST bytes */
		char *elf;
		size_t n;
	} *code;
	size_t n_code, cap_code;
	struct hash_map kernels; /* kernels by name: index into `list` */
	uint32_t *list;
	size_t n_list, cap_list;
};

/* Reports that a unit has no PTX, naming its kernels and the compiler option that adds PTX. Appends the line to log->error, unless `log` is NULL, and
 * shows the first such line of the module to the user. */
void module_say_no_ptx(struct module *m, uint32_t unit, struct module_log *log);

/* ---- machine_code.c ---- */
#define MODULE_CODE_MOST ((size_t)8 << 20)
/* Notes the registers and frame sizes of a loaded module's functions, as the machine code for the device's family says, if the module has such code. */
void module_note_machine_code(struct module *m);

#endif
