/* Commands that make breakpoints, watchpoints and catchpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/ground/ground.h"
#include "debug/program.h"
#include "debug/expr/fields.h"
#include "debug/ground/scan.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/stop.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "command/stop/stop_commands.h"

/* What may follow a location: [UID] [thread (X,Y,Z)] [block (X,Y,Z)] [warp N] [if EXPR]. */
struct options {
	struct breakpoint_filter filter;
	struct expr *condition;
};

static bool parse_condition(struct debug *d, const char *s, struct options *o, struct text *why)
{
	o->condition = expr_parse(d, s, NULL, why);
	return o->condition != NULL;
}

static bool once(bool *has, const char *what, struct text *why)
{
	if (*has)
		return debug_fail(why, "You can specify only one %s.", what);
	*has = true;
	return true;
}

/* One filter at *at: `thread 3` is (3,0,0), as after `focus` and `cuda`; a number without a word is a uid. */
static bool parse_filter(const char **at, struct breakpoint_filter *f, struct text *why)
{
	unsigned n;
	uint64_t v;
	if (scan_word(at, "thread"))
		return scan_dim3(at, f->thread, &n, why) && once(&f->has_thread, "thread", why);
	if (scan_word(at, "block"))
		return scan_dim3(at, f->block, &n, why) && once(&f->has_block, "block", why);
	if (scan_word(at, "warp")) {
		if (!scan_u64(at, &v) || v > UINT32_MAX)
			return debug_fail(why, "warp wants a number");
		f->warp = (uint32_t)v;
		return once(&f->has_warp, "warp", why);
	}
	if (!scan_word(at, "uid") && !isdigit((unsigned char)**at))
		return debug_fail(why, "junk at the end of the arguments: %s", *at);
	if (!scan_u64(at, &f->uid))
		return debug_fail(why, "a uid is a number");
	return once(&f->has_uid, "uid", why);
}

static bool parse_options(struct debug *d, const char *s, struct options *o, struct text *why)
{
	for (s = scan_blanks(s); *s; s = scan_blanks(s)) {
		if (scan_word(&s, "if"))
			return parse_condition(d, s, o, why);
		if (!parse_filter(&s, &o->filter, why))
			return false;
	}
	return true;
}

/* Filters that no thread of the launch at hand can pass: a later launch may have such threads, so it is only said. */
static void note_filters(struct debug *d, const struct breakpoint_filter *f, struct text *out)
{
	struct gpu_launch_info info;
	struct debug_thread t;
	uint32_t n = gpu_launch_count(d->g), id = d->has_focus ? d->focus.launch : n - 1;
	if (!n || !gpu_launch_get(d->g, id, &info) || info.state == GPU_LAUNCH_DONE || info.state == GPU_LAUNCH_KILLED)
		return;
	const struct exec_launch *l = &info.launch;
	if (f->has_thread &&
	    (f->thread[0] >= l->block[0] || f->thread[1] >= l->block[1] || f->thread[2] >= l->block[2]))
		text_addf(out, "Note: no block of kernel %u has a thread (%u,%u,%u), they are %u x %u x %u.\n", id,
			  f->thread[0], f->thread[1], f->thread[2], l->block[0], l->block[1], l->block[2]);
	if (f->has_block && (f->block[0] >= l->grid[0] || f->block[1] >= l->grid[1] || f->block[2] >= l->grid[2]))
		text_addf(out, "Note: kernel %u has no block (%u,%u,%u), its grid is %u x %u x %u.\n", id, f->block[0],
			  f->block[1], f->block[2], l->grid[0], l->grid[1], l->grid[2]);
	if (f->has_uid && !debug_thread_of_uid(d, f->uid, &t))
		text_addf(out, "Note: no thread has uid %llu yet, kernel %u's are %llu to %llu.\n",
			  (unsigned long long)f->uid, id, (unsigned long long)l->first_uid,
			  (unsigned long long)(l->first_uid + l->n_threads - 1));
}

static void apply_options(struct breakpoint *b, struct options *o)
{
	b->filter = o->filter;
	b->compiled = o->condition;
	b->condition = o->condition ? xstrdup(expr_text(o->condition)) : NULL;
	o->condition = NULL;
}

/* ---- break ---- */

static char *trimmed(const char *s, const char *end)
{
	s = scan_blanks(s);
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	return xstrndup(s, end > s ? (size_t)(end - s) : 0);
}

static const char *kind_name(const struct breakpoint *b)
{
	return b->code.prints ? "Dprintf" : b->temporary ? "Temporary breakpoint" : "Breakpoint";
}

static void say_breakpoint(struct debug *d, const struct breakpoint *b, const struct debug_location *l,
			   struct text *out)
{
	const char *file = debug_file_name(d, l->at.file);
	if (l->moved)
		text_addf(out, "Line %u of %s has no instruction; the next one that has is line %u.\n", l->asked, file,
			  l->at.line);
	text_addf(out, "%s %u at 0x%x: ", kind_name(b), b->number, b->code.pcs[0] * ISA_INSN_BYTES);
	if (b->code.n_pcs > 1 && l->is_function)
		text_addf(out, "%s. (%u locations)\n", b->location, b->code.n_pcs);
	else if (b->code.n_pcs > 1)
		text_addf(out, "%s:%u. (%u locations)\n", file, l->at.line, b->code.n_pcs);
	else
		text_addf(out, "file %s, line %u.\n", file, l->at.line);
}

enum made { STOPS, STOPS_ONCE, PRINTS };

/* What a dprintf prints, after its location. */
static bool parse_prints(const char *s, const char **prints, struct text *why)
{
	s = scan_blanks(s);
	if (*s != ',')
		return debug_fail(why, "Format string required");
	*prints = s = scan_blanks(s + 1);
	return *s == '"' || debug_fail(why, *s ? "Bad format string" : "Format string required");
}

static bool make_breakpoint(struct debug *d, const char *args, enum made kind, struct report *answer, struct text *why)
{
	struct debug_location l;
	struct options o = {0};
	struct text reason = {0};
	const char *end, *prints = NULL;
	bool pending = false, found = debug_location_parse(d, args, &end, &l, &pending, &reason);
	bool ok =
		(found || pending) && (kind == PRINTS ? parse_prints(end, &prints, why) : parse_options(d, end, &o, why));
	if (!found && !pending)
		text_add(why, text_str(&reason));
	if (ok && found && o.condition)
		ok = expr_check_names(d, o.condition, l.pcs, l.n, why);
	if (ok) {
		struct breakpoint *b = breakpoint_new(d, BREAKPOINT_CODE, false);
		b->temporary = kind == STOPS_ONCE;
		b->code.prints = prints ? trimmed(prints, prints + strlen(prints)) : NULL;
		b->location = trimmed(args, end);
		b->code.in_ptx = found && debug_program(d)->files[l.at.file].frontend;
		b->code.call = found && l.is_call ? l.at : (struct debug_position){0};
		if (found)
			b->location = breakpoint_lasting_location(d, &l, b->location);
		b->code.pending = !found;
		b->code.told = found;
		b->code.pcs = l.pcs;
		b->code.n_pcs = l.n;
		l.pcs = NULL;
		apply_options(b, &o);
		breakpoint_describe(d, b, answer);
		if (found)
			say_breakpoint(d, b, &l, report_prose(answer));
		if (found)
			note_filters(d, &b->filter, report_prose(answer));
		else if (breakpoint_is_for_calls(b))
			report_say(answer, "%s %u (api %s): no kernel of this name is loaded; it stops in front of the program's calls, as `catch api %s`.\n",
				   kind_name(b), b->number, b->location, b->location);
		else
			report_say(answer, "%s\n%s %u (%s) pending.\n", text_str(&reason), kind_name(b), b->number,
				  b->location);
	}
	if (found)
		debug_location_free(&l);
	expr_free(o.condition);
	text_free(&reason);
	return ok;
}

bool command_break(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_breakpoint(d, args, STOPS, answer, why);
}

bool command_tbreak(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_breakpoint(d, args, STOPS_ONCE, answer, why);
}

bool command_dprintf(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_breakpoint(d, args, PRINTS, answer, why);
}

/* ---- watch ---- */

#define WATCH_BYTES_MAX (UINT64_C(64) << 20)

/* A bare address: watches what the buffer there holds, or a u32. */
static void address_target(struct debug *d, struct expr_value *v)
{
	struct expr_value p = {.type = v->pointers && v->type != ISA_NOTYPE ? v->type : ISA_U32, .count = 1};
	p.place.kind = EXPR_MEMORY;
	p.place.address = v->u.u64;
	if (v->pointers > 1)
		p.type = ISA_U64;
	for (size_t i = 0; i < debug_buffer_count(d) && !v->pointers; i++) {
		const struct debug_buffer *b = debug_buffer_at(d, i);
		if (v->u.u64 - b->address < debug_buffer_bytes(b))
			p.type = b->type;
	}
	expr_value_free(v);
	*v = p;
}

static bool place_watch(struct debug *d, struct breakpoint *b, const struct expr_value *v, const struct debug_thread *t,
			struct text *why)
{
	struct debug_where w;
	struct debug_frame f;
	b->watch.type = v->pointers ? ISA_U64 : v->type;
	b->watch.count = v->is_array ? v->count : 1;
	b->watch.place = v->place.kind;
	b->watch.bytes = b->watch.count * (isa_type_bytes(b->watch.type) ? isa_type_bytes(b->watch.type) : 1);
	b->watch.c = v->c;
	b->watch.bit_size = v->place.bit_size;
	b->watch.bit_shift = v->place.bit_shift;
	if (v->is_object) {
		b->watch.type = ISA_U8;
		b->watch.count = b->watch.bytes = v->count;
	} else if (b->watch.bit_size) {
		b->watch.type = ISA_U8;
		b->watch.count = b->watch.bytes = (b->watch.bit_shift + b->watch.bit_size + 7u) / 8u;
	}
	if (t)
		b->watch.thread = *t;
	if (b->watch.bytes > WATCH_BYTES_MAX)
		return debug_fail(why, "%llu bytes are too many to watch", (unsigned long long)b->watch.bytes);
	if (b->watch.place == EXPR_FIELD) {
		b->watch.type = v->pointers ? ISA_B64 : ISA_U64;
		b->watch.bytes = sizeof(uint64_t);
		b->watch.count = 1;
		b->watch.compared = gpu_cycle(d->g);
		return b->watch.access == BREAKPOINT_WRITE ||
		       debug_fail(why, "nobody reads a field of the machine: `watch` stops when it changes");
	}
	if (b->watch.place == EXPR_MEMORY) {
		b->watch.named = v->place.address;
		b->watch.address = gpu_device_address(d->g, b->watch.named);
		b->watch.space = (uint8_t)debug_space_of(b->watch.address);
		return true;
	}
	b->watch.ref = v->place.ref;
	uint32_t level = d->has_focus && t && debug_same_thread(t, &d->focus) ? d->frame : 0;
	if (t && debug_thread_where(d, t, &w) && debug_frame_get(d, &w, level, &f)) {
		b->watch.function = isa_program_function_index(debug_program(d), f.function);
		b->watch.depth = f.depth;
		return true;
	}
	return debug_fail(why, "the register has no activation to be watched in");
}

/* The thread whose registers, local or shared memory are meant. A uid may belong to a launch that is still to come: then only
 * what needs no thread can be watched. */
static bool watch_thread(struct debug *d, const struct options *o, struct debug_thread *t)
{
	return o->filter.has_uid ? debug_thread_of_uid(d, o->filter.uid, t) : debug_focus_get(d, t);
}

static bool eval_target(struct debug *d, const struct expr *e, const struct debug_thread *t, struct expr_value *v,
			struct text *why)
{
	uint32_t level = t && d->has_focus && debug_same_thread(t, &d->focus) ? d->frame : 0;
	if (!expr_eval_own_places(d, e, t, level, v, why))
		return false;
	size_t n;
	if (v->place.kind == EXPR_FIELD && (!field_scan(expr_text(e), &n) || expr_text(e)[n])) {
		expr_value_free(v);
		return debug_fail(why, "a field of the machine is watched by its bare name");
	}
	if (v->place.kind == EXPR_MEMORY || v->place.kind == EXPR_ROW || v->place.kind == EXPR_PRED ||
	    v->place.kind == EXPR_FIELD)
		return true;
	if (v->is_missing) {
		expr_value_free(v);
		return debug_fail(
			why, "%s can't be watched: it has no place at this instruction, value has been optimized out",
			expr_text(e));
	}
	const char *reason = expr_unwatchable(d, e);
	if (reason) {
		expr_value_free(v);
		return debug_fail(why, "%s can't be watched: %s", expr_text(e), reason);
	}
	bool address = !v->is_array && !v->is_string && v->place.kind != EXPR_PC &&
		       (v->pointers || (isa_type_bytes(v->type) >= 4 && !isa_type_is_float(v->type)));
	if (!address) {
		expr_value_free(v);
		return debug_fail(why, "%s can't be watched: it is no place in memory and no register", expr_text(e));
	}
	address_target(d, v);
	unsigned char byte;
	struct debug_where w;
	bool has = t && debug_thread_where(d, t, &w);
	return debug_memory_read(d, has ? &w : NULL, v->place.address, &byte, 1) ||
	       debug_access_fail(d, has ? &w : NULL, v->place.address, why);
}

/* Digits alone are an address, in hexadecimal as GPGPU-Sim takes it: an address in decimal is of no use. */
static struct expr *parse_target(struct debug *d, const char *args, const char **end, struct text *why)
{
	const char *s = scan_blanks(args);
	size_t n = strspn(s, "0123456789abcdefABCDEF");
	const char *after = scan_blanks(s + n);
	bool alone = !s[n] || (isspace((unsigned char)s[n]) && (!*after || isalnum((unsigned char)*after)));
	if (scan_word(&s, "-l") || scan_word(&s, "-location")) /* the value's place is watched in any case */
		return expr_parse(d, s, end, why);
	if (!isdigit((unsigned char)*s) || !alone)
		return expr_parse(d, s, end, why);
	struct text address = {0};
	text_add(&address, "0x");
	text_addn(&address, s, n);
	struct expr *e = expr_parse(d, text_str(&address), NULL, why);
	text_free(&address);
	*end = s + n;
	return e;
}

/* As in gdb a watchpoint on local variables ends where their activation does, unless -location was given. A kernel's go on in its next launch. */
static void set_scope(struct debug *d, struct breakpoint *b, const char *args, const struct expr *e, const struct debug_thread *t)
{
	const char *s = scan_blanks(args);
	const bool is_location = scan_word(&s, "-l") || scan_word(&s, "-location");
	const bool is_of_activation = b->watch.place == EXPR_MEMORY ? b->watch.space == ISA_SPACE_LOCAL : b->watch.variable != NULL;
	const uint32_t level = d->has_focus && debug_same_thread(t, &d->focus) ? d->frame : 0;
	struct debug_where w;
	struct debug_frame f;
	if (is_location || !is_of_activation || !expr_names_locals(e) || !debug_thread_where(d, t, &w) || !debug_frame_get(d, &w, level, &f))
		return;
	b->watch.function = isa_program_function_index(debug_program(d), f.function);
	b->watch.depth = f.depth;
	b->watch.is_scoped = f.depth > 0;
}

static bool make_watch(struct debug *d, const char *args, enum breakpoint_watch kind, struct report *answer,
		       struct text *why)
{
	static const char *const titles[] = {"Watchpoint", "Read watchpoint", "Access watchpoint"};
	struct options o = {0};
	struct expr_value v = {0};
	struct debug_thread t = {0};
	const char *end;
	bool has = false;
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: watch ADDR|EXPR [UID] [if EXPR]");
	struct expr *e = parse_target(d, args, &end, why);
	bool ok = e && parse_options(d, end, &o, why) && (!o.condition || expr_check_names(d, o.condition, NULL, 0, why));
	if (ok) {
		has = watch_thread(d, &o, &t);
		ok = eval_target(d, e, has ? &t : NULL, &v, why);
	}
	if (ok) {
		struct breakpoint *b = breakpoint_new(d, BREAKPOINT_WATCH, false);
		b->watch.access = kind;
		ok = place_watch(d, b, &v, has ? &t : NULL, why);
		if (b->watch.place == EXPR_ROW || b->watch.place == EXPR_PRED)
			b->watch.variable = expr_variable(e);
		if (ok && has)
			set_scope(d, b, args, e, &t);
		if (ok) {
			b->location = xstrdup(expr_text(e));
			apply_options(b, &o);
			b->watch.old = xcalloc(b->watch.bytes + 16, 1);
			watch_read_value(d, b, b->watch.old);
			breakpoint_describe(d, b, answer);
			report_say(answer, "%s ", titles[kind]);
			report_line(answer, "{number}: {expression}\n");
		} else {
			d->last_breakpoint--;
			breakpoint_drop(d, b);
		}
	}
	expr_value_free(&v);
	expr_free(o.condition);
	expr_free(e);
	return ok;
}

bool command_watch(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_watch(d, args, BREAKPOINT_WRITE, answer, why);
}

bool command_rwatch(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_watch(d, args, BREAKPOINT_READ, answer, why);
}

bool command_awatch(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_watch(d, args, BREAKPOINT_ACCESS, answer, why);
}

/* ---- catch ---- */

/* Takes the name or glob behind `catch api`; NULL is any. */
static bool take_api_name(struct debug *d, const char **s, char **name, struct text *why)
{
	const char *begin = scan_blanks(*s), *after = begin;
	const size_t n = strcspn(begin, " \t");
	if (!debug_program_is_there(d) && !debug_may_be_pending(d))
		return debug_fail(why, "there is no program whose calls could be caught: `warpstep --args PROGRAM` debugs one");
	if (!n || scan_word(&after, "if"))
		return true;
	if (strcspn(begin, "()<>,;:") < n)
		return debug_fail(why, "a call is caught by its name, which may have * and ?: catch api cudaMemcpy*");
	*name = xstrndup(begin, n);
	*s = begin + n;
	return true;
}

static bool make_catch(struct debug *d, const char *args, bool temporary, struct report *answer, struct text *why)
{
	struct options o = {0};
	const char *s = args;
	unsigned k = 0;
	while (k <= BREAKPOINT_ON_API && !scan_word(&s, breakpoint_caught_name((enum breakpoint_catch)k)))
		k++;
	if (k > BREAKPOINT_ON_API)
		return debug_fail(why,
				  "usage: catch launch|exit|barrier|exception|divergence [after]|atomic|load|unload|kernel NAME|api [GLOB]");
	char *name = NULL;
	if (k == BREAKPOINT_ON_KERNEL) {
		const char *begin = scan_blanks(s), *cut = strstr(begin, " if ");
		name = trimmed(begin, cut ? cut : begin + strlen(begin));
		s = begin + strlen(begin);
		if (!*name || (!debug_may_be_pending(d) && !debug_find_kernel(d, name, strlen(name), why))) {
			bool none = !*name;
			free(name);
			return none ? debug_fail(why, "usage: catch kernel NAME") : false;
		}
	} else if (k == BREAKPOINT_ON_API && !take_api_name(d, &s, &name, why)) {
		return false;
	} else if (k == BREAKPOINT_ON_DIVERGENCE && scan_word(&s, "after")) {
		name = xstrdup("after");
	}
	if (!parse_options(d, s, &o, why) || (o.condition && !expr_check_names(d, o.condition, NULL, 0, why))) {
		expr_free(o.condition);
		free(name);
		return false;
	}
	struct breakpoint *b = breakpoint_new(d, BREAKPOINT_CATCH, false);
	b->caught = (enum breakpoint_catch)k;
	b->temporary = temporary;
	b->location = name;
	apply_options(b, &o);
	breakpoint_describe(d, b, answer);
	report_line(answer, temporary ? "Temporary catchpoint {number} ({caught}[ {location}])\n" : "Catchpoint {number} ({caught}[ {location}])\n");
	return true;
}

bool command_catch(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_catch(d, args, false, answer, why);
}

bool command_tcatch(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return make_catch(d, args, true, answer, why);
}
