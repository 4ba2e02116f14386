/* Windows: stretches of the past in which all that warps execute and write is recorded in one run, so that each step of a value's way that lies in
 * one is answered without running again. Private to src/history. */
#ifndef HISTORY_WINDOW_H
#define HISTORY_WINDOW_H

#include "history/trace.h"

struct windows;

/* Creates the empty windows of a look at the past. The caller frees them with windows_free. */
struct windows *windows_create(struct history *h);
/* Releases the windows with all that is recorded. Does nothing for NULL. */
void windows_free(struct windows *v);

/* Lets the windows of the present look at the past become longer while they answer most questions; for searches that follow one path step by step. A
 * look must be under way. */
void history_grow_windows(struct history *h);
/* Returns true if history_grow_windows was called for the windows. */
bool windows_do_grow(const struct windows *v);

/* Records the latest instructions up to number `executed` of the thread's warp, and those of all other warps meanwhile. Returns false, with the
 * machine elsewhere, if the run failed (*failed). Returns false, recording nothing, if `v` is NULL, `executed` is 0, or windows don't pay yet. */
bool windows_record(struct windows *v, const struct debug_thread *t, uint64_t executed,
		    const struct history_position *limit, bool *failed);

enum window_answer {
	WINDOW_UNKNOWN, /* no window has what is asked about */
	WINDOW_FOUND,
	WINDOW_EARLIER, /* what was asked for lies before the window that has the end of the search */
	WINDOW_CALLED   /* a call wrote the register, or the register is a parameter */
};
/* Finds the last instruction in front of point *p, in its activation, that wrote register `word`. WINDOW_FOUND: *out is that step. WINDOW_EARLIER:
 * *first is the number of the warp's first instruction in the window, and out->pc an instruction of the activation's function. `v` may be NULL:
 * WINDOW_UNKNOWN. */
enum window_answer windows_source(struct windows *v, const struct debug_thread *t, const struct trace_point *p,
				  uint32_t word, struct debug_step *out, uint64_t *first);
/* Finds in the recorded windows the last step at which the thread executed the instruction at `pc`. Steps count whose warp had executed at most
 * `executed` instructions before. Returns false if `v` is NULL, no window has such a step, or the values that it writes weren't recorded. */
bool windows_step(struct windows *v, const struct debug_thread *t, uint64_t executed, uint32_t pc,
		  struct debug_step *out);
/* Fills a trace with the steps that the thread's warp executed from number `first` to `end` (exclusive), and the one ahead. Returns false, with the
 * trace as it was, if no window has all of them or `v` is NULL. */
bool windows_trace(struct windows *v, const struct debug_thread *t, uint64_t first, uint64_t end, struct trace *out);

/* Where a window begins: in front of a thread's instruction. */
struct window_begin {
	struct debug_thread thread;
	uint64_t executed;
};
/* Finds the last write to bytes of one line, 8 at most, until *u; out->before isn't filled. WINDOW_EARLIER: the windows from the search's end back to
 * *begin show no write. WINDOW_UNKNOWN: no window has the search's end, `v` is NULL, or the bytes are more or none. */
enum window_answer windows_write(struct windows *v, const struct where_bytes *b, const struct until *u,
				 struct write *out, struct window_begin *begin);

#endif
