/* What the files of the proof share (prove.c): the table of what varies. */
#ifndef GPU_PROVE_INTERNAL_H
#define GPU_PROVE_INTERNAL_H

#include "gpu/device/internal.h"

#define PROVE_TABLE 1024u /* entries */

/* Lanes of a register, predicate or word of local memory, whose values vary. */
struct prove_entry {
	uint64_t key;
	uint64_t lanes;
};
#define PROVE_ROW UINT64_C(0)
#define PROVE_PRED (UINT64_C(1) << 60)
#define PROVE_LOCAL (UINT64_C(2) << 60) /* and the number of the word in the thread's local memory */

/* Returns the state of the proof under way. */
static inline struct gpu_probe *prove_probe(const struct gpu *g) { return &gpu_state(g)->probe; }
/* Returns the warp whose wait is being proven. */
static inline struct exec_warp *prove_warp(const struct gpu *g)
{
	return &gpu_cta_at(g, prove_probe(g)->cta_slot)->warp[prove_probe(g)->warp];
}
/* Returns the table of varying registers, predicates and words. */
static inline struct prove_entry *prove_varying(const struct gpu *g) { return arena_at(&g->arena, g->sec_probe, 0); }
/* Returns the table of entries that are assumed to vary since the round began. */
static inline struct prove_entry *prove_assumed(const struct gpu *g) { return prove_varying(g) + PROVE_TABLE; }
/* Returns the table of what is written between a branch and the point where its paths meet. */
static inline struct prove_entry *prove_written(const struct gpu *g) { return prove_varying(g) + 2 * PROVE_TABLE; }
#define PROVE_TABLES (3 * PROVE_TABLE * sizeof(struct prove_entry)) /* bytes */

/* ---- prove_table.c ---- */
/* Returns the entry with a key among `n` entries, or NULL. */
struct prove_entry *prove_find(struct prove_entry *t, uint32_t n, uint64_t key);
/* Returns the lanes in which the register, predicate or word with key `key` varies; 0 if the table doesn't have the key. */
uint32_t prove_lanes(const struct gpu *g, uint64_t key);
/* Adds lanes to those of a key that vary. Returns false if the table is full. */
bool prove_add(struct gpu *g, uint64_t key, uint32_t lanes);
/* Notes that no register of a new activation varies, as they are zeros. The activation's frame of `bytes` bytes begins at `frame`. */
void prove_forget_frame(struct gpu *g, uint64_t frame, uint64_t bytes);
/* Records a write by the lanes in `mask`: of these, the value of the key varies from round to round in `lanes`. Returns false if a table is full. */
bool prove_write(struct gpu *g, uint64_t key, uint32_t lanes, uint32_t mask);
/* Records that the lanes write the key while the paths of a branch are tested. Returns false if the table is full. */
bool prove_note_written(struct gpu *g, uint64_t key, uint32_t lanes);
/* Adds all keys that were written on the paths of a branch to the varying ones. Returns false if the table is full. */
bool prove_add_written(struct gpu *g);
/* Removes registers and local memory of activations that are over from the tables. */
void prove_drop_dead(struct gpu *g);
/* Returns the key of a register of the activation at `frame`, as isa_program.rw names it. Returns UINT64_MAX if the word is no register. */
uint64_t prove_key(uint64_t frame, uint32_t word);

/* ---- prove_call.c: arguments and results of calls ---- */
/* Notes the caller's place before a return is executed. */
void prove_note_return(struct gpu *g, const struct exec_simt *top);
/* Propagates varying arguments into an activation that a call has begun. Returns false if the table is full. */
bool prove_call(struct gpu *g);
/* Propagates varying results to the caller after a return. Returns false if the table is full or the caller is unknown. */
bool prove_return(struct gpu *g);

/* ---- prove_flow.c ---- */
/* Records the next instruction of the warp of the proof: pc, lanes, and the activation that it belongs to. */
void prove_note(struct gpu *g);
/* Propagates varying values through the executed instruction. Returns false if the warp may therefore act differently in another round. */
bool prove_flow(struct gpu *g);
/* Returns true if the instruction is a branch that varying values decide. */
bool prove_branch_varies(const struct gpu *g);

/* ---- prove_region.c: branches that varying values decide ---- */
/* Tests before a branch that varies whether all its paths meet in the loop and change only the warp's own registers and local memory. What the
 * paths change varies afterwards. */
void prove_explore_region(struct gpu *g);
/* Enters the region of a branch that varies, after the branch was executed. Returns false if its paths may leave the loop. */
bool prove_enter_region(struct gpu *g);

#endif
