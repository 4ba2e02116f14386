/* What the files of execution diagrams share: the recording, and what is to be drawn of it. */
#ifndef DEBUG_DUMP_DIAGRAM_H
#define DEBUG_DUMP_DIAGRAM_H

#include "command/dump/dump_internal.h"

#define EVENTS (1u << 16)
#define AUTO_WORK 100000u /* of `auto`: warps looked at, which takes some milliseconds */

enum recording { RECORD_AUTO, RECORD_ON, RECORD_OFF };
struct event {
	uint64_t cycle;
	uint64_t block; /* if it has one: linear index in the grid, and its warp of it */
	uint32_t index, pc; /* pc: of an issue */
	uint16_t core, dispatch; /* cycles its dispatch register is taken */
	uint32_t lanes; /* of an issue: active ones */
	uint8_t warp, wait;
	bool is_issue, has_block;
	bool is_split; /* some of the warp's lanes are elsewhere */
};
struct diagram {
	enum recording recording;
	bool is_on;	  /* events are being recorded now */
	uint64_t until;	  /* `auto`: cycle in which recording ends */
	int64_t core;	  /* the one that is recorded, -1: all */
	uint64_t n;	  /* events ever; the ring has the last EVENTS of them */
	uint64_t first, last; /* cycles: recorded without a gap */
	uint8_t *wait;	  /* [core][warp]: present state */
	uint64_t *live;	  /* [core]: warps there were after the last cycle */
	struct event *ring;
};

/* Returns the observer's recording, which is created at the first call. */
struct diagram *diagram_get(struct observer *l);
/* Returns true if the recording includes a core. */
static inline bool diagram_is_recorded(const struct diagram *g, const struct core *c) { return g->core < 0 || (uint32_t)g->core == c->id; }

struct drawing {
	struct debug *d;
	const struct core *c;
	const struct diagram *g;
	uint64_t first, last; /* cycles */
	uint32_t low, high;   /* warps */
	uint64_t oldest;      /* first event of the ring */
	uint32_t *pcs;	      /* instructions that occur, ascending: I0, I1 ... */
	size_t n_pcs, cap_pcs;
	char **cell;	      /* [cycle - first][warp - low], NULL: as the wait says */
	uint8_t *wait;	      /* the same */
	bool *is_inside;      /* [..]: within the brackets of an instruction */
	unsigned width, label; /* of a column, of a row's name */
	unsigned columns;      /* of a stretch */
	bool compact;
};

/* Returns the index of a warp's cell in a cycle. */
static inline size_t diagram_at(const struct drawing *w, uint64_t cycle, uint32_t warp)
{
	return (size_t)(cycle - w->first) * (w->high - w->low + 1) + (warp - w->low);
}

/* Returns event `k`, counted since recording began; the ring must still hold it. */
static inline const struct event *diagram_event(const struct drawing *w, uint64_t k) { return &w->g->ring[k % EVENTS]; }

/* Returns true if an event is of a warp that is drawn. */
static inline bool diagram_concerns(const struct drawing *w, const struct event *e)
{
	return e->core == w->c->id && e->warp >= w->low && e->warp <= w->high;
}

/* Returns true if an event is an issue of a warp and a cycle that are drawn. */
static inline bool diagram_is_drawn(const struct drawing *w, const struct event *e)
{
	return e->is_issue && diagram_concerns(w, e) && e->cycle >= w->first && e->cycle <= w->last;
}

/* Returns true if a cycle that is drawn shows anything of a warp. */
bool diagram_has_row(const struct drawing *w, uint32_t warp);
/* The rows with anything to see, scheduler by scheduler: begins as {0}, false when there is no more. Writes the schedulers' headings. */
struct row_walk {
	uint32_t scheduler, looked_at; /* warps of it */
	bool has_heading;
	uint32_t warp; /* the row's */
};
/* Moves to the next row that shows anything, scheduler by scheduler, and appends headings of schedulers. Returns false after the last row. */
bool diagram_next_row(const struct drawing *w, struct row_walk *r, struct text *out);
/* Appends `wp5 b0w1:`, hardware warp 5, which is warp 1 of block 0; a `+` follows if it was another block's before. */
void diagram_row_name(const struct drawing *w, uint32_t warp, struct text *out);
/* Returns how many cycles from this one on look like the one before them in every row. */
uint64_t diagram_dull_stretch(const struct drawing *w, uint64_t cycle);

/* ---- dump_compact.c ---- */
enum stage { STAGE_NONE, STAGE_FETCH, STAGE_ISSUE, STAGE_OPERANDS, STAGE_UNITS, STAGE_SYNC, STAGES };
/* Returns the stage of a diagram's symbol, for its colour; STAGE_NONE if the symbol has none. */
enum stage diagram_stage(char symbol);
/* Colours what follows, on a terminal that has colours. */
void diagram_color(const struct drawing *w, enum stage stage, struct text *out);
/* Appends the diagram with one character a cycle, and its legend. */
void diagram_draw_compact(struct drawing *w, struct text *out);

#endif
