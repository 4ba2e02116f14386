/* What the files of execution diagrams share: the recording, and what is to be drawn of it. */
#ifndef COMMAND_DUMP_DIAGRAM_H
#define COMMAND_DUMP_DIAGRAM_H

#include "command/dump/dump_internal.h"

#define EVENTS (1u << 16) /* the ring has room for so many; with `diagram on` it grows up to EVENTS_MOST */
#define EVENTS_MOST (1u << 22)
#define AUTO_WORK 100000u /* of `auto`: warps looked at, which takes some milliseconds */

enum recording { RECORD_AUTO, RECORD_ON, RECORD_OFF };
struct event {
	uint64_t cycle;
	uint64_t number; /* of an issue: the instruction's, over the whole machine */
	uint64_t start;	 /* of an issue: cycle in which its run began */
	uint64_t ready;	 /* of an issue: cycle from which a dependent instruction can issue; EVENT_NOT_READY: it has no result, or not yet */
	uint64_t block; /* if it has one: linear index in the grid, and its warp of it */
	uint32_t index, pc; /* pc: of an issue */
	uint16_t core, dispatch; /* cycles its dispatch register is taken */
	uint32_t lanes; /* of an issue: active ones */
	uint8_t warp, wait;
	bool is_issue, has_block;
	bool is_split; /* some of the warp's lanes are elsewhere */
};
#define EVENT_NOT_READY UINT64_MAX
struct diagram {
	enum recording recording;
	bool is_on;	  /* events are being recorded now */
	bool is_late;	  /* the run began in functional mode: recording begins with the machine's first event */
	uint64_t until;	  /* `auto`: cycle in which recording ends */
	int64_t core;	  /* the one that is recorded, -1: all */
	uint64_t n;	  /* events ever; the ring has the last `cap` of them */
	uint64_t cap;
	uint64_t kept;	  /* events before this one were overwritten before the machine went back */
	uint64_t seen, number; /* cycle and instruction that was recorded last */
	uint64_t first, last; /* cycles: recorded without a gap */
	uint32_t n_states; /* warp slots of all cores */
	uint8_t *wait;	  /* [core][warp]: present state */
	uint64_t *live;	  /* [core]: warps there were after the last cycle */
	struct event *ring;
	uint64_t *by_number; /* [cap]: 1 + the event of the issue whose number leaves that remainder */
};

/* Returns the observer's recording, which is created, with nothing recorded, at the first call. */
struct diagram *diagram_get(struct observer *l);
/* Returns whether the recording includes core `c`: all cores, or that one, are recorded. */
static inline bool diagram_is_recorded(const struct diagram *g, const struct core *c) { return g->core < 0 || (uint32_t)g->core == c->id; }

/* Returns the number of the first event that the ring still holds. */
static inline uint64_t diagram_oldest(const struct diagram *g)
{
	const uint64_t first = g->n > g->cap ? g->n - g->cap : 0;
	return first > g->kept ? first : g->kept;
}

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
	bool has_core, has_cycles; /* the user named them */
};

/* Returns the index, in the drawing's arrays, of a warp's cell in a cycle; both must be in the drawing. */
static inline size_t diagram_at(const struct drawing *w, uint64_t cycle, uint32_t warp)
{
	return (size_t)(cycle - w->first) * (w->high - w->low + 1) + (warp - w->low);
}

/* Returns event number `k`, counted since recording began. The ring must still hold it. */
static inline const struct event *diagram_event(const struct drawing *w, uint64_t k) { return &w->g->ring[k % w->g->cap]; }

/* Returns whether an event is of the drawn core and a drawn warp. */
static inline bool diagram_concerns(const struct drawing *w, const struct event *e)
{
	return e->core == w->c->id && e->warp >= w->low && e->warp <= w->high;
}

/* Returns whether an event is the issue of an instruction by a drawn warp in a drawn cycle. */
static inline bool diagram_is_drawn(const struct drawing *w, const struct event *e)
{
	return e->is_issue && diagram_concerns(w, e) && e->cycle >= w->first && e->cycle <= w->last;
}

/* The rows with anything to see, scheduler by scheduler: begins as {0}, false when there is no more. Writes the schedulers' headings. */
struct row_walk {
	uint32_t scheduler, looked_at; /* warps of it */
	bool has_heading;
	uint32_t warp; /* the row's */
};
/* Moves *r, {0} at first, to the next warp that shows anything, scheduler by scheduler. Appends a heading before a scheduler's first row if the core
 * has several. Returns false after the last row. */
bool diagram_next_row(const struct drawing *w, struct row_walk *r, struct text *out);
/* Appends the name of a warp's row, `wp5 b0w1:`: hardware warp 5, which was last warp 1 of block 0, or `wp5:` if no block is known. A `+` follows the
 * block if the row was another block's before. */
void diagram_row_name(const struct drawing *w, uint32_t warp, struct text *out);
/* Returns how many drawn cycles, from `cycle` on, look like the cycle before them in every row; 0 for the first drawn cycle. */
uint64_t diagram_dull_stretch(const struct drawing *w, uint64_t cycle);

/* ---- dump_compact.c ---- */
enum stage { STAGE_NONE, STAGE_FETCH, STAGE_ISSUE, STAGE_OPERANDS, STAGE_UNITS, STAGE_SYNC, STAGES };
/* Returns the pipeline stage that a diagram's symbol is for, which decides its colour. Returns STAGE_NONE if it is for none. */
enum stage diagram_stage(char symbol);
/* Appends the escape sequence for the colour of a stage, STAGE_NONE: no colour, if the terminal has colours. */
void diagram_color(const struct drawing *w, enum stage stage, struct text *out);
/* Appends the diagram with one character a cycle, in stretches as wide as the screen, and its legend. A long stretch without changes is one line.
 * Sets w->columns. */
void diagram_draw_compact(struct drawing *w, struct text *out);

#endif
