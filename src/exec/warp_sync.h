/* Instructions at which lanes of a warp wait for each other: bar.warp.sync, shfl, vote, match, redux and elect in their .sync forms.
 *
 * Lanes that execute one wait in front of it, in an SIMT entry of their own, until all live lanes their membermask names are
 * there too; exec_warp.sync_lanes are those that wait. simt_settle lets the warp's others run meanwhile. The last to come
 * executes the instruction for all, and they go on together after it. Source: PTX ISA, "membermask" of these instructions. */
#ifndef EXEC_WARP_SYNC_H
#define EXEC_WARP_SYNC_H

#include "exec/internal.h"

/* Returns true if all live lanes of the warp execute, so that no lane has to be waited for. */
static inline bool warp_is_whole(const struct exec *x) { return x->mask == (x->warp->lanes & ~x->warp->exited); }

/* Returns true if lanes can wait in front of the instruction at pc for the lanes that their membermasks name. */
bool warp_sync_can_wait(const struct exec *x, uint32_t pc);

/* Calls `effect` for the lanes of x->mask, and of lanes that wait at the same place, whose named lanes are all there; forms without a membermask wait
 * for none. The other lanes wait. If no lane is left that could come, that is misuse. Afterwards x->mask holds the lanes for which `effect` was
 * called, perhaps 0. */
void warp_sync_meet(struct exec *x, const struct isa_insn *i, exec_handler effect);

/* Stores for each lane the live lanes that its membermask names. Only lanes of x->mask, and lanes in exec_warp.sync_lanes that wait at the same place,
 * have a membermask; the others get 0. If `i` has no membermask (forms without .sync), stores x->mask for all 32 lanes. */
void warp_sync_members(const struct exec *x, const struct isa_insn *i, uint32_t members[LANES]);

/* Returns true if each live lane of the warp is among `here`, or waits in front of a warp-level instruction or at a barrier: none is left to run. */
bool warp_sync_all_wait(const struct exec *x, uint32_t here);

/* Returns the exited lanes that the membermasks of lanes in x->mask name; 0 if the instruction has no membermask. */
uint32_t warp_sync_gone(const struct exec *x, const struct isa_insn *i);

/* Returns true if the instruction at pc is an unconditional exit from the kernel. call_depth is that of the activation. */
bool warp_sync_only_exits(const struct exec *x, uint32_t pc, uint32_t call_depth);

/* Returns true if unconditional branches from pc, at most 4 of them, lead to an unconditional exit from the kernel. `call_depth`: that of the
 * activation at pc. */
bool warp_sync_leads_out(const struct exec *x, uint32_t pc, uint32_t call_depth);

/* Returns true if the lanes of x->mask may exit. Returns false if the machine stops in front of their exit, because other lanes wait for them at an
 * instruction that they have passed by. Without a judge of misuse returns true. */
bool warp_sync_may_exit(struct exec *x);

/* Writes where lanes of the warp are, as "pc 0x48, pc 0x60, mask 0xffffffff", into n bytes at out; places that don't fit are left out. */
void warp_sync_places(const struct exec *x, uint32_t lanes, char *out, size_t n);

#endif
