/* .debug_info: a unit for each PTX file with its functions, their registers, parameters and variables; and one for what belongs
 * to no code: module variables, buffers, the memory spaces as byte arrays. */
#include "gdbstub/image/dwarf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "debug/setup/buffer.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/setup/launch.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_inlined.h"
#include "gdbstub/image/dwarf_own.h"
#include "gdbstub/image/frame_layout.h"

/* gdb believes that unwind information holds at a function's end too if a "GNU LANGUAGE" of version 4.5 or later has made it (gdb's
 * set_epilogue_unwind_valid); for other producers it reads the instruction at pc, four times at each stop, to see if it is a return. */
#define PRODUCER "GNU PTX 12.0.0 (warpstep)"

/* Compilers name parameters FUNCTION_param_0: the function is known already. */
static const char *parameter_name(const struct isa_function *f, const char *name)
{
	size_t n = strlen(f->name);
	return !strncmp(name, f->name, n) && !strncmp(name + n, "_param_", 7) ? name + n + 1 : name;
}

static void parameter(struct dwarf *w, const struct isa_function *f, uint32_t i)
{
	struct isa_variable v = f->params[i];
	unsigned code = v.flags & ISA_VAR_RETURN ? ABBREV_VARIABLE : ABBREV_PARAMETER;
	uint32_t ref = f->param_regs ? f->param_regs[i] : ISA_REF_NONE;
	if (!v.name)
		return;
	v.name = parameter_name(f, v.name);
	if (ref == ISA_REF_NONE) {
		dwarf_memory_variable(w, code, frame_layout_of(w->s, f), &v);
		return;
	}
	uint32_t offset = frame_offset(f, v.type == ISA_PRED, ref);
	dwarf_register(w, code, &(struct isa_reg){.name = v.name, .type = v.type}, 0, offset);
}

/* ---- functions ---- */

static void labels(struct dwarf *w, const struct isa_function *f)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < f->n_labels; i++) {
		uint32_t at = f->labels[i].at;
		if (at < f->first || at >= f->end)
			continue;
		put_uleb(&w->info, ABBREV_LABEL);
		dwarf_put_name(w, f->labels[i].name, 0, false);
		put_uleb(&w->info, 1);
		put_uleb(&w->info, p->where[at].line); /* without a line gdb doesn't find it */
		put64(&w->info, dwarf_address(w, at));
	}
}

/* A function's code, which counts as its beginning, and the place before a kernel. */
static void function_ranges(struct dwarf *w, const struct isa_function *f, uint32_t index)
{
	dwarf_range(w, dwarf_address(w, f->first), f->end - f->first);
	if (!f->is_kernel)
		return;
	dwarf_range(w, dwarf_launch_address(w, index), 1);
	dwarf_range(w, dwarf_exit_address(w, index), 1);
}

/* The type of what a function returns, which gdb's `finish` shows: one number, or the bytes of a structure (gdb's functions don't return
 * arrays). 0: nothing, or something else. */
static size_t value_type(struct dwarf *w, const struct isa_function *f)
{
	const struct isa_variable *v = f->n_params ? &f->params[0] : NULL;
	if (!v || !(v->flags & ISA_VAR_RETURN) || (f->n_params > 1 && f->params[1].flags & ISA_VAR_RETURN) ||
	    v->vec > 1 || isa_type_bytes((enum isa_type)v->type) > 8)
		return 0;
	if (!v->n_dims)
		return w->types[v->type];
	return v->n_dims == 1 && v->dims[0] ? dwarf_bytes(w, (enum isa_type)v->type, v->dims[0]) : 0;
}

static void function_variable(struct dwarf *w, const struct isa_function *f, const struct isa_variable *v)
{
	bool plain = dwarf_plain_of_function(f, v);
	if (plain)
		dwarf_variable(w, f, v, v->plain);
	if (!plain || !dwarf_plain_alias(w, v))
		dwarf_variable(w, f, v, v->name);
}

static void function(struct dwarf *w, const struct isa_function *f, uint32_t index)
{
	size_t type = value_type(w, f);
	struct inlined t;
	inlined_make(w, f, &t);
	inlined_origins(w, &t);
	put_uleb(&w->info, type ? ABBREV_VALUED_FUNCTION : ABBREV_FUNCTION);
	put_string(&w->info, debug_function_name(w->s->d, f));
	put_uleb(&w->info, 1);
	put_uleb(&w->info, f->line);
	put32(&w->info, w->ranges.n);
	function_ranges(w, f, index);
	dwarf_end_ranges(w);
	put_uleb(&w->info, 2);
	put8(&w->info, OP_BREG7);
	put_sleb(&w->info, 0);
	if (type)
		put32(&w->info, type);
	for (uint32_t i = 0; i < f->n_params; i++)
		parameter(w, f, i);
	for (uint32_t i = 0; i < f->n_vars; i++)
		function_variable(w, f, &f->vars[i]);
	inlined_entries(w, &t);
	labels(w, f);
	put8(&w->info, 0);
	inlined_free(&t);
}

/* ---- units ---- */

static void begin_unit(struct dwarf *w, unsigned code)
{
	w->unit = w->info.n;
	put32(&w->info, 0);
	put16(&w->info, 4);
	put32(&w->info, 0); /* abbreviations */
	put8(&w->info, 8);
	put_uleb(&w->info, code);
	put_string(&w->info, PRODUCER);
	put16(&w->info, LANG_ASSEMBLER); /* with others gdb moves `break KERNEL` after what it takes for a prologue */
}

static void end_unit(struct dwarf *w)
{
	put8(&w->info, 0);
	patch32(&w->info, w->unit, w->info.n - w->unit - 4);
}

static bool describes(const struct dwarf *w, const struct isa_function *f, uint32_t file)
{
	return f->is_defined && f->file == file && f->first >= w->first && f->end <= w->end && f->first < f->end;
}

static bool has_code(struct dwarf *w, uint32_t file)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (describes(w, p->functions[i], file))
			return true;
	return false;
}

/* A static variable of a name that another file has, too, is its own file's first of all. */
static void file_variables(struct dwarf *w, uint32_t file)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_variables; i++) {
		const struct isa_variable *v = p->variables[i];
		if (v->file == file && v->name && !(v->flags & ISA_VAR_UNLOADED) && dwarf_plain_has_namesake(w, v))
			dwarf_memory_variable(w, ABBREV_VARIABLE, NULL, v);
	}
}

static void describe_file(struct dwarf *w, uint32_t file)
{
	const struct isa_program *p = stub_program(w->s);
	struct text path = {0};
	char folder[PATH_MAX];
	if (w->cuda_lines && own_present(w, file) && own_add(w, file)) /* C variables go with lines of C */
		return;
	size_t lines = dwarf_lines(w, file, false);
	dwarf_path(w, file, &path);
	begin_unit(w, ABBREV_UNIT);
	put_string(&w->info, text_str(&path));
	put_string(&w->info, getcwd(folder, sizeof folder) ? folder : "/");
	put64(&w->info, 0);
	put32(&w->info, w->ranges.n);
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (describes(w, p->functions[i], file))
			function_ranges(w, p->functions[i], i);
	dwarf_end_ranges(w);
	put32(&w->info, lines);
	dwarf_base_types(w);
	hash_map_free(&w->origins);
	for (uint32_t i = 0; i < p->n_functions; i++)
		if (describes(w, p->functions[i], file))
			function(w, p->functions[i], i);
	file_variables(w, file);
	end_unit(w);
	text_free(&path);
}

/* A file none of whose lines of CUDA are shown is PTX altogether. */
static void file_unit(struct dwarf *w, uint32_t file)
{
	const bool cuda_lines = w->cuda_lines;
	if (!has_code(w, file))
		return;
	w->cuda_lines = cuda_lines && (debug_settings(w->s->d)->lines == DEBUG_LINES_CUDA || dwarf_has_cuda(w, file));
	describe_file(w, file);
	w->cuda_lines = cuda_lines;
}

/* A memory space as an array of bytes without end: `x/8f shared+16`. */
static void space_array(struct dwarf *w, const char *name, unsigned op, uint64_t address)
{
	static const uint64_t unknown[1];
	struct text e = {0};
	size_t type = dwarf_array(w, ISA_U8, unknown, 1);
	put_uleb(&w->info, ABBREV_GLOBAL);
	put_string(&w->info, name);
	put32(&w->info, type);
	put8(&e, op);
	if (op == OP_ADDR)
		put64(&e, address - w->base);
	else
		put_sleb(&e, 0);
	dwarf_put_expression(w, &e);
	text_free(&e);
}

/* CUDA's built-in variables. */
static void places(struct dwarf *w)
{
	static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
	const size_t type = dwarf_dim3(w), n = sizeof names / sizeof *names;
	for (unsigned i = 0; i < n; i++) {
		struct text e = {0};
		put_uleb(&w->info, ABBREV_GLOBAL);
		put_string(&w->info, names[i]);
		put32(&w->info, i + 1 < n ? type : w->types[ISA_S32]);
		put8(&e, OP_BREG13);
		put_sleb(&e, STUB_PLACES_OFFSET + 12 * i);
		dwarf_put_expression(w, &e);
		text_free(&e);
	}
}

static void buffers(struct dwarf *w)
{
	for (size_t i = 0; i < debug_buffer_count(w->s->d); i++) {
		const struct debug_buffer *b = debug_buffer_at(w->s->d, i);
		uint64_t count = b->c ? debug_buffer_bytes(b) : b->count; /* structures are bytes here */
		struct isa_variable v = {.name = b->name,
					 .space = ISA_SPACE_GLOBAL,
					 .type = (uint8_t)b->type,
					 .vec = 1,
					 .address = b->address,
					 .n_dims = 1,
					 .dims = &count};
		dwarf_memory_variable(w, ABBREV_GLOBAL, NULL, &v);
	}
}

/* A variable of the program's own debug information under another name. */
static void typed_variable(struct dwarf *w, const char *name, size_t type, const struct text *place)
{
	put_uleb(&w->info, ABBREV_TYPED_GLOBAL);
	dwarf_put_name(w, name, 0, false);
	put32(&w->info, type);
	dwarf_put_expression(w, place);
}

/* Whether it is the selected thread's or its block's, so that a register says where. */
static bool has_place(const struct isa_variable *v)
{
	return v->space == ISA_SPACE_SHARED || v->space == ISA_SPACE_LOCAL;
}

static void module_variable(struct dwarf *w, const struct isa_variable *v)
{
	struct text place = {0};
	if (v->flags & ISA_VAR_UNLOADED || !v->name)
		return;
	dwarf_variable_location(w, OP_FBREG, 0, v, &place);
	while (place.n < DWARF_PLACE_BYTES)
		put8(&place, OP_NOP);
	const unsigned char *at = (const unsigned char *)place.s;
	size_t type = dwarf_described_type(w, at);
	if (!dwarf_is_described(w, v->name, at))
		dwarf_variable(w, NULL, v, v->name);
	if (dwarf_plain_of_module(w, v) && !dwarf_is_described(w, v->plain, at) && type)
		typed_variable(w, v->plain, type, &place);
	else if (dwarf_plain_of_module(w, v) && !dwarf_is_described(w, v->plain, at))
		dwarf_variable(w, NULL, v, v->plain);
	text_free(&place);
}

/* PTX names of what has a plain one in its function, or in a call of it. */
static void aliases(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		for (uint32_t k = 0; f->first >= w->first && f->end <= w->end && k < f->n_vars; k++)
			if (f->vars[k].plain && dwarf_plain_alias(w, &f->vars[k]))
				dwarf_variable(w, NULL, &f->vars[k], f->vars[k].name);
	}
}

/* What the selected thread's registers say the place of. gdb takes everything between a unit's lowest and its highest address for the scope of
 * such variables, and with pc elsewhere an expression that a front end keeps is gone (varobj.c, check_scope): hence the addresses below, which no code has
 * and above all code. In a unit that has ranges the addresses of variables would be taken for code. */
static void place_unit(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	begin_unit(w, ABBREV_PLACE_UNIT);
	put_string(&w->info, "<device memory>");
	put64(&w->info, 0);
	put32(&w->info, w->ranges.n);
	dwarf_range(w, EXEC_CODE_WINDOW - ISA_INSN_BYTES, 1);
	dwarf_range(w, STUB_TEXTS_AT - ISA_INSN_BYTES, 1);
	dwarf_end_ranges(w);
	dwarf_base_types(w);
	for (uint32_t i = w->first_variable; i < p->n_variables; i++)
		if (has_place(p->variables[i]))
			module_variable(w, p->variables[i]);
	places(w);
	space_array(w, "shared", OP_BREG12, 0);
	space_array(w, "local", OP_BREG13, 0);
	end_unit(w);
}

static void data_unit(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	begin_unit(w, ABBREV_DATA_UNIT);
	put_string(&w->info, "<device memory>");
	/* A unit without code would get the addresses of its variables as code. This address belongs to no code: in a unit of which there are no
	 * lines gdb 13 looks for the end of them for ever (`until`). */
	put64(&w->info, w->place - DWARF_NO_CODE);
	put64(&w->info, ISA_INSN_BYTES);
	dwarf_base_types(w);
	for (uint32_t i = w->first_variable; i < p->n_variables; i++)
		if (!w->with_buffers || !has_place(p->variables[i]))
			module_variable(w, p->variables[i]);
	aliases(w);
	if (w->with_buffers) {
		buffers(w);
		space_array(w, "param", OP_ADDR, EXEC_PARAM_WINDOW);
		space_array(w, "constant", OP_ADDR, EXEC_CONST_WINDOW);
	}
	end_unit(w);
}

void dwarf_make(struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	dwarf_abbrevs(&w->abbrev);
	dwarf_plain_index(w);
	for (uint32_t i = 0; i < p->n_files; i++)
		if (p->files[i].frontend)
			file_unit(w, i);
	data_unit(w);
	if (w->with_buffers)
		place_unit(w);
	dwarf_scopes(w);
	dwarf_frames(w);
}

void dwarf_free(struct dwarf *w)
{
	text_free(&w->info);
	text_free(&w->abbrev);
	text_free(&w->line);
	text_free(&w->frame);
	text_free(&w->ranges);
	text_free(&w->loc);
	text_free(&w->str);
	text_free(&w->file_table);
	free(w->files);
	hash_map_free(&w->plain);
	hash_map_free(&w->names);
	hash_map_free(&w->aliases);
	hash_map_free(&w->namesakes);
	hash_map_free(&w->origins);
	dwarf_scopes_free(w);
	dwarf_described_free(w);
}
