/* The room is made, and emptied. */
#include "debug/view/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/rooms.h"
#include "debug/view/view.h"

void view_forget_sources(struct debug *d)
{
	struct view_room *v = d->view;
	for (uint32_t i = 0; i < v->n_sources; i++) {
		free(v->sources[i].text);
		free(v->sources[i].path);
		free(v->sources[i].line_start);
	}
	view_forget_parameters(d);
	free(v->sources);
	v->sources = NULL;
	v->n_sources = 0;
	free(v->toolkit);
	v->toolkit = NULL;
	v->n_toolkit = 0;
}

void view_forget_kept(struct debug *d)
{
	struct view_room *v = d->view;
	for (uint32_t i = 0; i < v->n_kept; i++) {
		free(v->kept[i].name);
		free(v->kept[i].text);
	}
	free(v->kept);
	v->kept = NULL;
	v->n_kept = 0;
}

void view_forget_pokes(struct debug *d) { d->view->n_pokes = 0; }
void view_forget_unentered(struct debug *d) { d->view->unentered = 0; }

void view_room_create(struct debug *d)
{
	d->view = xcalloc(1, sizeof *d->view);
}

void view_room_free(struct debug *d)
{
	view_forget_sources(d);
	view_forget_kept(d);
	view_free_substitutes(d);
	free(d->view->short_list);
	hash_map_free(&d->view->short_names);
	pool_free(&d->view->names);
	free(d->view->pokes);
	debug_inlined_free(d);
	free(d->view);
}
