#include "server/program/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/file.h"
#include "base/toolkit.h"
#include "base/xalloc.h"
#include "server/program/maps.h"

#ifdef WS_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#define FRAMES_MAX 256u

struct symbols {
	char *maps; /* text of /proc/PID/maps when it was recorded */
	size_t n_maps;
	pid_t pid;
	Dwfl *dwfl; /* made from `maps` on demand; NULL: not yet */
};

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
					 .find_debuginfo = dwfl_standard_find_debuginfo};

struct symbols *symbols_create(void) { return xcalloc(1, sizeof(struct symbols)); }

static void close_dwfl(struct symbols *s)
{
	if (s->dwfl)
		dwfl_end(s->dwfl);
	s->dwfl = NULL;
}

void symbols_free(struct symbols *s)
{
	close_dwfl(s);
	free(s->maps);
	free(s);
}

void symbols_note_maps(struct symbols *s, pid_t pid)
{
	size_t n;
	char *maps = maps_read(pid, &n);
	if (!n || (s->pid == pid && n == s->n_maps && !memcmp(maps, s->maps, n))) {
		free(maps);
		return;
	}
	close_dwfl(s);
	free(s->maps);
	s->maps = maps;
	s->n_maps = n;
	s->pid = pid;
}

static Dwfl *dwfl_of(struct symbols *s)
{
	if (s->dwfl || !s->n_maps)
		return s->dwfl;
	FILE *f = fmemopen(s->maps, s->n_maps, "r");
	s->dwfl = f ? dwfl_begin(&callbacks) : NULL;
	if (s->dwfl) {
		dwfl_report_begin(s->dwfl);
		dwfl_linux_proc_maps_report(s->dwfl, f);
		dwfl_report_end(s->dwfl, NULL, NULL);
	}
	if (f)
		fclose(f);
	return s->dwfl;
}

/* ---- places ---- */

struct place {
	const char *module, *function, *file; /* NULL: not known */
	uint64_t offset;		      /* offset in the function */
	int line;
};

/* Returns the file that an inlined function was called from, and sets *line. Returns NULL if the debug information doesn't say. */
static const char *call_site(Dwarf_Die *unit, Dwarf_Die *inlined, int *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word file, number;
	size_t n;
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &number) || dwarf_getsrcfiles(unit, &files, &n) ||
	    file >= n)
		return NULL;
	*line = (int)number;
	return dwarf_filesrc(files, file, NULL, NULL);
}

/* Returns the file of the innermost call outside of the toolkit's headers that inlined the code at `pc`, and sets *line. Returns NULL if there is none. */
static const char *inlining_file(Dwfl_Module *m, uint64_t pc, int *line)
{
	Dwarf_Addr bias;
	Dwarf_Die *const unit = dwfl_module_addrdie(m, pc, &bias), *scopes = NULL;
	const int n = unit ? dwarf_getscopes(unit, pc - bias, &scopes) : 0;
	const char *found = NULL;
	for (int k = 0; k < n && !found && dwarf_tag(&scopes[k]) != DW_TAG_subprogram; k++) {
		const char *const file =
			dwarf_tag(&scopes[k]) == DW_TAG_inlined_subroutine ? call_site(unit, &scopes[k], line) : NULL;
		found = file && !toolkit_is_header(file) ? file : NULL;
	}
	free(scopes);
	return found;
}

/* Fills *out with the function and line of the code at `pc`. Code inlined from the toolkit's headers has the line of the call that inlined it. */
static bool find_place(struct symbols *s, uint64_t pc, struct place *out)
{
	Dwfl *d = dwfl_of(s);
	Dwfl_Module *m = d ? dwfl_addrmodule(d, pc) : NULL;
	GElf_Off offset = 0;
	GElf_Sym symbol;
	*out = (struct place){0};
	if (!m)
		return false;
	out->module = file_base_name(dwfl_module_info(m, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	out->function = dwfl_module_addrinfo(m, pc, &offset, &symbol, NULL, NULL, NULL);
	out->offset = offset;
	Dwfl_Line *line = dwfl_module_getsrc(m, pc);
	const char *file = line ? dwfl_lineinfo(line, NULL, &out->line, NULL, NULL, NULL) : NULL;
	int caller_line = 0;
	const char *const caller = file && toolkit_is_header(file) ? inlining_file(m, pc, &caller_line) : NULL;
	file = caller ? caller : file;
	out->line = caller ? caller_line : out->line;
	out->file = file && out->line > 0 ? file_base_name(file) : NULL;
	return true;
}

static void add_function(const char *name, struct text *out)
{
	if (!demangle_name(name, true, out))
		text_add(out, name);
}

bool symbols_place(struct symbols *s, uint64_t address, struct text *out)
{
	struct place p;
	if (!address || !find_place(s, address - 1, &p))
		return false;
	if (!p.function) {
		text_addf(out, "0x%" PRIx64 " in %s", address, p.module);
		return true;
	}
	add_function(p.function, out);
	if (p.file)
		text_addf(out, " at %s:%d", p.file, p.line);
	else
		text_addf(out, "+0x%" PRIx64, p.offset + 1);
	return true;
}

bool symbols_line(struct symbols *s, uint64_t address, struct text *out)
{
	struct place p;
	if (address && find_place(s, address - 1, &p) && p.file) {
		text_addf(out, "%s:%d", p.file, p.line);
		return true;
	}
	return symbols_place(s, address, out);
}

uint32_t symbols_source(struct symbols *s, uint64_t address, struct text *file)
{
	struct place p;
	if (!address || !find_place(s, address - 1, &p) || !p.file)
		return 0;
	text_add(file, p.file);
	return (uint32_t)p.line;
}

/* ---- stacks ---- */

struct stack {
	struct symbols *s;
	struct text *out;
	unsigned n;
	bool begun;
};

struct call {
	struct symbols *s;
	struct text *name, *place;
	bool entered;
};

static bool is_ours(const char *module)
{
	return !strncmp(module, "libwarpstep", 11) || !strncmp(module, "libcuda", 7);
}

/* #1  0x00005555555551d6 in main () at vecadd.c:27 */
static void add_frame(struct stack *k, uint64_t pc, const struct place *p)
{
	text_addf(k->out, "#%-2u 0x%016" PRIx64 " in ", k->n++, pc);
	struct text name = {0};
	if (p->function)
		add_function(p->function, &name);
	text_addf(k->out, "%s%s", name.n ? text_str(&name) : "??", name.n && strchr(name.s, '(') ? "" : " ()");
	text_free(&name);
	if (p->file)
		text_addf(k->out, " at %s:%d", p->file, p->line);
	else if (p->module)
		text_addf(k->out, " from %s", p->module);
	text_addc(k->out, '\n');
}

/* Adds a frame, except the innermost frames of the libraries, which wait for the debugger. */
static int take_frame(Dwfl_Frame *frame, void *self)
{
	struct stack *k = self;
	struct place p;
	Dwarf_Addr pc;
	bool is_activation;
	if (!dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;
	find_place(k->s, is_activation ? pc : pc - 1, &p);
	if (!k->begun && p.module && (is_ours(p.module) || !strncmp(p.module, "libc.so", 7)))
		return DWARF_CB_OK;
	k->begun = true;
	add_frame(k, pc, &p);
	return k->n < FRAMES_MAX ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static Dwfl *attach_process(struct symbols *s, pid_t pid, struct text *why)
{
	symbols_note_maps(s, pid);
	Dwfl *d = dwfl_of(s);
	if (d && (dwfl_pid(d) == pid || !dwfl_linux_proc_attach(d, pid, false)))
		return d;
	text_addf(why, "the stack of process %ld can't be read: %s", (long)pid, d ? dwfl_errmsg(-1) : "it has no maps");
	return NULL;
}

/* Looks for the entry point (ws_NAME in the library) and its caller in the program. */
static int take_call(Dwfl_Frame *frame, void *self)
{
	struct call *k = self;
	struct place p;
	Dwarf_Addr pc;
	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	find_place(k->s, pc - 1, &p);
	const bool is_template = p.file && !strcmp(p.file, "cuda_runtime.h");
	if (k->entered && p.module && !is_ours(p.module) && !is_template) {
		symbols_place(k->s, pc, k->place);
		return DWARF_CB_ABORT;
	}
	if (p.function && p.module && is_ours(p.module) && !strncmp(p.function, "ws_", 3)) {
		text_clear(k->name);
		text_add(k->name, p.function + 3);
		k->entered = true;
	}
	return DWARF_CB_OK;
}

bool symbols_call(struct symbols *s, pid_t pid, pid_t thread, struct text *name, struct text *place)
{
	struct call k = {.s = s, .name = name, .place = place};
	struct text why = {0};
	Dwfl *d = attach_process(s, pid, &why);
	text_free(&why);
	if (d)
		dwfl_getthread_frames(d, thread, take_call, &k);
	return k.entered;
}

bool symbols_stack(struct symbols *s, pid_t pid, pid_t thread, struct text *out, struct text *why)
{
	struct stack k = {.s = s, .out = out};
	Dwfl *d = attach_process(s, pid, why);
	if (!d)
		return false;
	dwfl_getthread_frames(d, thread, take_frame, &k);
	if (!k.n)
		text_addf(why, "the stack of thread %ld can't be read: %s (is another debugger attached?)",
			  (long)thread, dwfl_errmsg(-1));
	return k.n;
}

/* ---- the file with main, of a program that doesn't run yet ---- */

static bool add_main_file(Dwfl_Module *m, struct text *out)
{
	const int n = dwfl_module_getsymtab(m);
	GElf_Sym symbol;
	GElf_Addr address;
	for (int k = 1; k < n; k++) {
		const char *name = dwfl_module_getsym_info(m, k, &symbol, &address, NULL, NULL, NULL);
		Dwfl_Line *line = name && !strcmp(name, "main") && symbol.st_size ? dwfl_module_getsrc(m, address) : NULL;
		const char *file = line ? dwfl_lineinfo(line, NULL, NULL, NULL, NULL, NULL) : NULL;
		if (file) {
			text_add(out, file);
			return true;
		}
	}
	return false;
}

bool symbols_main_file(const char *path, struct text *out)
{
	static const Dwfl_Callbacks offline = {.find_elf = dwfl_build_id_find_elf,
					       .find_debuginfo = dwfl_standard_find_debuginfo,
					       .section_address = dwfl_offline_section_address};
	Dwfl *d = dwfl_begin(&offline);
	if (!d)
		return false;
	dwfl_report_begin(d);
	Dwfl_Module *m = dwfl_report_offline(d, "", path, -1);
	dwfl_report_end(d, NULL, NULL);
	const bool found = m && add_main_file(m, out);
	dwfl_end(d);
	return found;
}

#else

struct symbols {
	int unused;
};

struct symbols *symbols_create(void) { return xcalloc(1, sizeof(struct symbols)); }
void symbols_free(struct symbols *s) { free(s); }
void symbols_note_maps(struct symbols *s, pid_t pid) { (void)s, (void)pid; }

bool symbols_place(struct symbols *s, uint64_t address, struct text *out)
{
	(void)s;
	if (address)
		text_addf(out, "0x%" PRIx64, address);
	return address;
}

bool symbols_line(struct symbols *s, uint64_t address, struct text *out) { return symbols_place(s, address, out); }

uint32_t symbols_source(struct symbols *s, uint64_t address, struct text *file)
{
	(void)s, (void)address, (void)file;
	return 0;
}

bool symbols_main_file(const char *path, struct text *out)
{
	(void)path, (void)out;
	return false;
}

bool symbols_call(struct symbols *s, pid_t pid, pid_t thread, struct text *name, struct text *place)
{
	(void)s, (void)pid, (void)thread, (void)name, (void)place;
	return false;
}

bool symbols_stack(struct symbols *s, pid_t pid, pid_t thread, struct text *out, struct text *why)
{
	(void)s, (void)pid, (void)thread, (void)out;
	text_add(why, "warpstep was built without libdw, which reads the program's stacks");
	return false;
}

#endif
