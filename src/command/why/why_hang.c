/* `why hang`: whether any warp can continue, and what the others wait for: barriers that won't open, loops on memory that no thread writes, memory that
 * doesn't answer. */
#include <inttypes.h>
#include <stdlib.h>

#include "debug/describe.h"
#include "debug/ground/scan.h"
#include "debug/step/step.h"
#include "debug/view/address.h"
#include "debug/view/view.h"
#include "command/why/why_internal.h"
#include "gpu/stream/stream_text.h"
#include "isa/opcodes.h"

#define BLOCKS_SHOWN 4u
#define WARPS_SHOWN 8u /* of a block */
#define READS_SHOWN 4u /* of a loop */

/* ---- loops ---- */

/* Finds the smallest loop around an instruction, by its branch back: from *first to *last. Returns false if there is none. */
static bool loop_around(struct debug *d, uint32_t pc, uint32_t *first, uint32_t *last)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_function *f = isa_program_function_at(p, pc);
	bool found = false;
	for (uint32_t i = pc; f && i < f->end; i++) {
		const struct isa_insn *n = &p->insns[i];
		if (n->opcode != ISA_OP_BRA || n->target == ISA_NO_TARGET || n->target > pc ||
		    (found && i - n->target >= *last - *first))
			continue;
		*first = n->target;
		*last = i;
		found = true;
	}
	return found;
}

static bool reads_memory(const struct isa_insn *i)
{
	return isa_opcode_info[i->opcode].family == ISA_FAMILY_ATOM ||
	       (isa_op_is_load(i->opcode) && i->space != ISA_SPACE_PARAM &&
		i->space != ISA_SPACE_CONST);
}

/* Returns true if an instruction may get a value that another warp has changed: by a read of memory that isn't the thread's own, or in a function. */
static bool may_read_others(const struct isa_insn *i)
{
	const unsigned family = isa_opcode_info[i->opcode].family;
	return family == ISA_FAMILY_CALL || family == ISA_FAMILY_TEXTURE || (reads_memory(i) && i->space != ISA_SPACE_LOCAL);
}

bool why_loop_reads(const struct why_warp *w)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(w->d->g), w->w);
	uint32_t first, last;
	if (!top->mask || !loop_around(w->d, top->pc, &first, &last))
		return true;
	for (uint32_t pc = first; pc <= last; pc++)
		if (may_read_others(&debug_program(w->d)->insns[pc]))
			return true;
	return false;
}

/* Adds the instructions from `first` to `last`, of one activation, that read memory. */
static void collect_reads(struct debug *d, uint32_t first, uint32_t last, uint64_t frame, struct why_round *out)
{
	for (uint32_t pc = first; pc <= last && out->n_reads < WHY_READS_MOST; pc++)
		if (reads_memory(&debug_program(d)->insns[pc]))
			out->read[out->n_reads++] = (struct why_read){pc, frame};
}

bool why_round_of(struct debug *d, const struct debug_where *lane, struct why_round *out)
{
	struct debug_frame f;
	out->n_reads = 0;
	for (uint32_t level = 0; debug_frame_get(d, lane, level, &f) && f.has_state; level++) {
		if (loop_around(d, f.pc, &out->first, &out->last)) {
			collect_reads(d, out->first, out->last, f.frame, out);
			return true;
		}
		collect_reads(d, f.function->first, f.pc, f.frame, out);
	}
	return false;
}

/* `reads C[0] = 1 by ld.volatile.global.u32 at x.ptx:43`, by the registers as they are now. */
static bool add_read(const struct why_warp *w, const struct debug_where *lane, const struct why_read *read, struct text *out, struct report *answer)
{
	const struct isa_insn *i = &debug_program(w->d)->insns[read->pc];
	const uint64_t generic = access_address(w->d, i, read->frame, lane);
	const uint32_t bytes = isa_type_bytes((enum isa_type)i->type);
	uint64_t value = 0;
	if (bytes > sizeof value || debug_space_of(generic) == ISA_SPACE_LOCAL || !debug_memory_read(w->d, lane, generic, &value, bytes))
		return false;
	struct text name = {0};
	debug_memory_name(w->d, generic, (enum isa_type)i->type, &name);
	text_addf(out, "    reads %s = %" PRIu64 " by ", text_str(&name), value);
	why_insn(w->d, read->pc, out);
	text_addc(out, '\n');
	report_open(answer, NULL);
	report_text(answer, "name", text_str(&name));
	report_number(answer, "value", value);
	describe_place(w->d, answer, read->pc);
	report_close(answer);
	text_free(&name);
	return true;
}

static void describe_loop_end(struct debug *d, const char *name, uint32_t pc, struct report *answer)
{
	report_open(answer, name);
	describe_place(d, answer, pc);
	report_close(answer);
}

bool why_loop(const struct why_warp *w, struct report *answer)
{
	const struct exec_simt *top = exec_simt_top(gpu_exec(w->d->g), w->w);
	struct debug_thread t = {.launch = w->cta->launch, .cta = w->cta->linear};
	struct debug_where lane;
	struct text reads = {0};
	struct why_round round;
	uint32_t shown = 0;
	if (!top->mask)
		return false;
	t.thread = debug_thread_of(w->d, w->w->index, lanes_first(top->mask));
	if (!debug_thread_where(w->d, &t, &lane) || !why_round_of(w->d, &lane, &round))
		return false;
	report_list(answer, "reads");
	for (uint32_t k = 0; k < round.n_reads && shown < READS_SHOWN; k++)
		shown += add_read(w, &lane, &round.read[k], &reads, answer);
	report_close(answer);
	if (shown) {
		report_line(answer, "  goes round from {from.ptx}[ ({from.source})] to {to.ptx}[ ({to.source})]\n");
		report_say(answer, "%s", text_str(&reads));
		describe_loop_end(w->d, "from", round.first, answer);
		describe_loop_end(w->d, "to", round.last, answer);
	}
	text_free(&reads);
	return shown;
}

/* ---- a block ---- */

struct tally {
	uint32_t barrier, spins, done, runs, failed;
	uint32_t loops; /* of those that spin: in a loop that reads nothing */
};

static void count(struct debug *d, const struct exec_cta *cta, struct tally *n)
{
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		if (why_failed(&w))
			n->failed++;
		else if (w.w->state == EXEC_WARP_DONE)
			n->done++;
		else if (w.w->state == EXEC_WARP_BARRIER)
			n->barrier++;
		else if (why_spins(&w)) {
			n->spins++;
			n->loops += !why_loop_reads(&w);
		}
		else
			n->runs++;
	}
}

static void add(struct tally *to, const struct tally *n)
{
	to->barrier += n->barrier;
	to->spins += n->spins;
	to->loops += n->loops;
	to->done += n->done;
	to->runs += n->runs;
	to->failed += n->failed;
}

static void add_tally(const struct tally *n, struct text *out)
{
	const struct {
		uint32_t n;
		const char *one, *many;
	} rows[] = {{n->barrier, "waits at a barrier", "wait at barriers"},
		    {n->spins, "spins", "spin"},
		    {n->failed, "has failed", "have failed"},
		    {n->runs, "can go on", "can go on"},
		    {n->done, "has finished", "have finished"}};
	const char *between = "";
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (!rows[k].n)
			continue;
		text_addf(out, "%s%u warp%s %s", between, rows[k].n, why_plural(rows[k].n),
			  rows[k].n == 1 ? rows[k].one : rows[k].many);
		between = ", ";
	}
}

static void describe_tally(const struct tally *n, struct report *answer)
{
	report_open(answer, "warps_that");
	report_number(answer, "wait_at_barriers", n->barrier);
	report_number(answer, "spin", n->spins);
	report_number(answer, "can_go_on", n->runs);
	report_number(answer, "have_finished", n->done);
	report_number(answer, "have_failed", n->failed);
	report_close(answer);
}

static void running_warps(struct debug *d, const struct exec_cta *cta, struct report *answer)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const struct why_warp w = why_warp_of(d, cta, k);
		if (w.w->state != EXEC_WARP_RUNNABLE || n++ >= WARPS_SHOWN)
			continue;
		if (why_spins(&w)) {
			why_warp_text(&w, false, answer);
			continue;
		}
		report_open(answer, NULL);
		why_warp_head(&w, answer);
		if (!why_failed(&w))
			why_loop(&w, answer);
		report_close(answer);
	}
	if (n > WARPS_SHOWN)
		report_say(answer, "and %u more warps\n", n - WARPS_SHOWN);
}

static void block_text(struct debug *d, const struct exec_cta *cta, struct report *answer)
{
	struct tally n = {0};
	count(d, cta, &n);
	report_say(answer, "block (%u,%u,%u) on core %u: ", cta->id[0], cta->id[1], cta->id[2], cta->core);
	add_tally(&n, report_prose(answer));
	report_say(answer, "\n");
	report_open(answer, NULL);
	report_triple(answer, "block", cta->id);
	report_number(answer, "core", cta->core);
	describe_tally(&n, answer);
	report_list(answer, "barriers");
	for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
		if (exec_barrier_is_used(cta, id))
			why_barrier_text(d, cta, id, answer);
	report_close(answer);
	report_list(answer, "warps");
	running_warps(d, cta, answer);
	report_close(answer);
	report_close(answer);
}

/* ---- the whole machine ---- */

/* n: all warps; stuck: those of blocks all of whose warps wait at barriers. */
static void verdict(const struct tally *n, const struct tally *stuck, struct report *answer)
{
	if (stuck->barrier && n->runs)
		report_say(answer, "Deadlock: %u warp%s wait%s at barriers that no warp is left to open; %u warp%s of other blocks can go on\n",
			  stuck->barrier, why_plural(stuck->barrier), stuck->barrier == 1 ? "s" : "", n->runs, why_plural(n->runs));
	else if (n->failed)
		report_say(answer, "No deadlock: %u warp%s failed\n", n->failed,
			  n->failed == 1 ? " has" : "s have");
	else if (n->runs)
		report_say(answer, "No deadlock: %u warp%s can go on\n", n->runs, why_plural(n->runs));
	else if (n->spins && n->loops == n->spins)
		report_say(answer, "Deadlock: %u warp%s never leave%s a loop that reads nothing\n", n->spins, why_plural(n->spins), n->spins == 1 ? "s" : "");
	else if (n->spins)
		report_say(answer, "Deadlock: %u warp%s spin%s on memory that nobody is left to change\n", n->spins,
			  why_plural(n->spins), n->spins == 1 ? "s" : "");
	else if (n->barrier)
		report_say(answer, "Deadlock: %u warp%s wait%s at barriers that nobody is left to open\n", n->barrier,
			  why_plural(n->barrier), n->barrier == 1 ? "s" : "");
	else
		report_say(answer, "All warps have finished; their blocks wait for memory\n");
}

/* No block is on a core: nothing waits, or all that does is in streams. */
static void streams(const struct debug *d, struct report *answer)
{
	struct text waits = {0};
	if (gpu_explain_streams(d->g, &waits))
		report_say(answer, "No kernel runs:%s\n", text_str(&waits));
	else
		report_say(answer, "Nothing hangs: no block is on a core.\n");
	text_free(&waits);
}

/* Those that stand still come first. */
static void blocks(struct debug *d, const uint32_t *slots, size_t n, struct report *answer)
{
	size_t shown = 0;
	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t k = 0; k < n; k++) {
			struct tally of = {0};
			count(d, gpu_cta(d->g, slots[k]), &of);
			if ((of.runs != 0) != (pass != 0) || shown++ >= BLOCKS_SHOWN)
				continue;
			block_text(d, gpu_cta(d->g, slots[k]), answer);
		}
	if (shown > BLOCKS_SHOWN)
		report_say(answer, "and %zu more blocks\n", shown - BLOCKS_SHOWN);
}

/* Returns true if the machine stands where a deadlock was reported, and no change of memory since may have ended the deadlock. */
static bool stands_in_deadlock(const struct debug *d)
{
	return d->has_last && d->last.reason == DEBUG_STOP_DEADLOCK && d->last.cycle == gpu_cycle(d->g) &&
	       (!d->last.polls || d->last.changes == gpu_changes(d->g));
}

/* What spins may wait for what can't begin. */
static void not_begun(const struct debug *d, struct report *answer)
{
	struct text waits = {0};
	gpu_explain_launches(d->g, &waits);
	gpu_explain_streams(d->g, &waits);
	if (waits.n)
		report_say(answer, "not begun:%s\n", text_str(&waits));
	text_free(&waits);
}

static void resident_blocks(struct history *h, const uint32_t *slots, size_t n, struct report *answer)
{
	struct debug *d = history_debug(h);
	struct tally all = {0}, stuck = {0};
	for (size_t k = 0; k < n; k++) {
		struct tally of = {0};
		count(d, gpu_cta(d->g, slots[k]), &of);
		add(&all, &of);
		if (!of.runs && !of.spins && !of.failed)
			add(&stuck, &of);
	}
	const bool stood = all.runs && !stuck.barrier && stands_in_deadlock(d);
	report_flag(answer, "deadlock", stood || stuck.barrier || (!all.runs && !all.failed && all.spins));
	describe_tally(&all, answer);
	if (stood) /* the machine itself, or children of those that could go on */
		report_say(answer, "%s", text_str(&d->last.text));
	else
		verdict(&all, &stuck, answer);
	if (stood && d->last.details)
		report_copy(answer, d->last.details);
	if (all.spins && !stood)
		why_locks(h, answer);
	report_list(answer, "blocks");
	blocks(d, slots, n, answer);
	report_close(answer);
	if (all.spins && !all.runs && stands_in_deadlock(d))
		not_begun(d, answer);
}

bool why_hang(struct history *h, const char *args, struct report *answer, struct text *why)
{
	struct debug *d = history_debug(h);
	uint32_t *slots;
	if (!scan_end(args, why))
		return false;
	const size_t n = debug_resident_slots(d, &slots);
	if (n) {
		resident_blocks(h, slots, n, answer);
	} else {
		report_flag(answer, "deadlock", d->has_last && d->last.reason == DEBUG_STOP_DEADLOCK);
		describe_tally(&(struct tally){0}, answer);
		report_list(answer, "blocks");
		streams(d, answer);
		report_close(answer);
	}
	free(slots);
	return true;
}
