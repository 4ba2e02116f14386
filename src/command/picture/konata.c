/* Kanata log format, version 4, which Konata shows: for each instruction I (begins), L (text), S and E (stages), W (producers), R (retires), in the order
 * of cycles, which C counts on. Source: Konata, docs/kanata-log-format.md. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/picture/export.h"
#include "debug/view/source.h"

/* What is written in a cycle. Order within it: instructions begin, stages end, stages begin, instructions retire. */
enum event_kind { EVENT_BEGIN, EVENT_STAGE_END, EVENT_STAGE, EVENT_RETIRE };
struct konata_event {
	uint64_t cycle;
	uint32_t flight;
	uint8_t kind, stage;
};

struct konata {
	const struct flights *f;
	uint32_t *number; /* of each flight in the file, from 1; 0: it hasn't begun */
	uint32_t n_begun;
	struct konata_event *v;
	size_t n, cap;
};

static void add(struct konata *k, uint64_t cycle, uint32_t flight, enum event_kind kind, unsigned stage)
{
	k->v = xgrow(k->v, &k->cap, k->n + 1, sizeof *k->v);
	k->v[k->n++] = (struct konata_event){.cycle = cycle, .flight = flight, .kind = (uint8_t)kind, .stage = (uint8_t)stage};
}

/* Stages in the order of their cycles; a stage ends where the next one begins, the last one with the instruction. */
static void add_flight(struct konata *k, uint32_t flight)
{
	const struct flight *v = &k->f->v[flight];
	uint64_t end = v->done != FLIGHT_NEVER ? v->done : v->at[FLIGHT_ISSUE] + 1, begin = FLIGHT_NEVER;
	int last = -1;
	for (unsigned stage = 0; stage < FLIGHT_STAGE_COUNT; stage++)
		if (v->at[stage] != FLIGHT_NEVER) {
			begin = v->at[stage] < begin ? v->at[stage] : begin;
			end = v->at[stage] >= end ? v->at[stage] + 1 : end;
		}
	add(k, begin, flight, EVENT_BEGIN, 0);
	for (unsigned stage = 0; stage < FLIGHT_STAGE_COUNT; stage++) {
		if (v->at[stage] == FLIGHT_NEVER || (last >= 0 && v->at[stage] < v->at[last]))
			continue;
		if (last >= 0)
			add(k, v->at[stage], flight, EVENT_STAGE_END, (unsigned)last);
		add(k, v->at[stage], flight, EVENT_STAGE, stage);
		last = (int)stage;
	}
	if (last >= 0)
		add(k, end, flight, EVENT_STAGE_END, (unsigned)last);
	add(k, end, flight, EVENT_RETIRE, 0);
}

static int in_order(const void *a, const void *b)
{
	const struct konata_event *x = a, *y = b;
	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	if (x->flight != y->flight)
		return x->flight < y->flight ? -1 : 1;
	return x->kind - y->kind;
}

static void write_begin(struct konata *k, uint32_t flight, struct text *out)
{
	const struct flight *v = &k->f->v[flight];
	const uint32_t id = k->n_begun++;
	k->number[flight] = k->n_begun;
	struct text insn = {0}, place = {0};
	debug_insn_shown(k->f->d, v->pc, &insn);
	debug_position_text(k->f->d, debug_ptx_position(k->f->d, v->pc), &place);
	text_addf(out, "I\t%u\t%" PRIu64 "\t%u\n", id, v->uid, v->core * k->f->t->cfg->core.n_warps + v->warp);
	text_addf(out, "L\t%u\t0\tcore %u warp %u: %s\n", id, v->core, v->warp, text_str(&insn));
	text_addf(out, "L\t%u\t1\t%s, lanes 0x%08x, block %" PRIu64 "\n", id, text_str(&place), v->lanes, v->block);
	for (unsigned i = 0; i < FLIGHT_PRODUCERS && v->producer[i]; i++)
		if (k->number[v->producer[i] - 1])
			text_addf(out, "W\t%u\t%u\t0\n", id, k->number[v->producer[i] - 1] - 1);
	text_free(&insn);
	text_free(&place);
}

void export_konata(const struct flights *f, struct text *out)
{
	struct konata k = {.f = f, .number = xcalloc(f->n + 1, sizeof *k.number)};
	uint64_t now = 0;
	uint32_t retired = 0;
	for (uint32_t i = 0; i < f->n; i++)
		add_flight(&k, i);
	if (k.n)
		qsort(k.v, k.n, sizeof *k.v, in_order);
	text_add(out, "Kanata\t0004\n");
	for (size_t i = 0; i < k.n; i++) {
		const struct konata_event *e = &k.v[i];
		if (!i)
			text_addf(out, "C=\t%" PRIu64 "\n", e->cycle);
		else if (e->cycle != now)
			text_addf(out, "C\t%" PRIu64 "\n", e->cycle - now);
		now = e->cycle;
		const uint32_t id = k.number[e->flight] - 1;
		switch ((enum event_kind)e->kind) {
		case EVENT_BEGIN: write_begin(&k, e->flight, out); break;
		case EVENT_STAGE_END: text_addf(out, "E\t%u\t0\t%s\n", id, flight_letters[e->stage]); break;
		case EVENT_STAGE: text_addf(out, "S\t%u\t0\t%s\n", id, flight_letters[e->stage]); break;
		case EVENT_RETIRE: text_addf(out, "R\t%u\t%u\t0\n", id, retired++); break;
		}
	}
	free(k.number);
	free(k.v);
}
