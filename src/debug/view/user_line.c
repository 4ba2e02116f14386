/* The user's line of an instruction: outside of the toolkit's headers, if need be that of a call around it. */
#include "debug/view/user_line.h"

#include "debug/view/functions.h"
#include "debug/view/inlined.h"
#include "debug/view/toolkit.h"
#include "debug/view/view.h"
#include "isa/handlers.h"

#define POSSIBLE_MOST 3u /* calls that are named where the thread's isn't known */
#define CALLS_MOST 8u /* calls that are looked at to leave the toolkit's code */

/* Returns the call instruction of a function that only one instruction calls. Returns ISA_NO_TARGET for other functions. */
static uint32_t only_call(const struct isa_program *p, uint32_t function)
{
	uint32_t found = ISA_NO_TARGET;
	for (uint32_t pc = 0; pc < p->n_insns; pc++) {
		if (p->insns[pc].handler != ISA_H_call || p->insns[pc].target != function)
			continue;
		if (found != ISA_NO_TARGET)
			return ISA_NO_TARGET;
		found = pc;
	}
	return found;
}

/* Returns the call around an instruction, number k of those around the innermost one. Returns ISA_NO_TARGET if it isn't known. */
static uint32_t call_around(struct debug *d, uint32_t pc, const struct debug_calls *calls, unsigned k)
{
	const struct isa_program *p = debug_program(d);
	if (calls && calls->n && calls->callers[0])
		return k < calls->n && calls->callers[k] ? calls->callers[k] - 1 : ISA_NO_TARGET;
	const struct isa_function *f = isa_program_function_at(p, pc);
	return f && !f->is_kernel ? only_call(p, isa_program_function_index(p, f)) : ISA_NO_TARGET;
}

static bool is_users(struct debug *d, struct debug_position at)
{
	return at.line && !debug_is_toolkit_header(d, at.file);
}

bool debug_user_line(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct debug_user_line *out)
{
	for (unsigned k = 0; k < CALLS_MOST && pc < debug_program(d)->n_insns; k++) {
		*out = (struct debug_user_line){.at = debug_own_position(d, pc), .pc = pc, .is_caller = k > 0};
		if (is_users(d, out->at))
			return true;
		pc = call_around(d, pc, calls, k);
	}
	return false;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

/* Adds the positions of an instruction's .loc and of the calls that inlined it. Returns true if one of them is the user's. */
static bool hash_locs(struct debug *d, uint32_t pc, uint64_t *hash)
{
	const struct isa_program *p = debug_program(d);
	uint32_t loc = p->where[pc].loc;
	bool is_found = false;
	for (unsigned k = 0; k < DEBUG_INLINED_MAX && loc < p->n_locs; k++) {
		const struct isa_loc *l = &p->locs[loc];
		*hash = mix(mix(*hash, (uint64_t)l->file << 32 | l->line), l->col);
		is_found = is_found || !debug_is_toolkit_header(d, l->file);
		loc = l->inlined_at;
	}
	return is_found;
}

uint64_t debug_place_hash(struct debug *d, uint32_t pc, const struct debug_calls *calls)
{
	uint64_t hash = 1;
	for (unsigned k = 0; k < CALLS_MOST && pc < debug_program(d)->n_insns; k++) {
		if (hash_locs(d, pc, &hash))
			return hash ? hash : 1;
		pc = calls->callers && k < calls->n && calls->callers[k] ? calls->callers[k] - 1 : ISA_NO_TARGET;
	}
	return 0;
}

/* Appends a call of a function: `sum at c.cu:17`. */
static void caller_text(struct debug *d, const struct debug_user_line *line, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), line->pc);
	if (f)
		text_addf(out, "%s at ", debug_function_name(d, f));
	debug_position_text(d, line->at, out);
}

/* Calls at users' lines that lead to an instruction of the toolkit. */
struct possible {
	struct debug_user_line line[POSSIBLE_MOST];
	unsigned n;
	bool has_more; /* there are more of them, or one isn't known */
};

/* Collects the calls of the function that an instruction is in, `depth` calls out at most. */
static void find_possible(struct debug *d, uint32_t pc, unsigned depth, struct possible *out)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	const uint32_t function = f ? isa_program_function_index(p, f) : ISA_NO_TARGET;
	out->has_more = out->has_more || !f || f->is_kernel || !depth;
	for (uint32_t k = 0; k < p->n_insns && !out->has_more; k++) {
		if (p->insns[k].handler != ISA_H_call || p->insns[k].target != function)
			continue;
		const struct debug_position at = debug_own_position(d, k);
		if (!is_users(d, at))
			find_possible(d, k, depth - 1, out);
		else if (out->n < POSSIBLE_MOST)
			out->line[out->n++] = (struct debug_user_line){.at = at, .pc = k, .is_caller = true};
		else
			out->has_more = true;
	}
}

/* Appends the calls that may be around an instruction of the toolkit, if there are at most POSSIBLE_MOST. */
static void possible_callers_text(struct debug *d, uint32_t pc, struct text *out)
{
	struct possible possible = {.n = 0};
	find_possible(d, pc, CALLS_MOST, &possible);
	for (unsigned k = 0; k < possible.n && !possible.has_more; k++) {
		text_add(out, k ? " or " : ", called from ");
		caller_text(d, &possible.line[k], out);
	}
}

void debug_user_place_text(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct text *out)
{
	struct debug_user_line line;
	debug_function_offset(d, pc, out);
	text_add(out, " in ");
	debug_place_text(d, pc, out);
	if (!debug_user_line(d, pc, calls, &line)) {
		possible_callers_text(d, pc, out);
	} else if (line.is_caller) {
		text_add(out, ", called from ");
		caller_text(d, &line, out);
	}
}

bool debug_user_caller_text(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct text *out)
{
	struct debug_user_line line;
	if (!debug_user_line(d, pc, calls, &line) || !line.is_caller)
		return false;
	caller_text(d, &line, out);
	return true;
}
