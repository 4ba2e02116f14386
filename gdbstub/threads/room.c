/* What the room keeps: its beginning and end. */
#include "gdbstub/threads/room.h"

#include <stdlib.h>

#include "base/xalloc.h"

void threads_client_begin(struct stub *s) { s->threads->has_begun = false; }

void threads_client_gone(struct stub *s)
{
	s->threads->n_aliases = 0;
	for (unsigned i = 0; i < STUB_HEADS; i++)
		s->threads->heads[i].uid = 0;
	s->threads->expose_blocks = 1;
	s->threads->brief = false;
}

void threads_room_create(struct stub *s)
{
	s->threads = xcalloc(1, sizeof *s->threads);
	s->threads->expose_blocks = 1;
	s->threads->reported_run = 1; /* places that were never used have 0 */
}

void threads_room_free(struct stub *s)
{
	struct threads_room *t = s->threads;
	for (unsigned i = 0; i < STUB_HEADS; i++) {
		text_free(&t->heads[i].text);
		text_free(&t->heads[i].brief);
		text_free(&t->heads[i].plain);
		free(t->heads[i].end);
		free(t->heads[i].brief_end);
	}
	view_free(s);
	snapshots_free(s);
	free(t->aliases);
	free(t->points);
	free(t->watched);
	free(t->reported);
	free(t);
}
