/* Linking at run time: each input is checked when it is added, all inputs together when the link is completed. */
#include "server/module/link.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/module/internal.h"
#include "isa/link/modules.h"

struct linker {
	uint32_t capability;
	struct units units;
	struct text image;
	unsigned unnamed;
};

struct linker *linker_create(uint32_t capability)
{
	struct linker *l = xcalloc(1, sizeof *l);
	l->capability = capability;
	return l;
}

void linker_destroy(struct linker *l)
{
	if (!l)
		return;
	units_free(&l->units);
	text_free(&l->image);
	free(l);
}

/* Loads the units into a temporary program to find their errors. */
static enum wire_status try_units(const struct units *u, bool strict, struct module_log *log)
{
	struct isa_program p;
	isa_program_init(&p);
	const enum wire_status error = units_load(&p, isa_module_add(&p, ""), u, strict, log);
	isa_program_free(&p);
	return error;
}

static enum wire_status log_error(struct module_log *log, const char *name, const char *why, enum wire_status error)
{
	if (log)
		text_addf(&log->error, "error: %s: %s\n", name, why);
	return error;
}

/* Adds PTX, which ends at a 0 or with the data. */
static enum wire_status add_ptx(struct units *out, const void *data, size_t n, const char *name)
{
	char *text = xstrndup(data, strnlen(data, n));
	const bool is_program = looks_like_program(text);
	units_add(out, name, text, strlen(text));
	return is_program ? WIRE_OK : WIRE_INVALID_PROGRAM;
}

static enum wire_status add_fatbin(struct linker *l, struct units *out, const void *data, size_t n, const char *name,
				    struct module_log *log)
{
	struct fatbin_bytes b = {data, n};
	const struct fatbin_reader r = fatbin_reader_of(&b);
	struct fatbin f = {0};
	struct text why = {0};
	enum wire_status error = WIRE_OK;
	bool exceeds;
	size_t n_text;
	const struct fatbin_entry *e =
		fatbin_add(&f, &r, 0, 0, &why) ? fatbin_choose(&f, 0, l->capability, &exceeds) : NULL;
	char *text = e ? fatbin_unpack(e, &r, &n_text, &why) : NULL;
	if (text)
		units_add(out, name, text, n_text);
	else if (why.n)
		error = log_error(log, name, text_str(&why), WIRE_INVALID_IMAGE);
	else
		error = log_error(log, name, "there is no PTX in it", WIRE_NO_BINARY);
	text_free(&why);
	fatbin_free(&f);
	return error;
}

static enum wire_status add_object(struct linker *l, struct units *out, const void *data, size_t n, const char *name,
				    struct module_log *log)
{
	struct text why = {0};
	const enum wire_status error = object_units(data, n, l->capability, name, out, &why)
						? WIRE_OK
						: log_error(log, name, text_str(&why), WIRE_NO_BINARY);
	text_free(&why);
	return error;
}

static enum wire_status read_input(struct linker *l, struct units *out, enum wire_link kind, const void *data,
				    size_t n, const char *name, struct module_log *log)
{
	switch (kind) {
	case WIRE_LINK_PTX: return add_ptx(out, data, n, name);
	case WIRE_LINK_FATBINARY: return add_fatbin(l, out, data, n, name, log);
	case WIRE_LINK_OBJECT:
	case WIRE_LINK_LIBRARY: return add_object(l, out, data, n, name, log);
	case WIRE_LINK_CUBIN: return log_error(log, name, "this is a cubin: machine code, no PTX", WIRE_NO_BINARY);
	default: return WIRE_INVALID_VALUE;
	}
}

enum wire_status linker_add(struct linker *l, enum wire_link kind, const void *data, size_t n, const char *name,
			     struct module_log *log)
{
	struct units added = {0};
	enum wire_status error = read_input(l, &added, kind, data, n, name && *name ? name : "<unknown>", log);
	if (!error || (error == WIRE_INVALID_PROGRAM && added.n)) {
		const enum wire_status found = try_units(&added, false, log);
		error = found ? found : error;
	}
	for (size_t k = 0; k < added.n && !error; k++) {
		units_add(&l->units, added.v[k].name, added.v[k].text, added.v[k].n);
		added.v[k].text = NULL;
	}
	units_free(&added);
	return error;
}

enum wire_status linker_complete(struct linker *l, const void **image, size_t *n, struct module_log *log)
{
	const enum wire_status error = try_units(&l->units, true, log);
	if (error)
		return error == WIRE_INVALID_PROGRAM ? WIRE_UNDEFINED_NAMES : error;
	text_clear(&l->image);
	image_write(&l->units, &l->image);
	*image = l->image.s;
	*n = l->image.n;
	return WIRE_OK;
}
