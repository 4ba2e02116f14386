/* The first NaN or infinity that no operand had already, found by running again: for values that no memory holds any more. */
#include "debug/view/view.h"
#include "history/nan_log.h"

struct births {
	struct history *h;
	struct nan_log *log; /* for what it knows of the instructions */
	uint32_t lanes[2];   /* of the present instruction: with finite operands; [1]: without a NaN among the operands */
	struct nan_first *out;
};

static uint32_t bad_operands(const struct exec *x, const struct nan_insn *i, uint64_t frame, bool is_nan)
{
	uint32_t bad = 0;
	for (uint32_t k = 0; k < i->n_operands; k++)
		if (i->operand[k].bytes)
			bad |= nan_bad_lanes(&i->operand[k], exec_row(x, x->warp, frame, i->operand[k].word), is_nan);
	return bad;
}

/* Constants aren't born: an instruction without register operands moves one. */
static enum exec_insn insn(void *self, const struct exec *x, const struct isa_insn *in)
{
	struct births *b = self;
	const struct nan_insn *const i = x->pc < b->log->n_insns ? &b->log->insn[x->pc] : NULL;
	(void)in;
	if (b->out->is_found || !i || i->what != NAN_WHAT_PLAIN || !i->n_operands || !x->mask)
		return EXEC_INSN_GO;
	for (int is_nan = 0; is_nan < 2; is_nan++)
		b->lanes[is_nan] = x->mask & ~bad_operands(x, i, x->top->frame, is_nan);
	return EXEC_INSN_AFTER;
}

static void insn_over(void *self, const struct exec *x, const struct isa_insn *in)
{
	struct births *b = self;
	const uint32_t pc = (uint32_t)(in - x->program->insns);
	const struct nan_insn *const i = &b->log->insn[pc];
	const struct exec_simt *const top = exec_simt_top(x, x->warp);
	const char *const row = exec_row(x, x->warp, top->frame, i->result[0].word);
	const uint32_t bad = nan_bad_lanes(&i->result[0], row, false), nan = bad ? nan_bad_lanes(&i->result[0], row, true) : 0;
	const uint32_t lanes = (b->lanes[0] & bad & ~nan) | (b->lanes[1] & nan);
	if (b->out->is_found || !lanes)
		return;
	*b->out = (struct nan_first){.is_found = true,
				     .thread = {x->cta->launch, x->cta->linear, exec_thread_of(x, x->warp->index, lanes_first(lanes))},
				     .at = {x->warp->executed + x->n_run, top->frame, top->call_depth},
				     .pc = pc,
				     .word = i->result[0].word,
				     .is_nan = nan >> lanes_first(lanes) & 1};
}

bool nan_first_birth(struct history *h, const struct history_position *limit, struct nan_first *out)
{
	struct births b = {.h = h, .log = nan_log_create(h), .out = out};
	const struct exec_watcher w = {.insn = insn, .insn_over = insn_over, .self = &b};
	*out = (struct nan_first){0};
	const bool ok = snapshot_go_back(h, 0) &&
			replay(h, &(struct replay){.to = limit, .cycle = UINT64_MAX, .watcher = &w}) == REPLAY_LIMIT;
	nan_log_free(b.log);
	return ok;
}
