/* Instructions at which lanes of a warp wait for each other: bar.warp.sync, shfl, vote, match, redux and elect in their .sync forms.
 *
 * Lanes that execute one wait in front of it, in an SIMT entry of their own, until all live lanes their membermask names are
 * there too; exec_warp.sync_lanes are those that wait. simt_settle lets the warp's others run meanwhile. The last to come
 * executes the instruction for all, and they go on together after it. Source: PTX ISA, "membermask" of these instructions. */
#ifndef EXEC_WARP_SYNC_H
#define EXEC_WARP_SYNC_H

#include "exec/internal.h"

/* The common case: all lanes the warp still has are here, so nobody needs to be waited for. */
static inline bool warp_is_whole(const struct exec *x) { return x->mask == (x->warp->lanes & ~x->warp->exited); }

/* Returns true if lanes can wait in front of the instruction at pc for the members that they name. */
bool warp_sync_can_wait(const struct exec *x, uint32_t pc);

/* Executes `effect` for those lanes of x->mask, and those that wait, whose members are all there; the others wait, or it is
 * a fault because nobody is left who could come. x->mask is afterwards what was executed for, perhaps 0. */
void warp_sync_meet(struct exec *x, const struct isa_insn *i, exec_handler effect);

/* Live lanes that the membermask of each lane names: of those of x->mask, and of those that wait for them. */
void warp_sync_members(const struct exec *x, const struct isa_insn *i, uint32_t members[LANES]);

/* Lanes `here` are about to wait for others of their warp. True if that leaves none that runs. */
bool warp_sync_all_wait(const struct exec *x, uint32_t here);

/* Returns the exited lanes that the membermasks of x->mask name. */
uint32_t warp_sync_gone(const struct exec *x, const struct isa_insn *i);

/* Returns true if nothing is left to do at pc but to exit from the kernel. */
bool warp_sync_only_exits(const struct exec *x, uint32_t pc, uint32_t call_depth);

/* The same of an instruction at pc that only branches to one. */
bool warp_sync_leads_out(const struct exec *x, uint32_t pc, uint32_t call_depth);

/* x->mask is about to exit. Returns false if the machine stops in front of that, as lanes wait for them that they have passed by. */
bool warp_sync_may_exit(struct exec *x);

/* Where lanes of the warp are, other than those that execute: "pc 0x48, pc 0x60". */
void warp_sync_places(const struct exec *x, uint32_t lanes, char *out, size_t n);

#endif
