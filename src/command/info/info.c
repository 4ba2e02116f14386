/* The table behind `info`, and its subjects about what is loaded and allocated. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "command/perf/access.h"
#include "command/dump/dump_info.h"
#include "command/dump/machine_fields.h"
#include "debug/program.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/setup/texture.h"
#include "command/info.h"
#include "command/inspect.h"
#include "debug/stop/breakpoint.h"
#include "debug/view/address.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "gpu/config/config.h"

bool info_functions(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Kind",	  "<Place", "PC",    "Instructions",
					     "Registers", "Shared", "Local", "<Name"};
	const struct isa_program *p = debug_program(d);
	const char *want = scan_blanks(args);
	(void)why;
	report_table(answer, "functions", titles, 8);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		const char *name = f->demangled && d->settings.demangle ? f->demangled : f->name;
		if (f->unloaded || (*want && !strstr(name, want) && !strstr(f->name, want)))
			continue;
		report_row(answer, false);
		report_text(answer, NULL, f->is_kernel ? "kernel" : f->is_defined ? "function" : "external");
		if (f->is_defined) {
			report_textf(answer, NULL, "%s:%u", debug_file_name(d, f->file), f->line);
			report_hex(answer, NULL, f->first * ISA_INSN_BYTES);
			report_number(answer, NULL, f->end - f->first);
			report_number(answer, NULL, f->live_registers);
			report_number(answer, NULL, f->static_shared);
			report_number(answer, NULL, f->local_bytes);
		} else {
			for (int k = 0; k < 6; k++)
				report_none(answer, NULL, "-");
		}
		report_text(answer, NULL, name);
	}
	report_instead(answer, p->n_functions ? "No function matches.\n" : "No file is loaded.\n");
	report_close(answer);
	return true;
}

/* Returns how many kernels of a module are loaded. */
static uint32_t kernels_of(const struct isa_program *p, uint32_t module)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < p->n_functions; i++)
		n += p->functions[i]->is_kernel && p->functions[i]->is_defined && isa_program_module_of(p, p->functions[i]->file) == module;
	return n;
}

/* The lowest and the highest code address of a module. */
static void code_of(const struct isa_program *p, uint32_t module, uint32_t *first, uint32_t *end)
{
	*first = UINT32_MAX;
	*end = 0;
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (!f->is_defined || f->first >= f->end || isa_program_module_of(p, f->file) != module)
			continue;
		*first = f->first < *first ? f->first : *first;
		*end = f->end > *end ? f->end : *end;
	}
}

bool info_modules(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Module", "<Name", "<State", "Context", "Kernels", "From", "To"};
	const struct isa_program *p = debug_program(d);
	if (!scan_end(args, why))
		return false;
	report_table(answer, "modules", titles, 7);
	for (uint32_t k = 1; k < p->n_modules; k++) {
		uint32_t first, end;
		code_of(p, k, &first, &end);
		report_row(answer, false);
		report_number(answer, NULL, k);
		report_text(answer, NULL, p->modules[k].name);
		report_text(answer, NULL, p->modules[k].unloaded ? "unloaded" : "loaded");
		report_number(answer, NULL, p->modules[k].context);
		report_number(answer, NULL, kernels_of(p, k));
		report_hex(answer, NULL, end ? first * ISA_INSN_BYTES : 0);
		report_hex(answer, NULL, end * ISA_INSN_BYTES);
	}
	report_instead(answer, "No module of a program was loaded.\n");
	report_close(answer);
	return true;
}

static void maker_cells(struct debug *d, struct report *answer, const struct debug_buffer *b)
{
	struct text place = {0};
	debug_program_place(d, gpu_nearest_allocation(d->g, b->address)->context, b->caller, &place);
	report_text(answer, NULL, b->kind ? b->kind : "buffer");
	report_text(answer, NULL, b->kind ? text_str(&place) : "the prompt");
	text_free(&place);
}

bool info_buffers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Name", "<Type", "Address", "Bytes", "<Kind", "<Made by"};
	const bool has_program = debug_program_is_there(d);
	if (!scan_end(args, why))
		return false;
	report_table(answer, "buffers", titles, has_program ? 6 : 4);
	report_instead(answer, "No buffers.\n");
	for (size_t i = 0; i < debug_buffer_count(d); i++) {
		const struct debug_buffer *b = debug_buffer_at(d, i);
		report_row(answer, false);
		report_text(answer, NULL, b->name);
		struct text type = {0};
		const struct gpu_texture *t = b->handle ? gpu_texture_at(d->g, b->handle) : NULL;
		if (t) {
			texture_format_text(&t->texels, &type);
			texture_size_text(&t->texels, &type);
		} else {
			debug_buffer_type(b, &type);
		}
		report_textf(answer, NULL, "%s%s", text_str(&type), b->initialised || b->kind ? "" : " uninitialised");
		text_free(&type);
		report_hex(answer, NULL, b->address);
		report_number(answer, NULL, debug_buffer_bytes(b));
		if (has_program)
			maker_cells(d, answer, b);
	}
	report_close(answer);
	return true;
}

bool info_variables(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Name", "<Space", "<Type", "Address", "Bytes"};
	const struct isa_program *p = debug_program(d);
	if (!scan_end(args, why))
		return false;
	report_table(answer, "variables", titles, 5);
	report_instead(answer, "No module variables.\n");
	for (uint32_t i = 0; i < p->n_variables; i++) {
		const struct isa_variable *v = p->variables[i];
		if (v->flags & ISA_VAR_UNLOADED)
			continue;
		struct text type = {0};
		text_add(&type, isa_type_info[v->type].name);
		if (v->vec > 1)
			text_addf(&type, ".v%u", v->vec);
		for (uint32_t k = 0; k < v->n_dims; k++)
			text_addf(&type, "[%llu]", (unsigned long long)v->dims[k]);
		report_row(answer, false);
		report_text(answer, NULL, v->name);
		report_text(answer, NULL, debug_space_name((enum isa_space)v->space));
		report_text(answer, NULL, text_str(&type));
		report_hex(answer, NULL, v->address);
		report_number(answer, NULL, v->bytes);
		text_free(&type);
	}
	report_close(answer);
	return true;
}

/* Adds a cell with a place, or one without a value if the place isn't known. Releases the text. */
static void place_cell(struct report *answer, bool is_known, struct text *place)
{
	if (is_known)
		report_text(answer, NULL, text_str(place));
	else
		report_none(answer, NULL, "-");
	text_free(place);
}

/* Adds an allocation; `has_places`: with the places that made and freed it. */
static void allocation_row(struct debug *d, struct report *answer, const struct gpu_allocation *a, bool has_places)
{
	const char *const held = a->reserved ? "reserved" : "freed", *const memory = a->alias ? "alias" : "live";
	report_row(answer, false);
	report_hex(answer, NULL, a->address);
	report_number(answer, NULL, a->bytes);
	report_text(answer, NULL, a->read_only ? "read-only" : a->live || a->alias ? memory : held);
	if (a->alias)
		report_textf(answer, NULL, "%s, memory at 0x%llx", a->name, (unsigned long long)a->alias);
	else
		report_text(answer, NULL, a->name);
	if (!has_places)
		return;
	struct text made = {0}, freed = {0};
	place_cell(answer, debug_allocation_made(d, a, &made), &made);
	place_cell(answer, debug_allocation_freed(d, a, &freed), &freed);
}

/* Returns true if the place that made one of the allocations is known. */
static bool any_made(struct debug *d, const struct gpu_allocation *a, size_t n)
{
	struct text place = {0};
	bool any = false;
	for (size_t k = 0; k < n && !any; k++)
		any = debug_allocation_made(d, &a[k], &place);
	text_free(&place);
	return any;
}

bool info_allocations(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"Address", "Bytes", "<State", "<Name", "<Made by", "<Freed by"};
	size_t n;
	if (!scan_end(args, why))
		return false;
	const struct gpu_allocation *a = gpu_allocations(d->g, &n);
	const bool has_places = any_made(d, a, n);
	report_table(answer, "allocations", titles, has_places ? 6 : 4);
	report_instead(answer, "No device memory is allocated.\n");
	size_t shown = d->settings.table_rows && n > d->settings.table_rows ? d->settings.table_rows : n;
	for (size_t i = 0; i < shown; i++)
		allocation_row(d, answer, &a[i], has_places);
	report_close(answer);
	if (shown < n)
		report_say(answer, "... %zu more rows (set table-rows N)\n", n - shown);
	return true;
}

/* Adds a number as such, and any other text as a string. */
static void describe_option_value(struct report *answer, const char *name, const char *text)
{
	char *end;
	errno = 0;
	const long long n = strtoll(text, &end, 10);
	if (*text && !*end && !errno)
		report_signed(answer, name, n);
	else
		report_text(answer, name, text);
}

/* Adds the list `options` of those that a name or a glob means: `option`, `value`, `default`, `set_by`, `help`. */
static void describe_options(const struct config *c, const char *glob, struct report *answer)
{
	struct config_row row;
	report_list(answer, "options");
	for (unsigned i = 0; config_row(c, i, &row); i++) {
		if (*glob && fnmatch(glob, row.name, FNM_CASEFOLD))
			continue;
		report_open(answer, NULL);
		report_text(answer, "option", row.name);
		if (row.value)
			describe_option_value(answer, "value", row.value);
		else
			report_none(answer, "value", "-");
		describe_option_value(answer, "default", row.default_value);
		report_text(answer, "set_by", row.file ? "file" : row.is_set ? "command line" : "default");
		if (row.file) {
			report_text(answer, "file", row.file);
			report_number(answer, "line", row.line);
		}
		report_text(answer, "help", row.help);
		report_close(answer);
	}
	report_close(answer);
}

bool info_config(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	struct text text = {0};
	s += *s == '-';
	if (!gpu_config(d->g))
		return debug_fail(why, "there is no config");
	if (config_print(gpu_config(d->g), *s ? s : NULL, &text)) {
		describe_options(gpu_config(d->g), s, answer);
		report_say(answer, "%s", text_str(&text));
		text_free(&text);
		return true;
	}
	if (strpbrk(s, "*?["))
		return debug_fail(why, "no option matches \"%s\"; info config lists them", s);
	text_clear(&text);
	config_suggest(s, &text);
	debug_fail(why, "no option is called \"%s\"%s", s, text.n ? text_str(&text) : "; info config lists them");
	text_free(&text);
	return false;
}

bool info_program(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	if (!scan_end(args, why))
		return false;
	if (!d->has_last || d->last.reason == DEBUG_STOP_NONE) {
		report_say(answer, debug_program(d)->n_insns ? "Nothing has run yet.\n" : "No file is loaded.\n");
		return true;
	}
	report_open(answer, "stop");
	debug_stop_describe(d, &d->last, answer);
	report_close(answer);
	debug_stop_report(d, &d->last, report_prose(answer));
	return true;
}

/* ---- the tables ---- */

static bool info_cuda(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const char *s = scan_blanks(args);
	size_t n = strcspn(s, " \t");
	if (!n) {
		for (size_t i = 0; i < info_cuda_n; i++)
			report_say(answer, "info cuda %s%s%s -- %s\n", info_cuda_rows[i].name,
				  *info_cuda_rows[i].usage ? " " : "", info_cuda_rows[i].usage,
				  info_cuda_rows[i].help);
		return true;
	}
	const struct info_row *r = info_find(info_cuda_rows, info_cuda_n, s, n, why);
	return r && r->fn(d, scan_blanks(s + n), answer, why);
}

const struct info_row info_rows[] = {
	{"access", "[next|last]",
	 "The load, store or atomic at the focus: each lane's address; coalescing into transactions, hits and misses; bank conflicts", info_access},
	{"address", "cuda", "Where a name's value is", info_address},
	{"all-registers", "[NAME]...", "Registers of the selected frame", info_registers},
	{"allocations", "", "All pieces of device memory", info_allocations},
	{"args", "", "Arguments of the selected frame", info_args},
	{"barriers", "", "Who waits at the focused block's barriers, and who is missing", info_barriers},
	{"blocks", "", "Blocks of the focused kernel", info_blocks},
	{"breakpoints", "[N]", "Breakpoints, watchpoints and catchpoints", info_breakpoints},
	{"buffers", "", "Buffers made with `buffer`, and what the program has allocated", info_buffers},
	{"checkers", "", "Checkers, which are on, and how much each has found", info_checkers},
	{"config", "[OPTION | GLOB]", "Options of the device model: value, default, where set", info_config},
	{"cores", "[[core] N] [warp N]", "Cores and what is on them", info_cores},
	{"cuda", "[SUBJECT]", "cuda-gdb's tables", info_cuda},
	{"cycle", "", "The machine's cycle, and how long the focused kernel has run", info_cycle},
	{"divergence", "", "Warps whose lanes are at different places", info_divergence},
	{"dram", "[standards]", "Channels and open rows of the memory of a DRAM standard (performance mode); all standards with their organisations and speeds", info_dram},
	{"fields", "[GLOB]", "Fields of the machine that expressions can name (performance mode)", info_fields},
	{"findings", "[N] [--json FILE]", "What the checkers have found; all of one finding", info_findings},
	{"fragment", "[REGS a|b|c|d SHAPE [TYPE]]", "Matrices of the tensor instruction in focus, or of the one just executed; of registers: `%r4..%r7 a m16n8k16 bf16`",
	 info_fragment},
	{"frame", "", "The selected frame", info_frame},
	{"functions", "[WORD]", "Kernels and functions that are loaded", info_functions},
	{"host", "", "The program's threads, and which calls of theirs are being served", info_host},
	{"inferiors", "", "The program's processes", info_inferiors},
	{"kernels", "[N]", "Launches and their states; of one", info_kernels},
	{"lanes", "[-active | EXPR]", "Lanes of the focused warp, those that run with the focused one, or a value over them", info_lanes},
	{"launches", "[NAME[#K]]", "Launches: configuration, stream, mode, cycles; of one name, or the K-th of it",
	 info_launches},
	{"limits", "", "Limits of the device that programs can set, and what is used of them", info_limits},
	{"line", "[LOC]", "PTX line, CUDA line and pc of a location", info_line},
	{"locals", "[all]",
	 "Variables of the selected frame; without debug information (-G) the registers of the current block of code, "
	 "too; all: of the function",
	 info_locals},
	{"machine", "", "What the simulated machine consists of, and the most it can do in a cycle", info_machine},
	{"modules", "", "A program's modules", info_modules},
	{"occupancy", "", "Blocks that fit on a core, and what limits them", info_occupancy},
	{"program", "", "The last stop", info_program},
	{"registers", "[NAME]...", "Registers of the selected frame", info_registers},
	{"samples", "[GLOB]", "Time-lapse samples: what the machine did in each interval (performance mode, `set samples`)", info_samples},
	{"scope", "LOC", "Variables of the source around a location, and where they are", info_scope},
	{"scoreboard", "[[core] N] [warp N]",
	 "Registers with pending writes, and what each warp waits for (performance mode)", info_scoreboard},
	{"simt-stack", "[core N] [warp N]", "SIMT stack of the focused warp, or of those warps", info_simt},
	{"source", "", "Which source lines are shown, and the files", info_source},
	{"stack", "[N]", "The call stack, as backtrace", command_backtrace},
	{"stalls", "[[core] N] [warp N] [--json FILE]",
	 "Cycles that schedulers, or a warp, have lost: to what, at which line (performance mode, `set stalls on`)",
	 info_stalls},
	{"statistics", "[GLOB]", "Counters in GPGPU-Sim's names", info_statistics},
	{"stream-buffers", "", "Streams of the cores: next address, what is buffered, what is left, what is in flight (performance mode)", info_stream_buffers},
	{"symbol", "ADDR", "What an address is in", info_symbol},
	{"textures", "", "Textures, surfaces and the objects of the program: format, size, modes, what is bound to them", info_textures},
	{"threads", "", "Threads of the focused kernel, neighbours at one place together", info_threads},
	{"trace", "", "Trace streams, and those that are on (performance mode)", info_trace},
	{"types", "[REGEX]", "Types of the source that have names", info_types},
	{"variables", "", "Module variables", info_variables},
	{"warps", "[core N] [warp N]", "Warps of the blocks on cores", info_warps},
	{"watchpoints", "[N]", "Watchpoints", info_watchpoints},
};
const size_t info_n = sizeof info_rows / sizeof *info_rows;

/* What one letter means in gdb. */
static bool is_letter_of(char letter, const char *name)
{
	static const char *const words[] = {"breakpoints", "frame", "registers", "stack", "warps"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i][0] == letter && !strcmp(words[i], name))
			return true;
	return false;
}

const struct info_row *info_find(const struct info_row *rows, size_t n, const char *word,
					     size_t n_word, struct text *why)
{
	const struct info_row *found = NULL;
	bool several = false;
	for (size_t i = 0; i < n && n_word == 1; i++)
		if (is_letter_of(*word, rows[i].name))
			return &rows[i];
	for (size_t i = 0; i < n; i++) {
		if (strncmp(rows[i].name, word, n_word))
			continue;
		if (strlen(rows[i].name) == n_word)
			return &rows[i];
		several |= found != NULL;
		found = &rows[i];
	}
	if (found && !several)
		return found;
	struct nearest near;
	nearest_begin(&near, word, n_word);
	for (size_t i = 0; i < n; i++)
		nearest_add(&near, rows[i].name);
	text_addf(why, "%s \"%.*s\"", several ? "ambiguous" : "no subject", (int)n_word, word);
	if (!several && nearest_meant(&near)) {
		nearest_suggest(&near, why);
		return NULL;
	}
	text_add(why, "; subjects:");
	for (size_t i = 0; i < n; i++)
		if (!several || !strncmp(rows[i].name, word, n_word))
			text_addf(why, " %s", rows[i].name);
	return NULL;
}
