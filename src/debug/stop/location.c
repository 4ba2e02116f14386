/* Locations as users write them: FILE:LINE, LINE, KERNEL, *PC, +N, labels. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/program.h"
#include "debug/view/functions.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

struct request {
	struct debug *d;
	struct debug_location *out;
	bool *pending_ok;
	struct text *why;
	bool in_file; /* FILE:FUNCTION: only functions in `files` count */
	uint32_t *files; /* that FILE fits, in the order in which they were loaded. Owned */
	size_t n_files;
};

static void add_pc(struct debug_location *l, uint32_t pc)
{
	l->pcs = xrealloc(l->pcs, (l->n + 1) * sizeof *l->pcs);
	l->pcs[l->n++] = pc;
}

void debug_location_free(struct debug_location *l)
{
	free(l->pcs);
	*l = (struct debug_location){0};
}

bool debug_may_be_pending(const struct debug *d)
{
	if (d->settings.pending != DEBUG_PENDING_AUTO)
		return d->settings.pending == DEBUG_PENDING_ON;
	return d->program || !debug_program(d)->n_insns;
}

/* ---- lines ---- */

/* The line of an instruction in a file; 0: none. In a CUDA source that of its .loc, or of the call that this stands for (of a toolkit's
 * header, of one that isn't here), whatever stops show. *outer: where that was inlined at. */
static uint32_t line_in(struct debug *d, uint32_t pc, uint32_t file, uint32_t *outer)
{
	const struct isa_program *p = debug_program(d);
	*outer = ISA_NO_LOC;
	if (p->files[file].frontend)
		return p->where[pc].file == file ? p->where[pc].line : 0;
	uint32_t loc = debug_loc_at(d, pc), level = debug_shown_level(d, loc);
	for (uint32_t k = 0; loc != ISA_NO_LOC && k <= (level == DEBUG_NO_LEVEL ? 0 : level); k++) {
		const struct isa_loc *l = debug_loc(d, loc);
		*outer = debug_loc_outer(d, loc);
		if (l->file == file)
			return l->line;
		loc = *outer;
	}
	return 0;
}

/* The least line not below `line` that has an instruction; 0: none. */
static uint32_t next_line(struct debug *d, uint32_t file, uint32_t line)
{
	const struct isa_program *p = debug_program(d);
	uint32_t best = 0, outer;
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		for (uint32_t pc = f->first; pc < f->end && !f->unloaded; pc++) {
			uint32_t at = line_in(d, pc, file, &outer);
			if (at && at >= line && (!best || at < best))
				best = at;
		}
	}
	return best;
}

/* Is an instruction there? *outer: where that was inlined at. */
typedef bool is_there_fn(struct debug *d, uint32_t pc, struct debug_position there, uint32_t *outer);

static bool is_on_line(struct debug *d, uint32_t pc, struct debug_position there, uint32_t *outer)
{
	return line_in(d, pc, there.file, outer) == there.line;
}

static bool is_before_call(struct debug *d, uint32_t pc, struct debug_position there, uint32_t *outer)
{
	bool is_ptx = debug_program(d)->files[there.file].frontend;
	uint32_t level, loc = is_ptx ? ISA_NO_LOC : debug_call_at(d, pc, there, &level);
	*outer = debug_loc_outer(d, loc);
	return loc != ISA_NO_LOC;
}

/* Where a CUDA line begins: once for each function and each place it was inlined at, as gdb does. PTX lines: the first
 * instruction on them. */
static void add_line(struct debug *d, struct debug_location *l, struct debug_position there, is_there_fn *is_there)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		uint32_t first = l->n, outer, before;
		for (uint32_t pc = f->first; pc < f->end && !f->unloaded; pc++) {
			bool seen = !is_there(d, pc, there, &outer);
			for (uint32_t k = first; k < l->n && !seen; k++) {
				is_there(d, l->pcs[k], there, &before);
				seen = before == outer;
			}
			if (!seen)
				add_pc(l, pc);
		}
	}
}

static int by_pc(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Adds the places of a line in each of several files of one name, as gdb does: where it has instructions, else in the files that have the next
 * line with an instruction. Returns false if no file has either. */
static bool add_lines(struct request *r, const uint32_t *files, size_t n, uint32_t line)
{
	uint32_t best = 0;
	for (size_t i = 0; i < n; i++) {
		const uint32_t next = next_line(r->d, files[i], line);
		best = next && (!best || next < best) ? next : best;
	}
	for (size_t i = 0; i < n && best; i++) {
		const uint32_t before = r->out->n;
		add_line(r->d, r->out, (struct debug_position){files[i], best}, is_on_line);
		if (r->out->n > before)
			r->out->at = (struct debug_position){files[i], best};
	}
	if (n > 1 && r->out->n)
		qsort(r->out->pcs, r->out->n, sizeof *r->out->pcs, by_pc);
	return best;
}

/* Adds the places in front of a call of an inlined function, for a line that has no instruction of its own: steps stop there, too. Only the newest
 * of the files that has such a call counts. */
static bool add_calls(struct request *r, const uint32_t *files, size_t n, uint32_t line)
{
	for (size_t i = n; i-- > 0 && !r->out->n;) {
		r->out->at = (struct debug_position){files[i], line};
		add_line(r->d, r->out, r->out->at, is_before_call);
	}
	return r->out->n;
}

static bool has_line(struct debug *d, const uint32_t *files, size_t n, uint32_t line)
{
	bool has = false;
	for (size_t i = 0; i < n && !has; i++)
		has = next_line(d, files[i], line) == line;
	return has;
}

/* Resolves a line of n files of one name. */
static bool resolve_lines(struct request *r, const uint32_t *files, size_t n, uint64_t line)
{
	const uint32_t asked = line <= UINT32_MAX ? (uint32_t)line : 0;
	r->out->is_call = asked && !has_line(r->d, files, n, asked) && add_calls(r, files, n, asked);
	/* a source that is shorter than .loc says was changed since: the lines of the PTX count */
	if (!r->out->is_call && (!asked || !add_lines(r, files, n, asked))) {
		*r->pending_ok = r->d->program && debug_may_be_pending(r->d); /* in a file of that name of a later module */
		r->out->asked = asked;
		return debug_fail(r->why, "No line %llu in file \"%s\".", (unsigned long long)line,
				  debug_file_name(r->d, files[n - 1]));
	}
	r->out->moved = r->out->at.line != asked;
	r->out->asked = asked;
	return true;
}

static bool resolve_line(struct request *r, uint32_t file, uint64_t line) { return resolve_lines(r, &file, 1, line); }

static bool find_files(struct request *r, const char *name, size_t n)
{
	free(r->files);
	r->n_files = debug_find_files(r->d, name, n, &r->files);
	if (r->n_files)
		return true;
	*r->pending_ok = debug_may_be_pending(r->d);
	return debug_fail(r->why, "No source file named %.*s.", (int)n, name);
}

static bool no_position(struct request *r)
{
	*r->pending_ok = debug_may_be_pending(r->d);
	return debug_fail(r->why, "No symbol table is loaded.  Use the \"load\" command.");
}

/* ---- the forms ---- */

static bool resolve_pc(struct request *r, uint32_t pc)
{
	add_pc(r->out, pc);
	r->out->at = debug_position_at(r->d, pc);
	return true;
}

static bool resolve_address(struct request *r, const char **s)
{
	struct expr_value v;
	int64_t pc;
	uint32_t index;
	const char *start = *s;
	struct expr *e = expr_parse(r->d, *s, s, r->why);
	if (!e)
		return false;
	bool ok = expr_eval(r->d, e, r->d->has_focus ? &r->d->focus : NULL, r->d->frame, &v, r->why);
	expr_free(e);
	if (!ok)
		return false;
	ok = expr_value_integer(&v, &pc);
	expr_value_free(&v);
	if (ok && (uint64_t)pc >= EXEC_CODE_WINDOW && (uint64_t)pc < EXEC_MODULE_GLOBALS)
		pc -= (int64_t)EXEC_CODE_WINDOW;
	if (ok && debug_pc_valid(r->d, (uint64_t)pc, &index))
		return resolve_pc(r, index);
	*r->pending_ok = debug_may_be_pending(r->d);
	return debug_fail(r->why, "*%.*s is not the pc of an instruction (pcs count 8 bytes an instruction)",
			  (int)(*s - start), start);
}

static bool resolve_offset(struct request *r, const char **s)
{
	bool back = **s == '-';
	uint64_t n;
	struct debug_position p;
	++*s;
	if (!scan_u64(s, &n))
		return debug_fail(r->why, "a location +N or -N wants a number of lines");
	if (!debug_default_position(r->d, &p))
		return no_position(r);
	if (back && n >= p.line)
		return debug_fail(r->why, "there is no line %llu lines before line %u", (unsigned long long)n, p.line);
	return resolve_line(r, p.file, back ? p.line - n : p.line + n);
}

/* Returns the length of a bracket with all that is in it, 0 if it isn't closed. */
static size_t closed_bracket(const char *s)
{
	int depth = 0;
	size_t k = 0;
	do {
		depth += s[k] == '<' || s[k] == '(' || s[k] == '{';
		depth -= s[k] == '>' || s[k] == ')' || s[k] == '}';
		k++;
	} while (s[k] && depth > 0);
	return depth ? 0 : k;
}

/* Returns the length of a function's name, C++ ones included: ns::saxpy<float, 4>(int, float*), run(int)::{lambda(int)#1}::operator() */
static size_t function_name_length(const char *s)
{
	size_t n = 0, bracket;
	while (isalnum((unsigned char)s[n]) || (s[n] && strchr("_$%~<({", s[n])) || (s[n] == ':' && s[n + 1] == ':') ||
	       (s[n] == ':' && n && s[n - 1] == ':')) {
		if (!strchr("<({", s[n])) {
			n++;
			continue;
		}
		if (!(bracket = closed_bracket(s + n)))
			return n;
		const bool is_arguments = s[n] == '(' && (n < 8 || memcmp(s + n - 8, "operator", 8));
		n += bracket;
		const char *after = s + n;
		n += is_arguments && scan_word(&after, "const") ? (size_t)(after - s) - n : 0;
		if (is_arguments && strncmp(s + n, "::", 2))
			return n;
	}
	return n;
}

/* Is the first instruction at or after `pc` that has a line of CUDA from this file, or inlined into it; or the PTX text itself? */
static bool is_of_file(struct debug *d, uint32_t pc, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	if (!f || f->file == file)
		return f != NULL;
	while (pc + 1 < f->end && p->where[pc].loc >= p->n_locs)
		pc++;
	uint32_t loc = debug_loc_at(d, pc);
	for (unsigned depth = 0; loc != ISA_NO_LOC && depth < DEBUG_INLINED_MAX; loc = debug_loc_outer(d, loc), depth++)
		if (debug_loc(d, loc)->file == file)
			return true;
	return false;
}

static void add_function(void *self, uint32_t pc)
{
	struct request *r = self;
	bool fits = !r->in_file;
	for (size_t i = r->n_files; i-- > 0 && !fits;)
		if ((fits = is_of_file(r->d, pc, r->files[i])))
			r->out->file = r->files[i];
	if (fits)
		resolve_pc(r, pc);
}

static bool resolve_function(struct request *r, const char *name, size_t n)
{
	if (debug_function_places(r->d, name, n, add_function, r) && r->out->n) {
		r->out->is_function = true;
		r->out->in_file = r->in_file;
		r->out->at = debug_position_at(r->d, r->out->pcs[0]);
		return true;
	}
	*r->pending_ok = debug_may_be_pending(r->d);
	if (program_call_is_name(name, n))
		return debug_fail(r->why, "Function \"%.*s\" not defined in code of the device. `catch api %.*s` stops in front of the program's calls.", (int)n, name, (int)n, name);
	if (r->in_file)
		return debug_fail(r->why, "Function \"%.*s\" not defined in \"%s\".", (int)n, name,
				  debug_file_name(r->d, r->files[r->n_files - 1]));
	return debug_fail(r->why, "Function \"%.*s\" not defined.", (int)n, name);
}

/* Does a name go on as only a function's can? */
static bool scan_more(const char *s) { return *s == '<' || *s == '(' || *s == ':'; }

/* The colon of FILE:LINE or FILE:FUNCTION after a name, 0: there is none (those of ns::f are none). Names with blanks and the like are
 * those of files that are there. */
static size_t file_length(struct debug *d, const char *name)
{
	bool plain = true;
	uint32_t file;
	for (size_t n = 0; name[n]; n += name[n] == ':' && name[n + 1] == ':' ? 2 : 1) {
		plain &= !isspace((unsigned char)name[n]) && !strchr("<(", name[n]);
		if (n && name[n] == ':' && name[n + 1] != ':' && (plain || debug_find_file(d, name, n, &file)))
			return n;
	}
	return 0;
}

/* After the colon of FILE:LINE or FILE:FUNCTION. */
static bool resolve_in_file(struct request *r, const char *name, size_t n_file, const char *at, const char **s)
{
	uint64_t line;
	size_t n = function_name_length(at);
	bool is_line = isdigit((unsigned char)*at);
	if (is_line ? !scan_u64(&at, &line) : !n)
		return debug_fail(r->why, "a location FILE:LINE wants a line number");
	*s = is_line ? at : at + n;
	if (!find_files(r, name, n_file))
		return false;
	r->in_file = !is_line;
	return is_line ? resolve_lines(r, r->files, r->n_files, line) : resolve_function(r, at, n);
}

static bool resolve_name(struct request *r, const char **s)
{
	const char *name = *s;
	uint32_t pc;
	size_t n = file_length(r->d, name);
	if (n)
		return resolve_in_file(r, name, n, name + n + 1, s);
	n = scan_name(name);
	if (n && !scan_more(name + n) && debug_find_label(r->d, name, n, &pc)) {
		*s = name + n;
		return resolve_pc(r, pc);
	}
	n = function_name_length(name);
	if (!n)
		return debug_fail(r->why, "a location is FILE:LINE, LINE, KERNEL, *PC, +N or a label; got \"%s\"",
				  name);
	*s = name + n;
	return resolve_function(r, name, n);
}

/* Returns the length of an escape sequence and stores its character; 0 if there is none. */
static size_t take_escape(const char *s, char *c)
{
	static const char letters[] = "\\\"nrt", meant[] = "\\\"\n\r\t";
	const char *letter = s[0] == '\\' && s[1] ? strchr(letters, s[1]) : NULL;
	if (letter) {
		*c = meant[letter - letters];
		return 2;
	}
	if (s[0] != '\\' || strspn(s + 1, "01234567") < 3 || s[1] > '3')
		return 0;
	*c = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
	return 4;
}

/* Takes a text in quotes; between " there may be escape sequences. Returns false if the second quote is missing. */
static bool take_quoted(const char **s, struct text *out)
{
	const char quote = *(*s)++;
	while (**s && **s != quote) {
		char c = **s;
		const size_t n = quote == '"' ? take_escape(*s, &c) : 0;
		text_addc(out, c);
		*s += n ? n : 1;
	}
	return *(*s)++ == quote;
}

static bool is_option_word(const char *s)
{
	return scan_word(&s, "if") || scan_word(&s, "thread") || scan_word(&s, "block") || scan_word(&s, "warp");
}

/* Returns whether a file's name can stand in front of a colon without quotes. */
static bool is_plain_name(const char *name)
{
	const char *s = name;
	while (isalnum((unsigned char)*s) || (*s && strchr("_./+-@%=$", *s)) || (unsigned char)*s >= 0x80)
		s++;
	return !*s && !isdigit((unsigned char)*name) && !strchr("+-=%$@", *name) && !is_option_word(name);
}

void debug_quote_file(const char *name, struct text *out)
{
	if (is_plain_name(name)) {
		text_add(out, name);
		return;
	}
	text_addc(out, '"');
	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;
		if (c < 32 || c == 127)
			text_addf(out, "\\%03o", c);
		else
			text_addf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	text_addc(out, '"');
}

/* 'saxpy(int, float*)': blanks and all; "my kernel.ptx":12 and "my kernel.ptx:12". */
static bool resolve_quoted(struct request *r, const char **s)
{
	struct text name = {0};
	bool ok = take_quoted(s, &name) || debug_fail(r->why, "unmatched quote.");
	const char *at = text_str(&name), *rest = *s;
	if (ok && rest[0] == ':' && rest[1] != ':') {
		ok = resolve_in_file(r, at, name.n, rest + 1, s);
	} else if (ok && rest[0] == ':' && function_name_length(rest + 2)) { /* 'app.ptx'::kernel */
		ok = resolve_in_file(r, at, name.n, rest + 2, s);
	} else if (ok) {
		ok = resolve_name(r, &at) &&
		     (!*scan_blanks(at) || debug_fail(r->why, "junk in the quoted location: %s", at));
	}
	text_free(&name);
	return ok;
}

static bool resolve_here(struct request *r)
{
	struct debug_where w;
	struct debug_frame f;
	if (!debug_focus_where(r->d, &w) || !debug_frame_get(r->d, &w, r->d->frame, &f))
		return debug_fail(r->why, "No default breakpoint location: there is no focus.");
	return resolve_pc(r, f.pc);
}

/* Fails for a line without a file while nothing is loaded: says in which file a program's line will be looked for. */
static bool no_line_yet(struct request *r, uint64_t line)
{
	struct text file = {0};
	if (!r->d->program)
		return no_position(r);
	const bool is_ptx = r->d->settings.lines == DEBUG_LINES_PTX;
	const bool has_file = !is_ptx && debug_program_main_file(r->d, &file) && file.n > 3 && !strcmp(text_str(&file) + file.n - 3, ".cu");
	*r->pending_ok = debug_may_be_pending(r->d);
	debug_fail(r->why, "No kernel is loaded yet: line %llu will be one of %s.", (unsigned long long)line,
		   has_file ? file_base_name(text_str(&file)) : is_ptx ? "the PTX" : "the file with the kernels");
	text_free(&file);
	return false;
}

static bool parse_location(struct request *r, const char **s)
{
	uint64_t line;
	uint32_t file;
	*s = scan_blanks(*s);
	if (!**s || is_option_word(*s))
		return resolve_here(r);
	if (**s == '*') {
		++*s;
		return resolve_address(r, s);
	}
	if (**s == '+' || **s == '-')
		return resolve_offset(r, s);
	if (**s == '\'' || **s == '"')
		return resolve_quoted(r, s);
	if (scan_u64(s, &line))
		return debug_line_file(r->d, &file) ? resolve_line(r, file, line) : no_line_yet(r, line);
	return resolve_name(r, s);
}

bool debug_location_parse(struct debug *d, const char *s, const char **end, struct debug_location *out,
			  bool *pending_ok, struct text *why)
{
	bool pending = false;
	*out = (struct debug_location){0};
	struct request r = {.d = d, .out = out, .pending_ok = &pending, .why = why};
	bool ok = parse_location(&r, &s);
	*end = s;
	free(r.files);
	if (pending_ok)
		*pending_ok = pending;
	const uint32_t asked = out->asked;
	if (!ok) {
		debug_location_free(out);
		out->asked = asked; /* the file is there, and has no such line */
	}
	return ok;
}
