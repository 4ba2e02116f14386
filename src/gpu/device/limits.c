/* What a program can limit, and CUDA's buffer for printf: output that the host has not taken yet, the oldest of it lost when there is no
 * room. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/context.h"
#include "gpu/device/internal.h"

static const struct gpu_limit_row rows[GPU_LIMITS] = {
#define DEVICE_LIMIT(id, name, number, setting, option, value, least, most, help) \
	{name, number, setting, option, value, least, most, help},
#include "gpu/device/device_limits.def"
};

const struct gpu_limit_row *gpu_limit_row(enum gpu_limit_id id) { return &rows[id]; }

void gpu_default_limits(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const char *option = g->config ? rows[k].option : NULL;
		s->limit[k] = option && config_is_set(g->config, option) ? (uint64_t)config_int(g->config, option)
									 : rows[k].value;
	}
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		gpu_default_limits_of(g, k);
}

void gpu_default_limits_of(struct gpu *g, uint32_t context)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_context_limits *c = &s->of_context[context];
	memcpy(c->limit, s->limit, sizeof c->limit);
}

uint64_t gpu_get_limit(const struct gpu *g, uint32_t context, enum gpu_limit_id id)
{
	return gpu_state(g)->of_context[context].limit[id];
}

/* ---- what printf has written ---- */

struct record {
	size_t end;	/* of its text, counted from the first byte ever held */
	uint64_t bytes; /* of the buffer */
};

struct printf_fifo {
	struct text text;      /* of the records there are, and in front of it `dropped` bytes of those that are gone */
	struct record *record; /* from `first` on */
	size_t first, n, cap;
	size_t dropped;
	uint64_t bytes, lost;
};

static void drop_oldest(struct printf_fifo *f)
{
	const struct record *r = &f->record[f->first++];
	f->bytes -= r->bytes;
	f->dropped = r->end;
	f->lost++;
}

/* What is gone is moved away when it is more than what is there. */
static void compact(struct printf_fifo *f)
{
	if (f->dropped < 4096 || f->dropped < f->text.n / 2)
		return;
	memmove(f->text.s, f->text.s + f->dropped, f->text.n - f->dropped);
	f->text.n -= f->dropped;
	f->text.s[f->text.n] = 0;
	memmove(f->record, f->record + f->first, (f->n - f->first) * sizeof *f->record);
	f->n -= f->first;
	for (size_t k = 0; k < f->n; k++)
		f->record[k].end -= f->dropped;
	f->first = f->dropped = 0;
}

static void make_room(struct printf_fifo *f, uint64_t bytes, uint64_t most)
{
	while (f->first < f->n && f->bytes + bytes > most)
		drop_oldest(f);
	compact(f);
}

void gpu_add_output(void *self, const char *s, size_t n, uint64_t fifo_bytes)
{
	struct gpu *g = self;
	const uint32_t context = g->exec.context;
	if (g->is_silent)
		return;
	if (!g->holds_printf) {
		text_addn(&g->output, s, n);
		return;
	}
	if (!g->fifo[context])
		g->fifo[context] = xcalloc(1, sizeof *g->fifo[context]);
	struct printf_fifo *f = g->fifo[context];
	const uint64_t most = gpu_get_limit(g, context, GPU_LIMIT_PRINTF_FIFO);
	make_room(f, fifo_bytes, most);
	if (fifo_bytes > most) {
		f->lost++;
		return;
	}
	text_addn(&f->text, s, n);
	f->record = xgrow(f->record, &f->cap, f->n + 1, sizeof *f->record);
	f->record[f->n++] = (struct record){f->text.n, fifo_bytes};
	f->bytes += fifo_bytes;
}

bool gpu_holds_printf(const struct gpu *g) { return g->holds_printf; }

uint32_t gpu_output_context(const struct gpu *g) { return g->output_context; }

uint64_t gpu_flush_printf(struct gpu *g, uint32_t context)
{
	struct printf_fifo *f = g->fifo[context];
	g->output_context = context;
	if (!f)
		return 0;
	const uint64_t lost = f->lost;
	if (f->text.n > f->dropped)
		text_addn(&g->output, f->text.s + f->dropped, f->text.n - f->dropped);
	text_clear(&f->text);
	f->first = f->n = f->dropped = 0;
	f->bytes = f->lost = 0;
	return lost;
}

static void free_fifo(struct gpu *g, uint32_t context)
{
	struct printf_fifo *f = g->fifo[context];
	gpu_flush_printf(g, context);
	text_free(&f->text);
	free(f->record);
	free(f);
	g->fifo[context] = NULL;
}

void gpu_hold_printf(struct gpu *g, bool on)
{
	g->holds_printf = on;
	for (uint32_t k = 0; !on && k < GPU_CONTEXTS; k++)
		if (g->fifo[k])
			free_fifo(g, k);
}

static void set_limit(struct gpu *g, uint32_t context, enum gpu_limit_id id, uint64_t value)
{
	struct gpu_context_limits *c = &gpu_state(g)->of_context[context];
	c->limit[id] = value;
	if (id == GPU_LIMIT_PRINTF_FIFO && g->fifo[context])
		make_room(g->fifo[context], 0, value);
}

bool gpu_set_limit(struct gpu *g, uint32_t context, enum gpu_limit_id id, uint64_t value)
{
	struct gpu_state *s = gpu_state(g);
	if (id >= GPU_LIMITS || value < rows[id].least || value > rows[id].most ||
	    (context >= GPU_CONTEXTS && context != GPU_EVERY_CONTEXT))
		return false;
	if (context != GPU_EVERY_CONTEXT) {
		set_limit(g, context, id, value);
		return true;
	}
	s->limit[id] = value;
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		set_limit(g, k, id, value);
	return true;
}

const char *gpu_assert_lines(const struct gpu *g) { return text_str(&g->exec.assert_lines); }
