/* The table of breakpoints, watchpoints and catchpoints, and the marks that go with it. */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

size_t breakpoint_count(const struct debug *d) { return d->stop->n_bps; }

struct breakpoint *breakpoint_at(struct debug *d, size_t i) { return i < d->stop->n_bps ? d->stop->bps[i] : NULL; }

struct breakpoint *breakpoint_find(struct debug *d, uint32_t number)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->number == number)
			return d->stop->bps[i];
	return NULL;
}

/* Internal ones are numbered from above, so that users never see a gap. */
struct breakpoint *breakpoint_new(struct debug *d, enum breakpoint_kind kind, bool internal)
{
	struct breakpoint *b = xcalloc(1, sizeof *b);
	b->number = internal ? UINT32_MAX - d->stop->next_internal++ : ++d->last_breakpoint;
	b->kind = kind;
	b->internal = internal;
	b->enabled = true;
	d->stop->bps = xgrow(d->stop->bps, &d->stop->cap_bps, d->stop->n_bps + 1, sizeof(struct breakpoint *));
	d->stop->bps[d->stop->n_bps++] = b;
	d->marks_stale = true;
	return b;
}

void breakpoint_commands_set(struct debug *d, uint32_t number, const char *const *lines, size_t n)
{
	struct breakpoint *b = breakpoint_find(d, number);
	if (!b)
		return;
	for (size_t i = 0; i < b->n_commands; i++)
		free(b->commands[i]);
	free(b->commands);
	b->commands = n ? xcalloc(n, sizeof *b->commands) : NULL;
	b->n_commands = n;
	for (size_t i = 0; i < n; i++)
		b->commands[i] = xstrdup(lines[i]);
}

void breakpoint_drop(struct debug *d, struct breakpoint *b)
{
	size_t i = 0;
	while (i < d->stop->n_bps && d->stop->bps[i] != b)
		i++;
	if (i == d->stop->n_bps)
		return;
	memmove(&d->stop->bps[i], &d->stop->bps[i + 1], (d->stop->n_bps - i - 1) * sizeof *d->stop->bps);
	d->stop->n_bps--;
	for (size_t k = 0; k < b->n_commands; k++)
		free(b->commands[k]);
	free(b->commands);
	free(b->location);
	free(b->condition);
	if (b->kind == BREAKPOINT_CODE) {
		free(b->code.pcs);
		free(b->code.is_off);
		free(b->code.prints);
		free(b->code.unset);
	} else if (b->kind == BREAKPOINT_WATCH) {
		free(b->watch.old);
	}
	expr_free(b->compiled);
	free(b);
	d->marks_stale = true;
}

void breakpoint_remove(struct debug *d, uint32_t number)
{
	struct breakpoint *b = breakpoint_find(d, number);
	if (b)
		breakpoint_drop(d, b);
}

uint32_t breakpoint_insert_code(struct debug *d, uint32_t pc)
{
	struct breakpoint *b = breakpoint_new(d, BREAKPOINT_CODE, true);
	b->code.pcs = xmalloc(sizeof *b->code.pcs);
	b->code.pcs[0] = pc;
	b->code.n_pcs = 1;
	return b->number;
}

/* ---- locations after a load ---- */

static void say_place(struct debug *d, const struct breakpoint *b, bool is_function, struct text *out)
{
	const struct debug_position at = b->code.call.line ? b->code.call : debug_position_at(d, b->code.pcs[0]);
	text_addf(out, "Breakpoint %u at 0x%x: ", b->number, b->code.pcs[0] * ISA_INSN_BYTES);
	if (b->code.n_pcs > 1 && is_function)
		text_addf(out, "%s. (%u locations)\n", b->location, b->code.n_pcs);
	else if (b->code.n_pcs > 1)
		text_addf(out, "%s:%u. (%u locations)\n", debug_file_name(d, at.file), at.line, b->code.n_pcs);
	else
		text_addf(out, "file %s, line %u.\n", debug_file_name(d, at.file), at.line);
}

/* What is looked up again after a load. As in gdb a line without a file, or counted from where the user stands, is that file's line. */
char *breakpoint_lasting_location(struct debug *d, const struct debug_location *l, char *written)
{
	const char *file = debug_program(d)->files[l->at.file].name;
	bool is_line =
		!*written || *written == '+' || *written == '-' || strspn(written, "0123456789") == strlen(written);
	if (!is_line || !l->at.line)
		return written;
	struct text t = {0};
	debug_quote_file(file, &t);
	text_addf(&t, ":%u", l->moved ? l->asked : l->at.line);
	free(written);
	return text_take(&t);
}

/* Replaces a breakpoint's places by new ones, of which those that were disabled stay disabled. */
static void take_places(struct breakpoint *b, uint32_t *pcs, uint32_t n)
{
	bool *is_off = b->code.is_off && n ? xcalloc(n, sizeof *is_off) : NULL;
	for (uint32_t i = 0; is_off && i < n; i++)
		for (uint32_t k = 0; k < b->code.n_pcs; k++)
			is_off[i] |= b->code.pcs[k] == pcs[i] && b->code.is_off[k];
	free(b->code.pcs);
	free(b->code.is_off);
	b->code.is_off = is_off;
	b->code.pcs = pcs;
	b->code.n_pcs = n;
}

/* Records why a breakpoint couldn't be set; `is_there`: its file is loaded, so that it won't be set later either. NULL: it is set. */
static void set_unset(struct breakpoint *b, const char *why, bool is_there)
{
	const bool is_new = why && (!b->code.unset || strcmp(b->code.unset, why));
	free(b->code.unset);
	b->code.unset = why ? xstrdup(why) : NULL;
	b->code.is_unset_firm = why && is_there;
	b->code.is_unset_told &= !is_new;
}

void breakpoint_unset_text(struct debug *d, bool has_ended, struct text *out)
{
	for (size_t i = 0; i < d->stop->n_bps && d->program; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (b->kind != BREAKPOINT_CODE || b->internal || !b->enabled || !b->code.pending || b->code.is_unset_told)
			continue;
		if (breakpoint_is_for_calls(b) && (b->hits || !has_ended))
			continue;
		if (!has_ended && !(b->code.unset && b->code.is_unset_firm))
			continue;
		text_addf(out, has_ended ? "Breakpoint %u (%s%s%s) was never set" : "Breakpoint %u (%s%s%s) couldn't be set", b->number,
			  b->location, b->condition ? " if " : "", b->condition ? b->condition : "");
		text_addf(out, b->code.unset ? ": %s\n" : ".\n", b->code.unset);
		b->code.is_unset_told = true;
	}
}

static void resolve(struct debug *d, struct breakpoint *b, struct text *notes)
{
	struct debug_location l;
	struct text why = {0};
	const char *end;
	bool was_pending = b->code.pending, ok = debug_location_parse(d, b->location, &end, &l, NULL, &why), is_there = ok || l.asked;
	if (ok && b->compiled && !expr_check_names(d, b->compiled, l.pcs, l.n, &why)) {
		debug_location_free(&l);
		ok = false;
		if (notes && was_pending && !d->program) /* a program's stop says so */
			text_addf(notes, "Breakpoint %u stays pending: %s\n", b->number, text_str(&why));
	}
	set_unset(b, ok ? NULL : text_str(&why), is_there);
	if (ok && was_pending)
		b->location = breakpoint_lasting_location(d, &l, b->location);
	take_places(b, ok ? l.pcs : NULL, ok ? l.n : 0);
	b->code.in_ptx = ok && debug_program(d)->files[l.at.file].frontend;
	b->code.call = ok && l.is_call ? l.at : (struct debug_position){0};
	b->code.pending = !ok;
	if (notes && ok && was_pending) {
		if (!b->code.told)
			say_place(d, b, l.is_function, notes);
		b->code.told = true;
	} else if (notes && !ok && !was_pending) {
		text_addf(notes, "Breakpoint %u is pending now: %s\n", b->number, text_str(&why));
		b->code.told = false;
	}
	text_free(&why);
}

/* A place that counts from where the user stood then can't be looked up again: it keeps its instructions. */
static bool is_relative(const char *location)
{
	return !*location || *location == '+' || *location == '-' || *location == '*' ||
	       strspn(location, "0123456789") == strlen(location);
}

void breakpoint_resolve_all(struct debug *d, struct text *notes)
{
	const struct isa_program *p = debug_program(d);
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		struct breakpoint *b = d->stop->bps[i];
		if (b->kind == BREAKPOINT_CODE && !b->internal && b->location &&
		    (b->code.pending || !is_relative(b->location)))
			resolve(d, b, notes);
		while (b->kind == BREAKPOINT_CODE && b->code.n_pcs && b->code.pcs[b->code.n_pcs - 1] >= p->n_insns)
			b->code.n_pcs--;
	}
	d->marks_stale = true;
}

/* ---- marks ---- */

static bool instruction_caught(const struct isa_insn *i, enum breakpoint_catch what)
{
	uint8_t family = isa_opcode_info[i->opcode].family;
	switch (what) {
	case BREAKPOINT_ON_BARRIER: return family == ISA_FAMILY_BARRIER;
	case BREAKPOINT_ON_ATOMIC: return family == ISA_FAMILY_ATOM;
	case BREAKPOINT_ON_DIVERGENCE: return family == ISA_FAMILY_BRANCH;
	default: return false;
	}
}

static void mark_catch(struct debug *d, const struct breakpoint *b, uint8_t *marks)
{
	const struct isa_program *p = debug_program(d);
	if (b->caught != BREAKPOINT_ON_BARRIER && b->caught != BREAKPOINT_ON_ATOMIC &&
	    b->caught != BREAKPOINT_ON_DIVERGENCE)
		return;
	for (uint32_t pc = 0; pc < p->n_insns; pc++)
		if (instruction_caught(&p->insns[pc], b->caught))
			marks[pc] |= MARK_CATCH;
}

/* Instructions of the function that write (or read) a watched register. */
static void mark_register(struct debug *d, const struct breakpoint *b, uint8_t *marks)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = p->functions[b->watch.function];
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (watch_looks_at(d, b, pc))
			marks[pc] |= MARK_WATCH;
}

/* What a call gives back is written when the called function returns. */
static void mark_returns(struct debug *d, const struct breakpoint *b, uint8_t *marks)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = p->functions[b->watch.function];
	bool any = false;
	for (uint32_t pc = f->first; pc < f->end && !any; pc++)
		any = watch_call_writes(d, b, pc);
	for (uint32_t pc = 0; any && b->watch.access != BREAKPOINT_READ && pc < p->n_insns; pc++)
		if (isa_opcode_info[p->insns[pc].opcode].family == ISA_FAMILY_EXIT)
			marks[pc] |= MARK_WATCH;
}

/* Marks where the activation of a watchpoint can return. */
static void mark_scope(struct debug *d, const struct breakpoint *b, uint8_t *marks)
{
	const struct isa_function *f = debug_program(d)->functions[b->watch.function];
	for (uint32_t pc = f->first; pc < f->end; pc++)
		if (debug_program(d)->insns[pc].opcode == ISA_OP_RET)
			marks[pc] |= MARK_WATCH;
}

void breakpoint_write_marks(struct debug *d)
{
	uint8_t *marks = gpu_marks(d->g);
	uint32_t n = debug_program(d)->n_insns;
	memset(marks, 0, n);
	for (size_t i = 0; i < d->stop->n_bps; i++) {
		const struct breakpoint *b = d->stop->bps[i];
		if (!b->enabled)
			continue;
		for (uint32_t k = 0; b->kind == BREAKPOINT_CODE && k < b->code.n_pcs; k++)
			if (b->code.pcs[k] < n)
				marks[b->code.pcs[k]] |= MARK_BREAK;
		if (b->kind == BREAKPOINT_CATCH)
			mark_catch(d, b, marks);
		if (b->kind == BREAKPOINT_WATCH && b->watch.is_scoped)
			mark_scope(d, b, marks);
		if (b->kind == BREAKPOINT_WATCH && b->watch.place != EXPR_MEMORY && b->watch.place != EXPR_FIELD) {
			mark_register(d, b, marks);
			mark_returns(d, b, marks);
		}
	}
	DEBUG_HOOK(d, write_marks, marks);
	poke_write_marks(d, marks);
	d->marks_stale = false;
}

bool breakpoint_wants_launches(const struct debug *d)
{
	for (size_t i = 0; i < d->stop->n_bps; i++)
		if (d->stop->bps[i]->kind == BREAKPOINT_CATCH && d->stop->bps[i]->enabled &&
		    (d->stop->bps[i]->caught == BREAKPOINT_ON_LAUNCH ||
		     d->stop->bps[i]->caught == BREAKPOINT_ON_KERNEL))
			return true;
	return false;
}
