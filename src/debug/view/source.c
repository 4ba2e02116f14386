/* Instructions and source lines: positions, names of places, the text of lines. */
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/view/functions.h"
#include "debug/view/inlined.h"
#include "debug/view/room.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"
#include "isa/frontend.h"

#define SOURCE_BYTES_MAX ((size_t)64 << 20)

struct debug_position debug_ptx_position(struct debug *d, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	if (pc >= p->n_insns)
		return (struct debug_position){0};
	return (struct debug_position){p->where[pc].file, p->where[pc].line};
}

struct debug_position debug_cuda_position(struct debug *d, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	if (pc >= p->n_insns || p->where[pc].loc >= p->n_locs)
		return (struct debug_position){0};
	const struct isa_loc *l = &p->locs[p->where[pc].loc];
	return (struct debug_position){l->file, l->line};
}

/* Can its line be shown, and isn't it a toolkit's that stands for its caller's? */
static bool is_shown(struct debug *d, uint32_t loc)
{
	const struct isa_loc *l = debug_loc(d, loc);
	return l->line && l->line <= debug_source_lines(d, l->file) &&
	       (debug_loc_outer(d, loc) == ISA_NO_LOC || !debug_is_toolkit_header(d, l->file));
}

uint32_t debug_shown_level(struct debug *d, uint32_t loc)
{
	for (uint32_t level = 0; loc != ISA_NO_LOC && level <= DEBUG_INLINED_MAX; level++) {
		if (is_shown(d, loc))
			return level;
		loc = debug_loc_outer(d, loc);
	}
	return DEBUG_NO_LEVEL;
}

static uint32_t program_loc(struct debug *d, uint32_t pc)
{
	const struct isa_program *p = debug_program(d);
	return pc < p->n_insns && p->where[pc].loc < p->n_locs ? p->where[pc].loc : ISA_NO_LOC;
}

uint32_t debug_readable_loc(struct debug *d, uint32_t pc)
{
	uint32_t loc = program_loc(d, pc), level = debug_shown_level(d, loc);
	if (level == DEBUG_NO_LEVEL)
		return d->settings.lines == DEBUG_LINES_CUDA ? loc : ISA_NO_LOC;
	while (level--)
		loc = debug_loc_outer(d, loc);
	return loc;
}

/* The line of the CUDA source that can be shown; the debug information is only asked if .loc alone doesn't lead there. */
static struct debug_position readable_position(struct debug *d, uint32_t pc)
{
	uint32_t loc = program_loc(d, pc), level;
	if (loc == ISA_NO_LOC)
		return (struct debug_position){0};
	if (debug_is_toolkit_header(d, debug_loc(d, loc)->file) || !is_shown(d, loc))
		loc = debug_loc_at(d, pc);
	for (level = debug_shown_level(d, loc); level && level != DEBUG_NO_LEVEL; level--)
		loc = debug_loc_outer(d, loc);
	const struct isa_loc *l = debug_loc(d, loc);
	if (level == DEBUG_NO_LEVEL && d->settings.lines == DEBUG_LINES_AUTO)
		return (struct debug_position){0};
	return (struct debug_position){l->file, l->line};
}

struct debug_position debug_position_at(struct debug *d, uint32_t pc)
{
	struct debug_position p = {0};
	if (d->settings.lines != DEBUG_LINES_PTX)
		p = readable_position(d, pc);
	return p.line ? p : debug_ptx_position(d, pc);
}

static bool is_cuda(struct debug *d, struct debug_position p)
{
	const struct isa_program *q = debug_program(d);
	return p.line && p.file < q->n_files && !q->files[p.file].frontend;
}

bool debug_shows_cuda(struct debug *d, uint32_t pc) { return is_cuda(d, debug_position_at(d, pc)); }

struct debug_position debug_own_position(struct debug *d, uint32_t pc)
{
	return debug_shows_cuda(d, pc) ? debug_position_at(d, pc) : debug_cuda_position(d, pc);
}

const char *debug_file_name(struct debug *d, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	if (file >= p->n_files)
		return "?";
	const char *slash = strrchr(p->files[file].name, '/');
	return slash && slash[1] ? slash + 1 : p->files[file].name;
}

void debug_position_text(struct debug *d, struct debug_position p, struct text *out)
{
	text_addf(out, "%s:%u", debug_file_name(d, p.file), p.line);
}

/* ---- text of CUDA sources ---- */

/* Not from a device or a pipe, which a PTX file may name as well: that would wait. */
static bool read_source(struct debug *d, struct debug_source *s, const char *path)
{
	s->text = files_read(d->host.files, path, FILES_REGULAR, SOURCE_BYTES_MAX, &s->n_text);
	s->n_text = s->text ? s->n_text : 0;
	s->path = s->text ? xstrdup(path) : NULL;
	return s->text;
}

/* `name` in the folder of n bytes of `dir`. */
static bool read_beside(struct debug *d, struct debug_source *s, const char *dir, size_t n, const char *name)
{
	struct text path = {0};
	text_addn(&path, dir, n);
	if (n)
		text_addc(&path, '/');
	text_add(&path, name);
	bool ok = read_source(d, s, text_str(&path));
	text_free(&path);
	return ok;
}

/* Takes the text from a checkpoint file, if that has it. */
static bool read_kept(struct debug *d, struct debug_source *s, const char *name)
{
	const struct view_room *v = d->view;
	uint32_t k = 0;
	while (k < v->n_kept && strcmp(v->kept[k].name, name))
		k++;
	if (k == v->n_kept)
		return false;
	s->text = xstrndup(v->kept[k].text, v->kept[k].n);
	s->n_text = v->kept[k].n;
	s->path = xstrdup(name);
	return true;
}

static bool find_source(struct debug *d, uint32_t file, struct debug_source *s)
{
	const struct isa_program *p = debug_program(d);
	const char *name = p->files[file].name, *base = debug_file_name(d, file);
	struct text moved = {0};
	const bool found = view_substituted(d, name, &moved) && read_source(d, s, text_str(&moved));
	text_free(&moved);
	if (found || read_source(d, s, name))
		return true;
	for (uint32_t i = p->n_files; i-- > 0;) {
		if (!p->files[i].frontend)
			continue;
		const char *slash = strrchr(p->files[i].name, '/');
		size_t n = slash ? (size_t)(slash - p->files[i].name) : 0;
		if (read_beside(d, s, p->files[i].name, n, base) ||
		    (name[0] != '/' && read_beside(d, s, p->files[i].name, n, name)))
			return true;
	}
	for (const char *dir = d->settings.source_path; *dir;) {
		size_t n = strcspn(dir, ":");
		if (n && read_beside(d, s, dir, n, base))
			return true;
		dir += n + (dir[n] == ':');
	}
	return read_kept(d, s, name);
}

static void index_lines(struct debug_source *s)
{
	size_t cap = 0;
	s->line_start = xgrow(NULL, &cap, 1, sizeof *s->line_start);
	s->line_start[s->n_lines++] = 0;
	for (size_t i = 0; i + 1 < s->n_text; i++)
		if (s->text[i] == '\n') {
			s->line_start = xgrow(s->line_start, &cap, s->n_lines + 1, sizeof *s->line_start);
			s->line_start[s->n_lines++] = (uint32_t)(i + 1);
		}
}

/* Sources that weren't found are looked for again along a new source_path. */
static void follow_source_path(struct debug *d)
{
	if (!strcmp(d->view->searched_path, d->settings.source_path))
		return;
	memcpy(d->view->searched_path, d->settings.source_path, sizeof d->view->searched_path);
	for (uint32_t k = 0; k < d->view->n_sources; k++)
		d->view->sources[k].tried &= d->view->sources[k].text != NULL;
}

/* All sources are looked for again by new rules. */
static void follow_substitutes(struct debug *d)
{
	struct view_room *v = d->view;
	for (uint32_t k = 0; k < v->n_sources && v->substitutes_changed; k++) {
		free(v->sources[k].text);
		free(v->sources[k].path);
		free(v->sources[k].line_start);
		v->sources[k] = (struct debug_source){.hinted = v->sources[k].hinted};
	}
	v->substitutes_changed = false;
}

static struct debug_source *cuda_source(struct debug *d, uint32_t file)
{
	follow_source_path(d);
	follow_substitutes(d);
	if (d->view->n_sources <= file) {
		uint32_t n = debug_program(d)->n_files;
		d->view->sources = xrealloc(d->view->sources, n * sizeof *d->view->sources);
		memset(d->view->sources + d->view->n_sources, 0, (n - d->view->n_sources) * sizeof *d->view->sources);
		d->view->n_sources = n;
	}
	struct debug_source *s = &d->view->sources[file];
	if (!s->tried) {
		s->tried = true;
		if (find_source(d, file, s) && s->n_text)
			index_lines(s);
	}
	return s;
}

uint32_t debug_source_lines(struct debug *d, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	if (file >= p->n_files)
		return 0;
	return p->files[file].text ? p->files[file].n_lines : cuda_source(d, file)->n_lines;
}

const char *debug_source_path(struct debug *d, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	if (file >= p->n_files)
		return "?";
	const struct debug_source *s = p->files[file].text ? NULL : cuda_source(d, file);
	return s && s->path ? s->path : p->files[file].name;
}

const char *debug_source_line(struct debug *d, uint32_t file, uint32_t line, size_t *n)
{
	const struct isa_program *p = debug_program(d);
	if (!line || line > debug_source_lines(d, file))
		return NULL;
	const struct isa_file *f = &p->files[file];
	const char *text = f->text;
	const uint32_t *start = f->line_start;
	size_t n_text = f->n_text, n_lines = f->n_lines;
	if (!text) {
		const struct debug_source *s = cuda_source(d, file);
		text = s->text;
		start = s->line_start;
		n_text = s->n_text;
		n_lines = s->n_lines;
	}
	size_t first = start[line - 1], end = line < n_lines ? start[line] : n_text;
	while (end > first && (text[end - 1] == '\n' || text[end - 1] == '\r'))
		end--;
	*n = end - first;
	return text + first;
}

void debug_add_columns(const char *s, size_t n, struct text *out)
{
	size_t shown = n;
	if (n > DEBUG_COLUMNS_MAX) {
		shown = DEBUG_COLUMNS_MAX;
		while (shown && ((unsigned char)s[shown] & 0xc0) == 0x80) /* inside a character of UTF-8 */
			shown--;
	}
	text_addn(out, s, shown);
	if (shown < n)
		text_add(out, "...");
}

void debug_add_line(uint32_t line, const char *s, size_t n, struct text *out)
{
	text_addf(out, "%u\t", line);
	debug_add_columns(s, n, out);
	text_addc(out, '\n');
}

void debug_source_text(struct debug *d, struct debug_position p, struct text *out)
{
	size_t n;
	const char *s = debug_source_line(d, p.file, p.line, &n);
	if (s)
		debug_add_line(p.line, s, n, out);
	else
		text_addf(out, "%u\tin %s\n", p.line, debug_file_name(d, p.file));
}

static void add_instruction(struct debug *d, uint32_t pc, struct text *out)
{
	struct text insn = {0};
	debug_insn_shown(d, pc, &insn);
	if (insn.n)
		text_addf(out, "    %s\n", insn.s);
	text_free(&insn);
}

void debug_source_show(struct debug *d, struct debug_position p, uint32_t pc, struct text *out)
{
	size_t n;
	if (is_cuda(d, p)) {
		debug_source_text(d, p, out);
		add_instruction(d, pc, out);
	} else if (debug_source_line(d, p.file, p.line, &n)) {
		debug_source_text(d, p, out);
	}
}

void debug_source_at(struct debug *d, uint32_t pc, struct text *out)
{
	debug_source_show(d, debug_position_at(d, pc), pc, out);
}

void debug_source_hint(struct debug *d, uint32_t pc)
{
	const struct debug_position p = debug_cuda_position(d, pc);
	if (!d->program || d->settings.lines != DEBUG_LINES_AUTO || !p.line || debug_shows_cuda(d, pc) || debug_source_lines(d, p.file) ||
	    debug_is_toolkit_header(d, p.file) || cuda_source(d, p.file)->hinted)
		return;
	cuda_source(d, p.file)->hinted = true;
	debug_note(d, "%s, the source, isn't found; `set source cuda` steps by its lines all the same", debug_file_name(d, p.file));
}

bool debug_pc_valid(struct debug *d, uint64_t pc, uint32_t *index)
{
	if (pc % ISA_INSN_BYTES || pc / ISA_INSN_BYTES >= debug_program(d)->n_insns)
		return false;
	*index = (uint32_t)(pc / ISA_INSN_BYTES);
	return true;
}

void debug_function_offset(struct debug *d, uint32_t pc, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	if (f)
		text_addf(out, "%s+0x%x", debug_function_name(d, f), (pc - f->first) * ISA_INSN_BYTES);
}

void debug_pc_symbol(struct debug *d, uint32_t pc, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	if (!f)
		return;
	text_addf(out, "<%s", debug_function_name(d, f));
	if (pc != f->first)
		text_addf(out, "+%u", (pc - f->first) * ISA_INSN_BYTES);
	text_addc(out, '>');
}

void debug_insn_text(struct debug *d, uint32_t pc, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *w = &p->where[pc];
	const struct isa_file *f = w->file < p->n_files ? &p->files[w->file] : NULL;
	if (f && f->frontend)
		f->frontend->list(p, pc, out);
}

void debug_opcode_text(struct debug *d, uint32_t pc, struct text *out)
{
	struct text insn = {0};
	debug_insn_text(d, pc, &insn);
	const char *s = scan_blanks(text_str(&insn));
	if (*s == '@')
		s = scan_blanks(s + strcspn(s, " \t"));
	text_addn(out, s, strcspn(s, " \t;"));
	text_free(&insn);
}

void debug_insn_shown(struct debug *d, uint32_t pc, struct text *out)
{
	struct text insn = {0};
	debug_insn_text(d, pc, &insn);
	debug_add_columns(text_str(&insn), insn.n, out);
	text_free(&insn);
}
