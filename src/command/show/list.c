/* list, disassemble, ptxdis. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/show/sass_lines.h"
#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "command/dump/dump_info.h"
#include "command/perf/line_counts.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/state.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/print.h"

/* ---- list ---- */

static enum line_counts_of counted(struct debug *d, uint32_t file)
{
	if (debug_program(d)->files[file].frontend)
		return LINE_COUNTS_PTX;
	return debug_is_toolkit_header(d, file) ? LINE_COUNTS_HEADER : LINE_COUNTS_CUDA;
}

/* Adds a line of a source: `line`, `text`, `is_current`, and its counts. */
/* Adds the titles of the counts, below a line that says which launches they are of where that isn't all. */
static void counts_title(struct debug *d, struct report *answer)
{
	struct text launches = {0};
	if (line_counts_launches(d, &launches))
		report_say(answer, "Counted in %s.\n", text_str(&launches));
	text_free(&launches);
	line_counts_title(gpu_counts_performance(d->g), report_prose(answer));
}

static void describe_line(struct debug *d, uint32_t file, uint32_t line, const struct line_counts *counts, struct report *answer)
{
	struct debug_position at;
	size_t n;
	const char *s = debug_source_line(d, file, line, &n);
	report_open(answer, NULL);
	report_number(answer, "line", line);
	report_textf(answer, "text", "%.*s", (int)n, s);
	report_flag(answer, "is_current", debug_selected_position(d, &at) && at.file == file && at.line == line);
	if (counts)
		line_counts_describe(gpu_counts_performance(d->g), line_counts_find(counts, file, line), answer);
	debug_add_line(line, s, n, report_prose(answer));
	report_close(answer);
}

static bool list_range(struct debug *d, uint32_t file, uint64_t first, uint64_t last, struct report *answer,
		       struct text *why)
{
	uint32_t n_lines = debug_source_lines(d, file);
	if (!n_lines)
		return debug_fail(why, "%s: the source can't be read; `set source-path DIR` says where to look",
				  debug_file_name(d, file));
	if (!first)
		first = 1;
	if (first > n_lines)
		return debug_fail(why, "Line number %llu out of range; \"%s\" has %u lines.", (unsigned long long)first,
				  debug_file_name(d, file), n_lines);
	if (last > n_lines)
		last = n_lines;
	struct line_counts counts = {0};
	if (d->listing.counts) {
		line_counts_collect(d, counted(d, file), &counts);
		counts_title(d, answer);
	}
	report_text(answer, "file", debug_file_name(d, file));
	report_list(answer, "lines");
	for (uint64_t line = first; line <= last; line++)
		describe_line(d, file, (uint32_t)line, d->listing.counts ? &counts : NULL, answer);
	report_close(answer);
	line_counts_free(&counts);
	d->listing.file = d->listing.shown_file = file;
	d->listing.has_shown_file = true;
	d->listing.first = (uint32_t)first;
	d->listing.last = (uint32_t)last;
	d->list_goes_on = true;
	return true;
}

static bool list_around(struct debug *d, uint32_t file, uint64_t line, struct report *answer, struct text *why)
{
	uint32_t n = d->settings.list_lines ? d->settings.list_lines : 10, half = n / 2;
	uint64_t first = line > half ? line - half : 1;
	return list_range(d, file, first, first + n - 1, answer, why);
}

static void function_in_file(struct debug *d, uint32_t pc, uint32_t file, struct debug_position *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	for (; f && pc < f->end; pc++) {
		struct debug_position ptx = debug_ptx_position(d, pc), cuda = debug_cuda_position(d, pc);
		if (cuda.line && cuda.file == file)
			*out = cuda;
		else if (ptx.file == file)
			*out = ptx;
		else
			continue;
		return;
	}
}

/* A position for listing: FILE:LINE and LINE need no instruction there. */
static bool list_position(struct debug *d, const char *s, size_t n, const struct debug_position *base,
			  struct debug_position *out, struct text *why)
{
	uint64_t line;
	size_t colon = n;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	for (size_t i = 0; i + 1 < n; i++)
		if (s[i] == ':' && isdigit((unsigned char)s[i + 1]))
			colon = i;
	*out = *base;
	const char *number = colon < n ? s + colon + 1 : s;
	size_t quote =
		colon < n && colon > 2 && (*s == '"' || *s == '\'') && s[colon - 1] == *s; /* "my kernel.ptx":12 */
	if (colon < n && !debug_find_file(d, s + quote, colon - 2 * quote, &out->file))
		return debug_fail(why, "No source file named %.*s.", (int)colon, s);
	if (scan_u64(&number, &line) && number >= s + n) {
		if (line > UINT32_MAX)
			return debug_fail(why, "Line number %llu out of range.", (unsigned long long)line);
		out->line = (uint32_t)line;
		return true;
	}
	struct debug_location l;
	struct text copy = {0};
	const char *end;
	text_addn(&copy, s, n);
	bool ok = debug_location_parse(d, text_str(&copy), &end, &l, NULL, why) && scan_end(end, why);
	if (ok)
		*out = l.at;
	if (ok && l.is_function && l.in_file) /* FILE:FUNCTION: in that file, whatever lines are shown otherwise */
		function_in_file(d, l.pcs[0], l.file, out);
	debug_location_free(&l);
	text_free(&copy);
	return ok;
}

/* A,B or A, or ,B */
static bool list_two(struct debug *d, const char *s, const char *comma, struct debug_position base, struct report *answer,
		     struct text *why)
{
	struct debug_position a = base, b;
	uint32_t n = d->settings.list_lines ? d->settings.list_lines : 10;
	const char *second = scan_blanks(comma + 1);
	if (comma > s && !list_position(d, s, (size_t)(comma - s), &base, &a, why))
		return false;
	if (!*second)
		return list_range(d, a.file, a.line, (uint64_t)a.line + n - 1, answer, why);
	uint64_t more;
	const char *number = second + 1;
	if (*second == '+' && comma > s && scan_u64(&number, &more) && !*scan_blanks(number)) /* from A on, as in gdb */
		return list_range(d, a.file, a.line, a.line + more, answer, why);
	if (!list_position(d, second, strlen(second), &a, &b, why))
		return false;
	if (comma == s)
		return list_range(d, b.file, b.line >= n ? b.line - n + 1 : 1, b.line, answer, why);
	if (b.file != a.file || b.line < a.line)
		return debug_fail(why, "Second line is not after the first, or in another file.");
	return list_range(d, a.file, a.line, b.line, answer, why);
}

/* Finds the files that FILE:LINE may mean, of several with one path the first. Returns their number, 0 for other texts; the caller frees *files. */
static size_t files_of_line(struct debug *d, const char *s, uint32_t **files, uint32_t *line)
{
	const struct isa_program *p = debug_program(d);
	const char *colon = strrchr(s, ':'), *end = colon ? colon + 1 : s;
	uint64_t number;
	*files = NULL;
	if (!colon || colon == s || !isdigit((unsigned char)*end) || !scan_u64(&end, &number) || *scan_blanks(end) || number > UINT32_MAX)
		return 0;
	const size_t n_name = (size_t)(colon - s), quote = n_name > 2 && (*s == '"' || *s == '\'') && colon[-1] == *s;
	const size_t n = debug_find_files(d, s + quote, n_name - 2 * quote, files);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		bool is_new = true;
		for (size_t k = 0; k < kept; k++)
			is_new &= strcmp(p->files[(*files)[k]].name, p->files[(*files)[i]].name) != 0;
		if (is_new)
			(*files)[kept++] = (*files)[i];
	}
	*line = (uint32_t)number;
	return kept;
}

/* Lists around a line of each file, as gdb does where a name means several. */
static bool list_files(struct debug *d, const uint32_t *files, size_t n, uint32_t line, struct report *answer, struct text *why)
{
	bool any = false;
	report_list(answer, "files");
	for (size_t i = 0; i < n; i++) {
		struct text failure = {0};
		report_open(answer, NULL);
		report_text(answer, "path", debug_program(d)->files[files[i]].name);
		report_number(answer, "line", line);
		report_line(answer, "file: \"{path}\", line number: {line}, symbol: \"???\"\n");
		const bool ok = list_around(d, files[i], line, answer, &failure);
		if (!ok)
			report_say(answer, "%s\n", text_str(&failure));
		any |= ok;
		if (!ok && i + 1 == n && !any)
			text_add(why, text_str(&failure));
		report_close(answer);
		text_free(&failure);
	}
	report_close(answer);
	return any;
}

static bool list_plainly(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_position base = {0}, at;
	uint32_t n = d->settings.list_lines ? d->settings.list_lines : 10;
	const char *s = scan_blanks(args), *comma = strchr(s, ',');
	bool has = d->list_goes_on;
	if (has)
		base = (struct debug_position){d->listing.file, d->listing.first};
	else if (!debug_default_position(d, &base))
		return debug_fail(why, "No symbol table is loaded.  Use the \"load\" command.");
	if (*s == '+' && !*scan_blanks(s + 1))
		s++;
	if (!*s && has) {
		if (d->listing.last >= debug_source_lines(d, d->listing.file))
			return debug_fail(why, "Line number %u out of range; \"%s\" has %u lines.",
					  d->listing.last + 1, debug_file_name(d, d->listing.file),
					  debug_source_lines(d, d->listing.file));
		return list_range(d, d->listing.file, (uint64_t)d->listing.last + 1,
				  (uint64_t)d->listing.last + n, answer, why);
	}
	if (!*s)
		return list_around(d, base.file, base.line, answer, why);
	if (*s == '-' && !*scan_blanks(s + 1)) {
		if (has && d->listing.first <= 1)
			return debug_fail(why, "Already at the start of %s.", debug_file_name(d, d->listing.file));
		uint64_t last = has ? d->listing.first - 1 : base.line;
		return list_range(d, base.file, last >= n ? last - n + 1 : 1, last, answer, why);
	}
	debug_line_file(d, &base.file);
	while (comma && strchr(s, '(') && strchr(s, '(') < comma &&
	       strchr(comma, ')')) /* a comma in a function's parameters */
		comma = strchr(comma + 1, ',');
	if (comma)
		return list_two(d, s, comma, base, answer, why);
	uint32_t *files;
	const size_t n_files = files_of_line(d, s, &files, &at.line);
	if (n_files > 1) {
		const bool ok = list_files(d, files, n_files, at.line, answer, why);
		free(files);
		return ok;
	}
	free(files);
	if (!list_position(d, s, strlen(s), &base, &at, why))
		return false;
	return list_around(d, at.file, at.line, answer, why);
}

/* /s: with counts; a bare `list` after it continues with them. */
bool command_list(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	const size_t n = *s == '/' ? strcspn(s, " \t") : 0;
	if (n && strncmp(s, "/s", n < 2 ? 2 : n))
		return debug_fail(why, "list has no modifier %.*s but /s", (int)n, s);
	if (n || (*s && strcmp(s, "+") && strcmp(s, "-")))
		d->listing.counts = n != 0;
	return list_plainly(d, s + n, answer, why);
}

/* ---- disassemble ---- */

/* r: below each instruction what it was lowered to; s: lines of the CUDA source in front of what was made from them; c: counts. */
struct listing {
	bool decoded, with_source, with_counts;
	struct debug_position last; /* line shown last */
	struct sass_lines sass;	    /* with_source: the machine code, if it is known */
};

static void source_line_of(struct debug *d, struct listing *how, uint32_t pc, struct text *out)
{
	struct debug_position at = debug_cuda_position(d, pc);
	size_t n;
	const char *s = at.line ? debug_source_line(d, at.file, at.line, &n) : NULL;
	if (!at.line || (at.file == how->last.file && at.line == how->last.line && how->last.line))
		return;
	if (how->last.line)
		text_addc(out, '\n');
	if (!how->last.line || at.file != how->last.file)
		text_addf(out, "%s:\n", debug_file_name(d, at.file));
	if (s)
		debug_add_line(at.line, s, n, out);
	else
		text_addf(out, "%u\tin %s\n", at.line, debug_file_name(d, at.file));
	how->last = at;
}

/* Adds the labels of a function that stand in front of an instruction. */
static void describe_labels(const struct isa_function *f, uint32_t pc, struct report *answer)
{
	bool any = false;
	for (uint32_t k = 0; f && k < f->n_labels; k++) {
		if (f->labels[k].at != pc)
			continue;
		if (!any)
			report_list(answer, "labels");
		any = true;
		report_text(answer, NULL, f->labels[k].name);
		report_say(answer, "%s:\n", f->labels[k].name);
	}
	if (any)
		report_close(answer);
}

/* Adds the machine code that was made from an instruction; ISA_NO_TARGET: from none that is known. */
static void describe_sass(const struct sass_lines *sass, uint32_t pc, struct report *answer)
{
	bool any = false;
	for (size_t k = 0; k < sass->n; k++) {
		if (sass->line[k].pc != pc)
			continue;
		if (!any && pc == ISA_NO_TARGET)
			report_say(answer, "machine code without lines of the PTX (nvcc -lineinfo records them):\n");
		if (!any)
			report_list(answer, "sass");
		any = true;
		report_text(answer, NULL, sass->line[k].text);
		report_say(answer, "\t\t\t%s\n", sass->line[k].text);
	}
	if (any)
		report_close(answer);
}

/* Adds an instruction: `pc`, `offset` from the function's beginning, `instruction`, `ptx`, `source`, `is_current`; where asked its `decoded` form
 * and its counts. */
static void describe_instruction(struct debug *d, uint32_t pc, const struct isa_function *f, bool is_current, const struct exec_count *count,
				 const struct listing *how, struct report *answer)
{
	struct text insn = {0};
	debug_insn_shown(d, pc, &insn);
	report_open(answer, NULL);
	describe_labels(f, pc, answer);
	report_mask(answer, "pc", pc * ISA_INSN_BYTES, 8);
	report_number(answer, "offset", (pc - (f ? f->first : 0)) * ISA_INSN_BYTES);
	report_text(answer, "instruction", text_str(&insn));
	describe_position(d, answer, "ptx", debug_ptx_position(d, pc));
	describe_position(d, answer, "source", debug_cuda_position(d, pc));
	report_flag(answer, "is_current", is_current);
	if (count)
		line_counts_describe(gpu_counts_performance(d->g), count, answer);
	report_line(answer, is_current ? "=> {pc} <+{offset}>:\t" : "   {pc} <+{offset}>:\t");
	report_line(answer, how->with_source ? "{ptx}\t{instruction}\n" : "{instruction}\n");
	text_clear(&insn);
	if (how->decoded) {
		isa_insn_print(debug_program(d), pc, &insn);
		report_text(answer, "decoded", text_str(&insn));
		report_line(answer, "\t\t\t{decoded}\n");
	}
	describe_sass(&how->sass, pc, answer);
	report_close(answer);
	text_free(&insn);
}

/* Adds the list `instructions`. */
static void disassemble_range(struct debug *d, uint32_t first, uint32_t end, const struct isa_function *f,
			      struct listing *how, struct report *answer)
{
	struct debug_where w;
	bool has = debug_focus_where(d, &w) && w.state != DEBUG_THREAD_EXITED;
	struct debug_frame fr;
	if (has && debug_frame_get(d, &w, d->frame, &fr))
		w.pc = fr.pc;
	struct exec_count *count = how->with_counts ? xcalloc(end - first + (size_t)1, sizeof *count) : NULL;
	if (count) {
		gpu_instruction_counts(d->g, first, end, count);
		counts_title(d, answer);
	}
	report_list(answer, "instructions");
	for (uint32_t pc = first; pc < end; pc++) {
		if (how->with_source)
			source_line_of(d, how, pc, report_prose(answer));
		describe_instruction(d, pc, f, has && w.pc == pc, count ? &count[pc - first] : NULL, how, answer);
	}
	report_close(answer);
	free(count);
}

static bool take_pc(struct debug *d, const char *s, size_t n, uint32_t *pc, struct text *why)
{
	uint64_t v;
	struct text copy = {0};
	int64_t i = 0;
	text_addn(&copy, s, n);
	bool ok = debug_eval_integer(d, text_str(&copy), &i, why);
	text_free(&copy);
	v = (uint64_t)i;
	if (v >= EXEC_CODE_WINDOW && v < EXEC_MODULE_GLOBALS)
		v -= EXEC_CODE_WINDOW;
	return ok && (debug_pc_valid(d, v & ~(uint64_t)(ISA_INSN_BYTES - 1), pc) ||
		      debug_fail(why, "there is no instruction at pc 0x%llx", (unsigned long long)v));
}

/* In the form of GPGPU-Sim's macro. */
bool command_ptxdis(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	uint32_t first, last;
	const char *s = scan_blanks(args);
	size_t n = scan_part(s, true);
	const char *t = scan_blanks(s + n + (s[n] == ','));
	if (!n || !*t)
		return debug_fail(why, "usage: ptxdis START_PC END_PC");
	if (!take_pc(d, s, n, &first, why) || !take_pc(d, t, strlen(t), &last, why))
		return false;
	if (last < first)
		return debug_fail(why, "the range ends before it begins");
	report_hex(answer, "first", first * ISA_INSN_BYTES);
	report_hex(answer, "last", last * ISA_INSN_BYTES);
	report_line(answer, "disassemble instructions from {first} to {last}\n");
	report_list(answer, "instructions");
	for (uint32_t pc = first; pc <= last; pc++) {
		report_open(answer, NULL);
		report_mask(answer, "pc", pc * ISA_INSN_BYTES, 4);
		describe_place(d, answer, pc);
		report_say(answer, "0x%04x (%4u)  : ", pc * ISA_INSN_BYTES, pc * ISA_INSN_BYTES);
		dump_insn_text(d, pc, report_prose(answer));
		report_say(answer, "\n");
		report_close(answer);
	}
	report_close(answer);
	return true;
}

/* START,END or START,+BYTES, from a comma at s[part] on. */
static bool disassemble_addresses(struct debug *d, const char *s, size_t part, struct listing *how, struct report *answer,
				  struct text *why)
{
	const char *t = scan_blanks(s + part + 1);
	uint32_t first, end;
	int64_t n = 0;
	if (!take_pc(d, s, part, &first, why))
		return false;
	if (*t != '+') {
		if (!take_pc(d, t, strlen(t), &end, why))
			return false;
	} else {
		if (!debug_eval_integer(d, t + 1, &n, why))
			return false;
		n = n < 0 ? 0 : n > INT32_MAX ? INT32_MAX : n;
		end = first + (uint32_t)(n + ISA_INSN_BYTES - 1) / ISA_INSN_BYTES;
	}
	if (end > debug_program(d)->n_insns)
		end = debug_program(d)->n_insns;
	report_hex(answer, "first", first * ISA_INSN_BYTES);
	report_hex(answer, "end", end * ISA_INSN_BYTES);
	report_line(answer, "Dump of assembler code from {first} to {end}:\n");
	disassemble_range(d, first, end, isa_program_function_at(debug_program(d), first), how, answer);
	report_say(answer, "End of assembler dump.\n");
	return true;
}

/* A function by name or by an address within it, without either the selected frame's; NULL with a message. */
static const struct isa_function *disassembled_function(struct debug *d, const char *s, struct text *why)
{
	const struct isa_function *f = NULL;
	struct text ignored = {0};
	struct debug_where w;
	struct debug_frame fr;
	uint32_t pc;
	if (!*s) {
		if (debug_focus_where(d, &w) && debug_frame_get(d, &w, d->frame, &fr))
			return fr.function;
		debug_fail(why, "No frame selected. Name the function, as in `disassemble KERNEL`.");
		return NULL;
	}
	f = debug_find_function_anywhere(d, s, strlen(s), &ignored);
	if (!f && (isdigit((unsigned char)*s) || *s == '$' || *s == '*')) {
		s += *s == '*';
		if (take_pc(d, s, strlen(s), &pc, why))
			f = isa_program_function_at(debug_program(d), pc);
	} else if (!f) {
		text_add(why, text_str(&ignored));
	}
	text_free(&ignored);
	if (!f && !why->n)
		debug_fail(why, "No function contains specified address.");
	return f;
}

bool command_disassemble(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	struct listing how = {0};
	if (*s == '/') { /* gdb's modifiers */
		size_t n = strcspn(s, " \t");
		how.decoded = memchr(s, 'r', n) != NULL;
		how.with_counts = memchr(s, 'c', n) != NULL;
		how.with_source = memchr(s, 's', n) || memchr(s, 'm', n);
		s = scan_blanks(s + n);
	}
	size_t part = scan_part(s, false);
	if (s[part] == ',' && !strchr(s, '('))
		return disassemble_addresses(d, s, part, &how, answer, why);
	const struct isa_function *f = disassembled_function(d, s, why);
	if (!f)
		return false;
	report_text(answer, "function", debug_function_name(d, f));
	report_line(answer, "Dump of assembler code for function {function}:\n");
	if (how.with_source)
		sass_lines_read(d, f, &how.sass);
	disassemble_range(d, f->first, f->end, f, &how, answer);
	describe_sass(&how.sass, ISA_NO_TARGET, answer);
	sass_lines_free(&how.sass);
	report_say(answer, "End of assembler dump.\n");
	return true;
}
