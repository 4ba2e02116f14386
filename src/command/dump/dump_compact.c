/* `diagram compact`: one character a cycle, and below a warp that is split which of its lanes run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/dump/dump_diagram.h"

#define WIDTH 80u /* if nothing is known of it */
#define MARKS 10u /* cycles between two numbers of the ruler */

static const char legend[] =
	"issued   A arithmetic, U special function unit, L load, S store, T atomic,\n"
	"         J jump, call or return, B barrier or fence; - dispatch register taken\n"
	"waits    i instruction cache miss, f empty I-buffer, h control hazard,\n"
	"         s scoreboard, p pipeline register full, b barrier, m memory barrier,\n"
	"         a atomic, . another warp had the scheduler, d done but for stores\n"
	"lanes    of a split warp: how many run; first: the lowest (a is 10, v is 31)\n";
static const char textbook_legend[] =
	"issued   A arithmetic, U special function unit, L load, S store, T atomic,\n"
	"         J jump, call or return, B barrier or fence; - it is dispatched\n"
	"waits    s a register isn't ready, l latency of a branch, a path or a barrier,\n"
	"         x its scheduler dispatches, b barrier, . another warp had the scheduler\n"
	"lanes    of a split warp: how many run; first: the lowest (a is 10, v is 31)\n";

/* ---- colours ---- */

enum stage diagram_stage(char symbol)
{
	static const char *const symbols[STAGES] = {
		[STAGE_FETCH] = "ifh", [STAGE_OPERANDS] = "sl", [STAGE_UNITS] = "px", [STAGE_SYNC] = "bma"};
	if (symbol == '-' || (symbol >= 'A' && symbol <= 'Z'))
		return STAGE_ISSUE;
	for (unsigned k = 0; k < STAGES; k++)
		if (symbols[k] && symbol && strchr(symbols[k], symbol))
			return (enum stage)k;
	return STAGE_NONE;
}

void diagram_color(const struct drawing *w, enum stage stage, struct text *out)
{
	static const char *const codes[STAGES] = {"0", "36", "32", "33", "35", "31"};
	if (w->d->settings.color)
		text_addf(out, "\033[%sm", codes[stage]);
}

/* ---- what stands for a cycle ---- */

/* By what the instruction is for: the reader's question is who computes and who waits for memory. */
static char symbol_of(const struct drawing *w, const struct event *e)
{
	const struct timing_insn *ti = &w->c->program->insns[e->pc];
	static const char symbols[TIMING_CLASSES] = {[TIMING_LOAD] = 'L',    [TIMING_STORE] = 'S', [TIMING_BRANCH] = 'J', [TIMING_BARRIER] = 'B',
						     [TIMING_MEMBAR] = 'B', [TIMING_CALL] = 'J',  [TIMING_RET] = 'J'};
	if (ti->class == TIMING_COMPUTE)
		return w->c->cfg->model->units[__builtin_ctz(ti->units)].symbol;
	return ti->is_atomic ? 'T' : symbols[ti->class];
}

static char digit(unsigned n) { return (char)(n < 10 ? '0' + n : 'a' + (n - 10)); }

struct compact {
	struct drawing *w;
	char *symbol, *lanes, *first; /* [cycle - first][warp - low]; lanes: blank where the warp is whole */
};

static void begin(struct compact *k, struct drawing *w)
{
	const size_t n = (size_t)(w->last - w->first + 1) * (w->high - w->low + 1);
	*k = (struct compact){w, xcalloc(n, 1), xcalloc(n, 1), xcalloc(n, 1)};
	for (size_t i = 0; i < n; i++)
		k->symbol[i] = w->is_inside[i] ? '-' : warp_wait_symbols[w->wait[i]];
	memset(k->lanes, ' ', n);
	memset(k->first, ' ', n);
	for (uint64_t i = w->oldest; i < w->g->n; i++) {
		const struct event *e = diagram_event(w, i);
		if (!diagram_is_drawn(w, e))
			continue;
		const size_t here = diagram_at(w, e->cycle, e->warp);
		k->symbol[here] = symbol_of(w, e);
		k->lanes[here] = e->is_split ? digit((unsigned)__builtin_popcount(e->lanes)) : ' ';
		k->first[here] = e->is_split ? digit((unsigned)__builtin_ctz(e->lanes)) : ' ';
	}
}

static void finish(struct compact *k)
{
	free(k->symbol);
	free(k->lanes);
	free(k->first);
}

/* ---- drawing ---- */

static void end_line(struct text *out)
{
	while (out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

/* Numbers where the stretch begins and at each tenth cycle, as far as they have room. */
static void ruler(const struct drawing *w, uint64_t from, uint64_t end, struct text *out)
{
	text_addf(out, "%-*s", (int)w->label, "Cycle");
	const size_t begin = out->n;
	for (uint64_t cycle = from; cycle < end; cycle++) {
		const size_t column = (size_t)(cycle - from);
		if ((cycle != from && cycle % MARKS) || (column && out->n - begin + 1 > column))
			continue;
		text_addf(out, "%*s%" PRIu64, (int)(column - (out->n - begin)), "", cycle);
	}
	text_addc(out, '\n');
}

static void symbols(const struct compact *k, uint32_t warp, uint64_t from, uint64_t end, struct text *out)
{
	enum stage last = STAGE_NONE;
	for (uint64_t cycle = from; cycle < end; cycle++) {
		const char symbol = k->symbol[diagram_at(k->w, cycle, warp)];
		const enum stage stage = diagram_stage(symbol);
		if (stage != last)
			diagram_color(k->w, stage, out);
		text_addc(out, symbol);
		last = stage;
	}
	if (last != STAGE_NONE)
		diagram_color(k->w, STAGE_NONE, out);
}

static void lanes_row(const struct compact *k, const char *name, const char *row, uint32_t warp, uint64_t from,
		      uint64_t end, struct text *out)
{
	bool any = false;
	for (uint64_t cycle = from; cycle < end && !any; cycle++)
		any = row[diagram_at(k->w, cycle, warp)] != ' ';
	if (!any)
		return;
	text_addf(out, "  %-*s", (int)k->w->label - 2, name);
	for (uint64_t cycle = from; cycle < end; cycle++)
		text_addc(out, row[diagram_at(k->w, cycle, warp)]);
	end_line(out);
}

static void rows_of(const struct compact *k, uint32_t warp, uint64_t from, uint64_t end, struct text *out)
{
	struct text name = {0};
	diagram_row_name(k->w, warp, &name);
	text_addf(out, "%-*s", (int)k->w->label, text_str(&name));
	text_free(&name);
	symbols(k, warp, from, end, out);
	end_line(out);
	lanes_row(k, "lanes", k->lanes, warp, from, end, out);
	lanes_row(k, "first", k->first, warp, from, end, out);
}

static void stretch(const struct compact *k, uint64_t from, uint64_t end, struct text *out)
{
	struct row_walk row = {0};
	ruler(k->w, from, end, out);
	while (diagram_next_row(k->w, &row, out))
		rows_of(k, row.warp, from, end, out);
}

static unsigned columns(const struct drawing *w)
{
	const uint32_t width = w->d->settings.width ? w->d->settings.width : WIDTH;
	const uint32_t n = width > w->label ? width - w->label : 0;
	return n < MARKS ? MARKS : n - n % MARKS;
}

void diagram_draw_compact(struct drawing *w, struct text *out)
{
	struct compact k;
	begin(&k, w);
	w->columns = columns(w);
	for (uint64_t from = w->first; from <= w->last;) {
		const uint64_t dull = diagram_dull_stretch(w, from);
		if (dull >= w->columns) {
			text_addf(out, "Cycles %" PRIu64 " to %" PRIu64 ": nothing changes.\n\n", from, from + dull - 1);
			from += dull;
			continue;
		}
		const uint64_t end = w->last - from < w->columns ? w->last + 1 : from + w->columns;
		stretch(&k, from, end, out);
		text_addc(out, '\n');
		from = end;
	}
	text_add(out, w->c->textbook ? textbook_legend : legend);
	finish(&k);
}
