/* What a program can limit, and CUDA's buffer for printf: output that the host has not taken yet, the oldest of it lost when there is no
 * room. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gpu/internal.h"

static const struct gpu_limit_row rows[GPU_LIMITS] = {
#define DEVICE_LIMIT(id, name, number, setting, option, value, least, most, help) \
	{name, number, setting, option, value, least, most, help},
#include "gpu/device_limits.def"
};

const struct gpu_limit_row *gpu_limit_row(enum gpu_limit_id id) { return &rows[id]; }

void gpu_default_limits(struct gpu *g)
{
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const char *option = g->config ? rows[k].option : NULL;
		gpu_state(g)->limit[k] = option && config_is_set(g->config, option)
						 ? (uint64_t)config_int(g->config, option)
						 : rows[k].value;
	}
}

uint64_t gpu_get_limit(const struct gpu *g, enum gpu_limit_id id) { return gpu_state(g)->limit[id]; }

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

void gpu_take_output(void *self, const char *s, size_t n, uint64_t fifo_bytes)
{
	struct gpu *g = self;
	struct printf_fifo *f = g->fifo;
	if (g->is_silent)
		return;
	if (!f) {
		text_addn(&g->output, s, n);
		return;
	}
	const uint64_t most = gpu_state(g)->limit[GPU_LIMIT_PRINTF_FIFO];
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

bool gpu_holds_printf(const struct gpu *g) { return g->fifo; }

uint64_t gpu_flush_printf(struct gpu *g)
{
	struct printf_fifo *f = g->fifo;
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

void gpu_hold_printf(struct gpu *g, bool on)
{
	if (on && !g->fifo)
		g->fifo = xcalloc(1, sizeof *g->fifo);
	if (on || !g->fifo)
		return;
	gpu_flush_printf(g);
	text_free(&g->fifo->text);
	free(g->fifo->record);
	free(g->fifo);
	g->fifo = NULL;
}

bool gpu_set_limit(struct gpu *g, enum gpu_limit_id id, uint64_t value)
{
	if (id >= GPU_LIMITS || value < rows[id].least || value > rows[id].most)
		return false;
	gpu_state(g)->limit[id] = value;
	if (id == GPU_LIMIT_STACK)
		g->exec.stack_limit = value < ISA_LOCAL_BYTES_MAX / 2 ? (uint32_t)value : ISA_LOCAL_BYTES_MAX / 2;
	if (id == GPU_LIMIT_PRINTF_FIFO && g->fifo)
		make_room(g->fifo, 0, value);
	return true;
}

const char *gpu_assert_lines(const struct gpu *g) { return text_str(&g->exec.assert_lines); }
