/* .debug_line: one program per PTX file, one sequence per function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/frame_layout.h"

/* The file's number in the table being made. */
static uint32_t file_number(struct dwarf *w, uint32_t file)
{
	if (!w->files[file]) {
		struct text path = {0};
		dwarf_path(w, file, &path);
		put_string(&w->file_table, text_str(&path));
		put_uleb(&w->file_table, 0); /* folder: it is an absolute path */
		put_uleb(&w->file_table, 0);
		put_uleb(&w->file_table, 0);
		text_free(&path);
		w->files[file] = ++w->n_files;
	}
	return w->files[file];
}

static struct debug_position position(struct dwarf *w, uint32_t pc)
{
	return w->cuda_lines ? debug_position_at(w->s->d, pc) : debug_ptx_position(w->s->d, pc);
}

static void extended(struct text *t, unsigned op, size_t n_args)
{
	put8(t, 0);
	put_uleb(t, 1 + n_args);
	put8(t, op);
}

/* Does another .loc begin here? It may be another column of the same line. */
static bool new_loc(const struct dwarf *w, uint32_t pc)
{
	const struct isa_program *p = stub_program(w->s);
	return p->where[pc].loc != p->where[pc - 1].loc;
}

static uint32_t inlined_at(struct dwarf *w, uint32_t pc)
{
	const struct isa_program *p = stub_program(w->s);
	uint32_t loc = debug_readable_loc(w->s->d, pc);
	return loc < p->n_locs ? p->locs[loc].inlined_at : ISA_NO_LOC;
}

/* Where code of another call begins, a row begins even if the line is the same. */
static bool new_row(struct dwarf *w, uint32_t pc, bool own_numbers)
{
	if (own_numbers)
		return new_loc(w, pc);
	return w->cuda_lines && new_loc(w, pc) && inlined_at(w, pc) != inlined_at(w, pc - 1);
}

/* Returns the line of the first `.loc` of a function that has no instruction of its own, because another `.loc` follows in front of the first
 * instruction. Returns 0 if there is none. */
static uint32_t line_without_code(struct dwarf *w, const struct isa_function *f)
{
	const struct isa_program *p = stub_program(w->s);
	const struct isa_file *text = &p->files[f->file];
	const uint32_t end = f->first < f->end ? p->where[f->first].line : 0;
	unsigned number, line, first = 0, n = 0;
	for (uint32_t k = f->line; k < end && k <= text->n_lines; k++) {
		const char *s = text->text + text->line_start[k - 1];
		s += strspn(s, " \t");
		if (sscanf(s, ".loc%*[ \t]%u %u", &number, &line) != 2 || (n && line == first))
			continue;
		first = n++ ? first : line;
	}
	return n > 1 ? first : 0;
}

/* Emits the row of a prologue without instructions: gdb takes two rows at the same address for that, and a row alone for the prologue. */
static void empty_prologue(struct dwarf *w, const struct isa_function *f, uint32_t *file, uint32_t *line, struct text *t)
{
	const uint32_t own = line_without_code(w, f);
	const struct debug_position first = own ? position(w, f->first) : (struct debug_position){0};
	if (!first.line)
		return;
	*file = file_number(w, first.file);
	put8(t, LNS_SET_FILE);
	put_uleb(t, *file);
	put8(t, LNS_ADVANCE_LINE);
	put_sleb(t, (int64_t)own - *line);
	put8(t, LNS_COPY);
	*line = own;
}

/* A row for each line, or for each .loc if gdb is to find the end of a prologue by them. */
static void function_lines(struct dwarf *w, const struct isa_function *f, bool own_numbers, struct text *t)
{
	uint32_t file = 1, line = 1, at = f->first;
	extended(t, LNE_SET_ADDRESS, 8);
	put64(t, dwarf_address(w, f->first));
	if (f->is_kernel &&
	    !w->cuda_lines) { /* a breakpoint at the kernel's own line is one at its first instruction */
		line = f->line;
		put8(t, LNS_ADVANCE_LINE);
		put_sleb(t, (int64_t)line - 1);
		put8(t, LNS_COPY);
	}
	if (own_numbers)
		empty_prologue(w, f, &file, &line, t);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		struct debug_position p = position(w, pc);
		uint32_t number = p.line ? file_number(w, p.file) : file;
		if (!p.line || (pc != f->first && number == file && p.line == line && !new_row(w, pc, own_numbers)))
			continue;
		if (number != file) {
			put8(t, LNS_SET_FILE);
			put_uleb(t, number);
		}
		put8(t, LNS_ADVANCE_PC);
		put_uleb(t, (uint64_t)(pc - at) * ISA_INSN_BYTES);
		put8(t, LNS_ADVANCE_LINE);
		put_sleb(t, (int64_t)p.line - line);
		put8(t, LNS_COPY);
		file = number;
		line = p.line;
		at = pc;
	}
	put8(t, LNS_ADVANCE_PC);
	put_uleb(t, (uint64_t)(f->end - at) * ISA_INSN_BYTES);
	extended(t, LNE_END_SEQUENCE, 0);
}

/* One row for a stretch of instructions. */
static void one_line(struct dwarf *w, uint64_t address, uint32_t n_instructions, struct debug_position p,
		     struct text *t)
{
	extended(t, LNE_SET_ADDRESS, 8);
	put64(t, address);
	put8(t, LNS_SET_FILE);
	put_uleb(t, file_number(w, p.file));
	put8(t, LNS_ADVANCE_LINE);
	put_sleb(t, (int64_t)p.line - 1);
	put8(t, LNS_COPY);
	put8(t, LNS_ADVANCE_PC);
	put_uleb(t, (uint64_t)n_instructions * ISA_INSN_BYTES);
	extended(t, LNE_END_SEQUENCE, 0);
}

/* A place in the function itself: of code that is inlined, where its outermost call is. */
static struct debug_position own_position(struct dwarf *w, uint32_t pc)
{
	const struct isa_program *p = stub_program(w->s);
	uint32_t loc = w->cuda_lines ? debug_readable_loc(w->s->d, pc) : ISA_NO_LOC;
	for (uint32_t n = 0; n < DEBUG_INLINED_MAX && loc < p->n_locs && p->locs[loc].inlined_at < p->n_locs; n++)
		loc = p->locs[loc].inlined_at;
	return loc < p->n_locs ? (struct debug_position){p->locs[loc].file, p->locs[loc].line} : position(w, pc);
}

/* Before they begin threads stand at the kernel's own line, in the end at PTX's last one: in the CUDA source that would be the line of the
 * last instruction as a rule, and a step from it would not be seen to end. Without any line gdb 13's `until` would look for one for ever. */
static void kernel_lines(struct dwarf *w, const struct isa_function *f, uint32_t index, struct text *t)
{
	struct debug_position first = own_position(w, f->first);
	bool in_cuda = first.line && first.file != f->file;
	if (!in_cuda)
		first = (struct debug_position){f->file, f->line};
	one_line(w, dwarf_launch_address(w, index), 1, first, t);
	one_line(w, dwarf_exit_address(w, index), 1, (struct debug_position){f->file, f->end_line}, t);
}

/* The program's file of this name; false: there is none. */
static bool file_named(const struct isa_program *p, const char *name, uint32_t *file)
{
	for (*file = p->n_files; (*file)-- > 0;)
		if (!p->files[*file].frontend && !strcmp(p->files[*file].name, name))
			return true;
	return false;
}

/* `.file NUMBER "NAME"` at `s`. */
static bool read_directive(const char *s, const char *end, unsigned *number, char name[512])
{
	char line[600] = "";
	memcpy(line, s, (size_t)(end - s) < sizeof line - 1 ? (size_t)(end - s) : sizeof line - 1);
	return sscanf(line, ".file %u \"%511[^\"]\"", number, name) == 2;
}

/* Files that a PTX text's own directives number, as long as there is one for each number. The text, of megabytes perhaps, is gone
 * through once. */
static void own_numbers_first(struct dwarf *w, uint32_t ptx_file)
{
	const struct isa_program *p = stub_program(w->s);
	const struct isa_file *ptx = &p->files[ptx_file];
	const char *end = ptx->text + ptx->n_text;
	uint32_t *numbered = xcalloc(p->n_files + 1, sizeof *numbered); /* by number: the file's, and one; 0: none */
	uint32_t file;
	for (const char *s = ptx->text; (s = memmem(s, (size_t)(end - s), ".file", 5)) != NULL; s += 5) {
		char name[512];
		unsigned n;
		if (read_directive(s, end, &n, name) && n <= p->n_files && !numbered[n] && file_named(p, name, &file))
			numbered[n] = file + 1;
	}
	while (w->n_files < p->n_files && numbered[w->n_files + 1] && !w->files[numbered[w->n_files + 1] - 1])
		file_number(w, numbered[w->n_files + 1] - 1);
	free(numbered);
}

/* Files in which there are calls that were inlined. */
static void calls_files(struct dwarf *w, const struct isa_function *f)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		uint32_t loc = pc == f->first || new_loc(w, pc) ? debug_readable_loc(w->s->d, pc) : ISA_NO_LOC;
		for (uint32_t n = 0; n < DEBUG_INLINED_MAX && loc < p->n_locs; n++) {
			file_number(w, p->locs[loc].file);
			loc = p->locs[loc].inlined_at;
		}
	}
}

/* ---- functions that a compiler adds without lines, among others that have lines of CUDA ---- */

static bool has_cuda_lines(struct dwarf *w, const struct isa_function *f)
{
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if ((pc == f->first || new_loc(w, pc)) && debug_readable_loc(w->s->d, pc) < stub_program(w->s)->n_locs)
			return true;
	return false;
}

static bool has_code_of(const struct dwarf *w, const struct isa_function *f, uint32_t ptx_file)
{
	return f->is_defined && f->file == ptx_file && f->first >= w->first && f->end <= w->end && f->first < f->end;
}

bool dwarf_has_cuda(struct dwarf *w, uint32_t ptx_file)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (has_code_of(w, p->functions[i], ptx_file) && has_cuda_lines(w, p->functions[i]))
			return true;
	return false;
}

/* Functions of a PTX file that have lines of CUDA, by their names in C++: the first one of each name. */
static void index_namesakes(struct dwarf *w, uint32_t ptx_file)
{
	const struct isa_program *p = stub_program(w->s);
	uint32_t other;
	hash_map_free(&w->namesakes);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		size_t n = f->demangled ? strlen(f->demangled) : 0;
		if (n && f->is_defined && f->file == ptx_file &&
		    !hash_map_get(&w->namesakes, f->demangled, n, &other) && has_cuda_lines(w, f))
			hash_map_put(&w->namesakes, f->demangled, n, i);
	}
}

/* Another one of the same name in C++: nvcc makes a base class's constructor a second time, to call the first. */
static const struct isa_function *namesake(struct dwarf *w, const struct isa_function *f)
{
	uint32_t i;
	return f->demangled && hash_map_get(&w->namesakes, f->demangled, strlen(f->demangled), &i)
		       ? stub_program(w->s)->functions[i]
		       : NULL;
}

/* Such a function has the first line of its namesake, or none: gdb's `step` then goes over it, as over a CPU's library functions. Only
 * where the program's own debug information doesn't describe it, either: in a function that is described and has no lines, gdb 13's
 * `until` never comes to an end. */
static void lines_of_function(struct dwarf *w, const struct isa_function *f, bool own_numbers, struct text *program)
{
	if (!own_numbers || !w->has_cuda || f->is_kernel || has_cuda_lines(w, f)) {
		function_lines(w, f, own_numbers, program);
		return;
	}
	const struct isa_function *g = namesake(w, f);
	if (g)
		one_line(w, dwarf_address(w, f->first), f->end - f->first, position(w, g->first), program);
}

bool dwarf_has_lines(struct dwarf *w, const struct isa_function *f)
{
	return !w->has_cuda || f->is_kernel || has_cuda_lines(w, f) || namesake(w, f);
}

static void file_lines(struct dwarf *w, uint32_t ptx_file, bool own_numbers, struct text *program)
{
	const struct isa_program *p = stub_program(w->s);
	w->has_cuda = w->cuda_lines && dwarf_has_cuda(w, ptx_file);
	if (own_numbers && w->has_cuda)
		index_namesakes(w, ptx_file);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (!has_code_of(w, f, ptx_file))
			continue;
		lines_of_function(w, f, own_numbers, program);
		if (w->cuda_lines && !own_numbers)
			calls_files(w, f);
		if (f->is_kernel)
			kernel_lines(w, f, i, program);
	}
}

size_t dwarf_lines(struct dwarf *w, uint32_t ptx_file, bool own_numbers)
{
	static const unsigned char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	const struct isa_program *p = stub_program(w->s);
	struct text program = {0};
	size_t begin = w->line.n;
	free(w->files);
	w->files = xcalloc(p->n_files, sizeof *w->files);
	w->n_files = 0;
	text_clear(&w->file_table);
	if (own_numbers)
		own_numbers_first(w, ptx_file);
	file_number(w, ptx_file);
	file_lines(w, ptx_file, own_numbers, &program);
	put32(&w->line, 0);
	put16(&w->line, 4);
	size_t header = w->line.n;
	put32(&w->line, 0);
	put8(&w->line, 1); /* shortest instruction */
	put8(&w->line, 1);
	put8(&w->line, 1); /* rows are statements */
	put8(&w->line, 0xfb);
	put8(&w->line, 14);
	put8(&w->line, 13); /* opcodes below are standard */
	text_addn(&w->line, (const char *)lengths, sizeof lengths);
	put8(&w->line, 0); /* no folders */
	text_addn(&w->line, text_str(&w->file_table), w->file_table.n);
	put8(&w->line, 0);
	patch32(&w->line, header, w->line.n - header - 4);
	text_addn(&w->line, text_str(&program), program.n);
	patch32(&w->line, begin, w->line.n - begin - 4);
	text_free(&program);
	return begin;
}
