/* Modules: opening, loading on demand, names, closing. */
#include "server/module/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/files.h"
#include "base/xalloc.h"
#include "server/module/internal.h"
#include "debug/debug.h"
#include "gpu/gpu.h"
#include "isa/link/modules.h"

#define TEXT_MAX (UINT64_C(1) << 30)

static struct isa_program *program_of(const struct modules *ms) { return gpu_program(debug_gpu(ms->d)); }

struct modules *modules_create(struct debug *d, const struct modules_host *host)
{
	struct modules *ms = xcalloc(1, sizeof *ms);
	ms->d = d;
	ms->host = *host;
	return ms;
}

static void free_module(struct module *m)
{
	fatbin_free(&m->fat);
	units_free(&m->units);
	hash_map_free(&m->kernels);
	for (size_t k = 0; k < m->n_code; k++)
		free(m->code[k].elf);
	free(m->code);
	free(m->list);
	free(m);
}

void modules_destroy(struct modules *ms)
{
	while (ms && ms->first) {
		struct module *next = ms->first->next;
		free_module(ms->first);
		ms->first = next;
	}
	if (ms)
		free(ms->parked);
	free(ms);
}

void modules_set_notes(struct modules *ms, bool on) { ms->is_quiet = !on; }
uint32_t modules_highest(const struct modules *ms) { return ms->highest_within ? ms->highest_within : ms->highest; }

static struct module *new_module(struct modules *ms)
{
	struct module *m = xcalloc(1, sizeof *m);
	m->ms = ms;
	m->next = ms->first;
	ms->first = m;
	return m;
}

static void remove_module(struct module *m)
{
	struct module **at = &m->ms->first;
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	free_module(m);
}

/* ---- names of what has none ---- */

static bool is_name_taken(const struct isa_program *p, const char *name)
{
	for (uint32_t k = 0; k < p->n_files; k++)
		if (p->files[k].frontend && !p->files[k].unloaded && !strcmp(p->files[k].name, name))
			return true;
	return false;
}

static bool is_unit(const struct module *m, const char *name)
{
	for (size_t k = 0; k < m->units.n; k++)
		if (!strcmp(m->units.v[k].name, name))
			return true;
	return false;
}

/* Names a unit DIR/app.ptx beside the program, after its source if known, else after the program; app-2.ptx and so on if the name is taken. */
static void name_unit(const struct module *m, const char *source, struct text *out)
{
	const char *program = m->ms->host.program, *slash = strrchr(program, '/');
	const char *whole = *source ? source : slash ? slash + 1 : program, *base = strrchr(whole, '/');
	base = base ? base + 1 : whole;
	if (!*base) /* a program that was started elsewhere */
		base = "program";
	const char *dot = strrchr(base, '.');
	const int n = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
	for (unsigned k = 1; !out->n || is_name_taken(program_of(m->ms), text_str(out)) || is_unit(m, text_str(out));
	     k++) {
		text_clear(out);
		text_addn(out, program, slash ? (size_t)(slash + 1 - program) : 0);
		text_addf(out, k > 1 ? "%.*s-%u.ptx" : "%.*s.ptx", n, base, k);
	}
}

static void add_unit(struct module *m, const char *source, char *text, size_t n)
{
	struct text name = {0};
	name_unit(m, source, &name);
	units_add(&m->units, text_str(&name), text, n);
	text_free(&name);
}

/* ---- which text is loaded ---- */

static void say(const struct module *m, const char *format_line)
{
	if (m->ms->host.say)
		m->ms->host.say(m->ms->host.self, format_line);
}

static void note_target(const struct module *m, const struct fatbin_entry *e, uint32_t capability)
{
	struct text line = {0};
	char suffix[2] = {e->suffix, '\0'};
	text_addf(&line,
		  "note: the PTX is for sm_%u%s, the device has compute capability %u.%u: it is run all the same\n",
		  e->sm, suffix, capability / 10, capability % 10);
	say(m, text_str(&line));
	text_free(&line);
}

/* Says that a unit has no PTX up to host.most. Returns whether its PTX for a later target is loaded all the same. */
static bool above_most(struct module *m, const struct fatbin_entry *e, uint32_t unit, struct module_log *log)
{
	const struct modules_host *host = &m->ms->host;
	struct text line = {0};
	text_addf(&line, "%s: the program has no PTX for sm_%u or below (-gpgpu_ptx_force_max_capability %u)%s",
		  host->most_is_strict ? "error" : "note", host->most, host->most, host->most_is_strict ? "; it has PTX for" : ": ");
	if (!host->most_is_strict)
		text_addf(&line, "that for sm_%u is run", e->sm);
	for (size_t k = 0; host->most_is_strict && k < m->fat.n; k++)
		if (m->fat.entries[k].kind == FATBIN_PTX && m->fat.entries[k].unit == unit)
			text_addf(&line, " sm_%u", m->fat.entries[k].sm);
	text_addc(&line, '\n');
	if (!m->has_reported)
		say(m, text_str(&line));
	m->has_reported = true;
	if (log && host->most_is_strict)
		text_add(&log->error, text_str(&line));
	text_free(&line);
	return !host->most_is_strict;
}

static enum wire_status unpack_unit(struct module *m, uint32_t unit, struct module_log *log)
{
	const uint32_t capability = m->ms->host.capability(m->ms->host.self);
	struct text why = {0};
	bool exceeds;
	size_t n;
	const struct fatbin_entry *e = fatbin_choose(&m->fat, unit, capability, &exceeds);
	if (!e) {
		module_say_no_ptx(m, unit, log);
		return WIRE_NO_BINARY;
	}
	if (m->ms->host.most && e->sm > m->ms->host.most && !above_most(m, e, unit, log))
		return WIRE_NO_BINARY;
	if (exceeds && !unit)
		note_target(m, e, capability);
	char *text = fatbin_unpack(e, &m->from, &n, &why);
	if (text && m->ms->host.unpacked)
		m->ms->host.unpacked(m->ms->host.self, text, n);
	if (text)
		add_unit(m, e->name, text, n);
	else if (log)
		text_addf(&log->error, "error: %s\n", text_str(&why));
	text_free(&why);
	return text ? WIRE_OK : WIRE_INVALID_IMAGE;
}

#define PTX_BYTES_MAX ((size_t)1 << 30)

/* Makes the PTX of host.ptx_file the module's only unit. */
static enum wire_status replace_units(struct module *m, struct module_log *log)
{
	const char *path = m->ms->host.ptx_file;
	struct text name = {0}, line = {0};
	size_t n = 0;
	char *text = files_read(NULL, path, FILES_READ, PTX_BYTES_MAX, &n);
	text_addf(&line, text ? "note: PTX_SIM_USE_PTX_FILE is set: the PTX of '%s' is run in place of the program's\n"
			     : "error: can't read '%s', which PTX_SIM_KERNELFILE names\n", path);
	if (!m->has_reported)
		say(m, text_str(&line));
	m->has_reported = true;
	if (!text && log)
		text_add(&log->error, text_str(&line));
	for (unsigned k = 1; text && (!name.n || is_name_taken(program_of(m->ms), text_str(&name))); k++) {
		text_clear(&name);
		text_addf(&name, k > 1 ? "%s-%u" : "%s", path, k);
	}
	if (text)
		units_add(&m->units, text_str(&name), text, n);
	text_free(&name);
	text_free(&line);
	return text ? WIRE_OK : WIRE_NO_BINARY;
}

static enum wire_status unpack_units(struct module *m, struct module_log *log)
{
	enum wire_status error = WIRE_OK;
	if (m->is_registered && m->ms->host.ptx_file)
		return replace_units(m, log);
	for (uint32_t u = 0; u < m->n_units && !error; u++)
		error = u + 1 == m->runtime ? WIRE_OK : unpack_unit(m, u, log);
	return error;
}

/* ---- loading ---- */

static void list_kernels(struct module *m)
{
	const struct isa_program *p = program_of(m->ms);
	for (uint32_t k = m->first_function; k < p->n_functions; k++) {
		const struct isa_function *f = p->functions[k];
		if (!f->is_kernel || !f->is_defined || f->unloaded || isa_program_module_of(p, f->file) != m->number)
			continue;
		m->list = xgrow(m->list, &m->cap_list, m->n_list + 1, sizeof *m->list);
		hash_map_put(&m->kernels, f->name, strlen(f->name), (uint32_t)m->n_list);
		m->list[m->n_list++] = k;
	}
}

/* Notifies the debugger that a module was loaded or unloaded, and passes on its notes about breakpoints. */
static void announce_module(struct modules *ms, uint32_t module, bool is_there)
{
	struct text notes = {0};
	debug_module_changed(ms->d, module, is_there, ms->is_quiet ? NULL : &notes);
	if (notes.n && ms->host.loaded)
		ms->host.loaded(ms->host.self, text_str(&notes));
	text_free(&notes);
}

/* ---- modules of the last run ---- */

/* Returns whether a module of the program consists of exactly these units, with the same names. */
static bool has_same_units(const struct isa_program *p, uint32_t module, const struct units *u)
{
	size_t n = 0;
	for (uint32_t k = 0; k < p->n_files; k++) {
		const struct isa_file *f = &p->files[k];
		if (!f->frontend || f->module != module)
			continue;
		if (n == u->n || f->n_text != u->v[n].n || strcmp(f->name, u->v[n].name) ||
		    memcmp(f->text, u->v[n].text, f->n_text))
			return false;
		n++;
	}
	return n == u->n;
}

/* Unloads the parked modules for good: another module may get their addresses. */
static void drop_parked(struct modules *ms)
{
	for (size_t k = 0; k < ms->n_parked; k++)
		isa_module_unload(program_of(ms), ms->parked[k].number);
	ms->n_parked = 0;
}

/* Takes the parked module with the same units, which then has the number, code and variables that it had. Returns false if there is none. */
static bool take_parked(struct module *m)
{
	struct modules *ms = m->ms;
	struct isa_program *p = program_of(ms);
	size_t k = 0;
	while (k < ms->n_parked && !has_same_units(p, ms->parked[k].number, &m->units))
		k++;
	if (k == ms->n_parked)
		return false;
	m->number = ms->parked[k].number;
	m->first_function = ms->parked[k].first_function;
	ms->parked[k] = ms->parked[--ms->n_parked];
	struct isa_module *of = &p->modules[m->number];
	of->until = ISA_STEP_NEVER;
	of->insns_end = p->n_insns;
	of->const_end = p->const_next;
	return true;
}

static enum wire_status add_module(struct module *m, bool strict, struct module_log *log)
{
	struct isa_program *p = program_of(m->ms);
	drop_parked(m->ms);
	m->first_function = p->n_functions;
	m->number = isa_module_add(p, m->units.n ? file_base_name(m->units.v[0].name) : "");
	return units_load(p, m->number, &m->units, strict, log);
}

static enum wire_status load_module(struct module *m, bool strict, struct module_log *log)
{
	struct isa_program *p = program_of(m->ms);
	enum wire_status error = m->fat.n ? unpack_units(m, log) : WIRE_OK;
	if (error)
		return error;
	if (!take_parked(m))
		error = add_module(m, strict, log);
	p->modules[m->number].context = m->ms->host.context ? m->ms->host.context(m->ms->host.self) : 0;
	units_free(&m->units); /* the program has copied them */
	if (error) {
		isa_module_unload(p, m->number);
		m->number = 0;
		return error == WIRE_UNDEFINED_NAMES ? WIRE_INVALID_PROGRAM : error;
	}
	module_note_machine_code(m);
	announce_module(m->ms, m->number, true);
	list_kernels(m);
	return WIRE_OK;
}

/* Loads a module if it isn't loaded. Returns 0 or an error; a failed load returns its error again each time, but prints it once. */
static enum wire_status ensure_loaded(struct module *m)
{
	struct module_log log = {0};
	if (m->was_tried)
		return m->error;
	m->was_tried = true;
	m->error = load_module(m, false, &log);
	if (log.error.n && !m->has_reported)
		say(m, text_str(&log.error));
	module_log_free(&log);
	return m->error;
}

/* ---- opening ---- */

/* Removes the entries of libcudadevrt, whose targets don't tell what device the program is for. */
static void leave_out_runtime(struct module *m)
{
	struct fatbin *f = &m->fat;
	size_t kept = 0;
	for (size_t k = 0; k < f->n && m->n_units > 1 && !m->runtime; k++) {
		struct text why = {0};
		size_t n;
		char *text =
			f->entries[k].kind == FATBIN_PTX ? fatbin_unpack(&f->entries[k], &m->from, &n, &why) : NULL;
		if (text && is_device_runtime(text))
			m->runtime = f->entries[k].unit + 1;
		free(text);
		text_free(&why);
	}
	for (size_t k = 0; k < f->n; k++)
		if (f->entries[k].unit + 1 != m->runtime)
			f->entries[kept++] = f->entries[k];
	f->n = kept;
}

struct module *module_register(struct modules *ms, const struct fatbin_reader *from, uint64_t wrapper,
			       enum wire_status *error)
{
	struct module *m = new_module(ms);
	struct text why = {0};
	m->from = *from;
	if (!fatbin_add_wrapped(&m->fat, from, wrapper, &m->n_units, &why)) {
		*error = WIRE_INVALID_IMAGE;
		text_free(&why);
		remove_module(m);
		return NULL;
	}
	leave_out_runtime(m);
	const uint32_t highest = fatbin_highest(&m->fat, 0), within = fatbin_highest(&m->fat, ms->host.most);
	ms->highest = highest > ms->highest ? highest : ms->highest;
	ms->highest_within = within > ms->highest_within ? within : ms->highest_within;
	m->is_registered = true;
	*error = WIRE_OK;
	return m;
}

void module_set_reader(struct module *m, const struct fatbin_reader *from) { m->from = *from; }

/* Reads text up to a 0 or the end of readable memory. */
static char *read_text(const struct fatbin_reader *from, uint64_t address, size_t *n)
{
	enum { PAGE = 4096 };
	char *s = NULL;
	size_t cap = 0, at = 0;
	while (at < TEXT_MAX) {
		const size_t piece = PAGE - (address + at) % PAGE;
		s = xgrow(s, &cap, at + piece + 1, 1);
		const size_t got = from->read(from->self, address + at, s + at, piece);
		const char *end = memchr(s + at, 0, got);
		at = end ? (size_t)(end - s) : at + got;
		if (end || got < piece)
			break;
	}
	if (s)
		s[at] = '\0';
	*n = at;
	return s;
}

static enum wire_status read_ptx_image(struct module *m, const char *name, uint64_t image)
{
	size_t n;
	char *text = read_text(&m->from, image, &n);
	if (!text || !looks_like_program(text)) {
		free(text);
		return WIRE_INVALID_IMAGE;
	}
	add_unit(m, name, text, n);
	return WIRE_OK;
}

/* Reads an image that was linked at run time. */
static enum wire_status read_linked_image(struct module *m, uint64_t image)
{
	struct units units = {0};
	const bool ok = image_read(&m->from, image, &units);
	for (size_t k = 0; k < units.n && ok; k++) {
		const char *name = units.v[k].name;
		add_unit(m, strchr(name, '<') ? "" : name, units.v[k].text, units.v[k].n);
		units.v[k].text = NULL;
	}
	units_free(&units);
	return ok ? WIRE_OK : WIRE_INVALID_IMAGE;
}

static enum wire_status read_fatbin_image(struct module *m, uint64_t image, bool wrapped, struct module_log *log)
{
	struct text why = {0};
	m->n_units = 1;
	const bool ok = wrapped ? fatbin_add_wrapped(&m->fat, &m->from, image, &m->n_units, &why)
				: fatbin_add(&m->fat, &m->from, image, 0, &why);
	if (!ok && log)
		text_addf(&log->error, "error: %s\n", text_str(&why));
	text_free(&why);
	return ok ? WIRE_OK : WIRE_INVALID_IMAGE;
}

/* Reads an image whose kind its first bytes tell. */
static enum wire_status read_image(struct module *m, const char *name, uint64_t image, struct module_log *log)
{
	char head[IMAGE_MAGIC_BYTES] = "";
	uint32_t magic;
	if (!m->from.read(m->from.self, image, head, sizeof head))
		return WIRE_INVALID_IMAGE;
	memcpy(&magic, head, sizeof magic);
	if (magic == FATBIN_MAGIC || magic == FATBIN_WRAPPER_MAGIC)
		return read_fatbin_image(m, image, magic == FATBIN_WRAPPER_MAGIC, log);
	if (!memcmp(head, IMAGE_MAGIC, sizeof head))
		return read_linked_image(m, image);
	if (!memcmp(head, "\177ELF", 4)) {
		if (log)
			text_add(&log->error, "error: this is a cubin: machine code, no PTX\n");
		return WIRE_NO_BINARY;
	}
	return read_ptx_image(m, name, image);
}

static struct module *open_image(struct modules *ms, const struct fatbin_reader *from, const char *name, uint64_t image,
				 struct module_log *log, enum wire_status *error)
{
	struct module *m = new_module(ms);
	m->from = *from;
	m->was_tried = true;
	*error = read_image(m, name, image, log);
	if (!*error)
		*error = load_module(m, true, log);
	m->from = (struct fatbin_reader){0}; /* the reader may be on the caller's stack */
	if (!*error)
		return m;
	remove_module(m);
	return NULL;
}

struct module *module_open(struct modules *ms, const struct fatbin_reader *from, uint64_t image, struct module_log *log,
			   enum wire_status *error)
{
	return open_image(ms, from, "", image, log, error);
}

struct module *module_open_bytes(struct modules *ms, const char *path, const void *bytes, size_t n,
				 struct module_log *log, enum wire_status *error)
{
	struct fatbin_bytes b = {bytes, n};
	const struct fatbin_reader from = fatbin_reader_of(&b);
	return open_image(ms, &from, path, 0, log, error);
}

void module_close(struct module *m)
{
	struct modules *ms = m->ms;
	const uint32_t number = m->number;
	remove_module(m);
	if (!number)
		return;
	isa_module_unload(program_of(ms), number);
	announce_module(ms, number, false);
}

/* Returns whether a module has managed variables, whose memory the program shares and therefore ends with it. */
static bool has_managed_variables(const struct isa_program *p, uint32_t module)
{
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (p->variables[k]->flags & ISA_VAR_MANAGED && isa_program_module_of(p, p->variables[k]->file) == module)
			return true;
	return false;
}

void module_park(struct module *m)
{
	struct modules *ms = m->ms;
	const struct parked parked = {m->number, m->first_function};
	if (!m->number || has_managed_variables(program_of(ms), m->number)) {
		module_close(m);
		return;
	}
	remove_module(m);
	program_of(ms)->modules[parked.number].unloaded_after = program_of(ms)->n_files;
	ms->parked = xgrow(ms->parked, &ms->cap_parked, ms->n_parked + 1, sizeof *ms->parked);
	ms->parked[ms->n_parked++] = parked;
	announce_module(ms, parked.number, false);
}

/* ---- names ---- */

enum wire_status module_function(struct module *m, const char *name, uint32_t *function)
{
	const enum wire_status error = ensure_loaded(m);
	uint32_t at;
	if (error)
		return error;
	if (!hash_map_get(&m->kernels, name, strlen(name), &at))
		return WIRE_NOT_FOUND;
	*function = m->list[at];
	return WIRE_OK;
}

static bool is_reference(const struct isa_variable *v) { return isa_type_info[v->type].cls == ISA_CLASS_OPAQUE; }

static const struct isa_variable *variable_named(const struct module *m, const char *name)
{
	const struct isa_program *p = program_of(m->ms);
	for (uint32_t k = p->n_variables; k-- > 0;) {
		const struct isa_variable *v = p->variables[k];
		if (!(v->flags & (ISA_VAR_UNLOADED | ISA_VAR_EXTERN)) && !strcmp(v->name, name) &&
		    isa_program_module_of(p, v->file) == m->number &&
		    (v->space == ISA_SPACE_GLOBAL || v->space == ISA_SPACE_CONST))
			return v;
	}
	return NULL;
}

enum wire_status module_variable(struct module *m, const char *name, struct module_variable *out)
{
	const enum wire_status error = ensure_loaded(m);
	const struct isa_variable *v = error ? NULL : variable_named(m, name);
	if (!v || is_reference(v))
		return error ? error : WIRE_NOT_FOUND;
	*out = (struct module_variable){.address = isa_variable_address(v, true),
					.bytes = v->bytes,
					.is_constant = v->space == ISA_SPACE_CONST,
					.is_managed = v->flags & ISA_VAR_MANAGED};
	return WIRE_OK;
}

enum wire_status module_reference(struct module *m, const char *name, bool is_surface, uint64_t *address)
{
	const enum wire_status error = ensure_loaded(m);
	const struct isa_variable *v = error ? NULL : variable_named(m, name);
	if (!v || v->type != (is_surface ? ISA_SURFREF : ISA_TEXREF))
		return error ? error : WIRE_NOT_FOUND;
	*address = isa_variable_address(v, true);
	return WIRE_OK;
}

bool modules_have_reference(const struct modules *ms, uint32_t context, uint64_t address)
{
	const struct isa_program *p = program_of(ms);
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *v = p->variables[k];
		const uint32_t module = isa_program_module_of(p, v->file);
		if (is_reference(v) && !(v->flags & (ISA_VAR_UNLOADED | ISA_VAR_EXTERN)) &&
		    isa_variable_address(v, true) == address && module < p->n_modules &&
		    p->modules[module].context == context)
			return true;
	}
	return false;
}

uint32_t module_kernels(struct module *m, uint32_t *functions, uint32_t most)
{
	if (ensure_loaded(m))
		return 0;
	for (uint32_t k = 0; k < m->n_list && k < most; k++)
		functions[k] = m->list[k];
	return (uint32_t)m->n_list;
}
