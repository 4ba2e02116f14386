/* Texts of CUDA sources in checkpoint files, which are used where the sources have moved. */
#include <string.h>

#include "base/record.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/rooms.h"
#include "debug/view/room.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"
#include "debug/view/view.h"

static bool is_kept(struct debug *d, uint32_t file)
{
	return !debug_program(d)->files[file].text && !debug_is_toolkit_header(d, file) && debug_source_lines(d, file);
}

void view_record_sources(struct debug *d, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	uint64_t n = 0;
	for (uint32_t k = 0; k < p->n_files; k++)
		n += is_kept(d, k);
	record_number(out, n);
	for (uint32_t k = 0; k < p->n_files; k++) {
		if (!is_kept(d, k))
			continue;
		const struct debug_source *s = &d->view->sources[k];
		record_string(out, p->files[k].name);
		record_bytes(out, s->text, s->n_text);
	}
}

#define KEPT_MOST UINT64_C(100000)

void view_take_sources(struct debug *d, struct record_reader *r)
{
	struct view_room *v = d->view;
	size_t cap = 0, bytes;
	view_forget_kept(d);
	for (uint64_t n = record_take_below(r, KEPT_MOST); n && !r->bad; n--) {
		const char *name = record_take_string(r), *text = record_take_bytes(r, &bytes);
		if (!name || !text)
			break;
		v->kept = xgrow(v->kept, &cap, v->n_kept + 1, sizeof *v->kept);
		v->kept[v->n_kept++] = (struct view_kept){xstrdup(name), xstrndup(text, bytes), bytes};
	}
	view_forget_sources(d);
}
