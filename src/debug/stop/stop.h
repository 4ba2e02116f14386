/* Stop conditions and runs: for other folders of the debugger, and for this folder's files. */
#ifndef DEBUG_STOP_STOP_H
#define DEBUG_STOP_STOP_H

#include "debug/ground/ground.h"
#include "debug/stop/breakpoint.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"

/* What a run does at a stop condition. JUDGE: the hit is counted, printed, and stops. SCAN: the stop is reported to debug_scan_stops; nothing is counted,
 * printed or deleted. PASS: only failures and the end of work stop. */
enum run_direction { RUN_JUDGE, RUN_SCAN, RUN_PASS };

/* ---- breakpoints' inside (breakpoint.c, match.c, watch.c) ---- */
/* Fills `out` with the warp of an event and the instruction that the warp is in front of. Returns false if the block isn't resident, has no such
 * warp, or the warp has exited. */
bool debug_hit_of(struct debug *d, const struct gpu_event *ev, struct debug_hit *out);
/* Returns the lanes of `lanes` for which the breakpoint's filter, condition and test hold. A lane whose condition can't be evaluated counts; its error
 * is appended to `note` if `note` is empty. */
uint32_t breakpoint_lanes(struct debug *d, struct breakpoint *b, const struct debug_hit *h, uint32_t lanes,
			  struct text *note);
/* Counts a hit. Returns false, lowering the breakpoint's ignore count, if the hit is to be ignored. While stops are scanned, counts nothing and
 * returns true. */
bool breakpoint_count_hit(const struct debug *d, struct breakpoint *b);
/* Adds a breakpoint to stop->hits, DEBUG_STOP_HITS_MAX at most. Disables a `once` breakpoint. Frees a temporary one, or disables it until the next run
 * if it has commands. While stops are scanned, only adds it. */
void breakpoint_report(struct debug *d, struct breakpoint *b, struct debug_stop *stop);
/* Moves the focus to a lane of the hit's warp: the focused lane if it is among `lanes`, else the lowest of `lanes`. With `lanes` 0 moves it to lane 0. */
void debug_focus_on(struct debug *d, const struct debug_hit *h, uint32_t lanes);
/* Returns true if an enabled code breakpoint at x->pc may stop the warp that exec runs: its filter and condition exclude not all lanes. Sets
 * x->top->pc to x->pc. For use in the middle of exec's run in functional mode. */
bool breakpoint_may_stop(struct debug *d, const struct exec *x);
/* Checks code breakpoints and catchpoints at a marked instruction: counts hits, prints for dprintf, and reports hits that aren't ignored. The first of
 * these moves the focus and sets the stop's text. Returns true if `stop` has hits. Reported temporary breakpoints are removed. */
bool breakpoint_check_code(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Adds the number and event of a catchpoint to a stop, `Catchpoint 1 (exit)` or `Catchpoint 1 (divergence after)`. */
void stop_add_catch(const struct breakpoint *b, struct debug_stop *stop);
/* Returns whether a branch is about to send a warp's lanes to different places. (divergence.c) */
bool debug_diverges(struct debug *d, const struct debug_hit *h);
/* Adds to a stop where the branch at a hit sends the warp's lanes: `lanes 0x000000ff go to k.ptx:19, lanes 0xffffff00 to k.ptx:16`. (divergence.c) */
void stop_add_divergence(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Returns whether `catch divergence after` is set and the branch about to execute diverges. */
bool breakpoint_wants_split(struct debug *d, const struct debug_hit *h);
/* Checks the catchpoints `catch divergence after` once the branch at the hit has executed: counts hits, and reports those not ignored. Returns true if
 * one stops. */
bool breakpoint_check_split(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Checks catchpoints of the kind `what` (all but those at instructions) for a launch, UINT32_MAX if the event has none. Counts their hits, and adds
 * those not ignored to `stop`. BREAKPOINT_ON_API also checks pending breakpoints for calls. Returns true if `stop` has hits, earlier ones included. */
bool breakpoint_check_event(struct debug *d, enum breakpoint_catch what, uint32_t launch, struct debug_stop *stop);
/* Returns whether a catchpoint for launches or for a kernel is enabled. */
bool breakpoint_wants_launches(const struct debug *d);
/* Writes the marks of all instructions anew: of enabled breakpoints, catchpoints and register watchpoints, of traces, and of values that wait for
 * blocks. */
void breakpoint_write_marks(struct debug *d);

/* Returns cuda-gdb's name of an exception: `Warp Illegal Address`. Returns `Warp Exception` for kinds without a name of their own. The string is
 * static. */
const char *stop_exception_name(enum exec_fault_kind kind);

/* Watchpoints: which are concerned by what is about to happen, and what came of it. */
struct watch_pending {
	struct breakpoint *b;
	uint32_t lanes; /* that touch it */
	uint32_t pc;	/* the instruction that does; a call for what its return writes */
};
#define WATCH_PENDING_MAX 32
/* Stores the scoped watchpoints of the activation that the hit's instruction, a `ret`, leaves. Returns their number, WATCH_PENDING_MAX at most.
 * Returns 0 for other instructions, and in scans and passes. */
size_t watch_find_scopes(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* Deletes the n watchpoints of *p, whose activation was left, and fills `stop`. Returns true if at least one still existed. */
bool watch_end_scopes(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n, struct debug_stop *stop);
/* Stores enabled watchpoints on registers and predicates that the hit's instruction, about to execute, concerns. Returns their number,
 * WATCH_PENDING_MAX at most. */
size_t watch_find_registers(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* Stores enabled watchpoints on memory that the access of exec's effect concerns. Returns their number, WATCH_PENDING_MAX at most. */
size_t watch_find_access(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* Compares n watchpoints with their old values after the instruction was executed, counts hits, and fills `stop`; present values become the old
 * ones. `access` is the instruction's access, NULL for registers. Returns true if at least one stops. */
bool watch_check(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n,
		 const struct exec_access *access, struct debug_stop *stop);
/* Registers with exec the watcher of accesses that the enabled memory watchpoints need, in place of the one registered before. Registers none if they
 * need none. */
void watch_arm(struct debug *d);
/* Detaches watchpoints from their launches; the next launch of the same kernel replaces them. */
void watch_forget_launches(struct debug *d);
/* Notes the kernels of watchpoints' launches before the machine goes back in time. */
void watch_note_kernels(struct debug *d);
/* Detaches watchpoints, except on the machine's fields, from their launches after the machine went back in time. Attaches each to the first launch of
 * its kernel that hasn't ended, if there is one. */
void watch_rewind(struct debug *d);
/* Stores the present values of enabled watchpoints as their old ones, except of fields that were compared in the present cycle. A watchpoint whose
 * launch has ended is attached to the next launch of its kernel first, if there is one. */
void watch_refresh(struct debug *d);
/* Returns whether the instruction at `pc` is a call whose return writes the watched register. Calls of functions without a body don't count. */
bool watch_call_writes(const struct debug *d, const struct breakpoint *b, uint32_t pc);
/* Returns whether an enabled watchpoint is on memory. */
bool watch_any_memory(const struct debug *d);
/* Returns whether an enabled watchpoint is on a field of the machine. */
bool watch_any_field(const struct debug *d);
/* Compares enabled watchpoints on the machine's fields with their old values at the end of a cycle, and replaces these. Counts hits and fills `stop`.
 * Returns true if at least one stops. */
bool watch_check_fields(struct debug *d, struct debug_stop *stop);
/* Checks the module loaded or unloaded last with the catchpoints for such events, and forgets that event. Returns true if one stops, with the module
 * added to `stop`; false also if no module came or went. */
bool watch_check_modules(struct debug *d, struct debug_stop *stop);
/* Returns true if n bytes are a name as CUDA's API gives it to its functions: cudaFree, cuMemFree. (program_calls.c) */
bool program_call_is_name(const char *name, size_t n);
/* Returns true if a breakpoint or catchpoint for calls is for the program's present call. (program_calls.c) */
bool program_call_fits(const struct debug *d, const struct breakpoint *b);
/* Reports the program's call or end in front of which the machine stops, and forgets it. Returns true, with `stop` filled, for an end, or for a call
 * that a breakpoint or catchpoint stops at. (program_calls.c) */
bool program_check_calls(struct debug *d, struct debug_stop *stop);
/* Compares watched global and constant memory with the old values after the program's host code ran, and replaces these. Counts hits and fills in
 * `stop`. Returns true if one stops. A program must be attached. */
bool watch_check_host(struct debug *d, struct debug_stop *stop);
/* Adds a watchpoint to a part of a stop: number, expression and the present value `now`, with the old one if the value has changed. */
void watch_describe_values(struct debug *d, const struct breakpoint *b, const unsigned char *now, bool changed, struct report *part);
/* Returns true if the watchpoint's condition is true for the focused thread, or can't be evaluated: then `note` says why. */
bool watch_condition_holds(struct debug *d, const struct breakpoint *b, struct text *note);
/* Returns true if the instruction writes or reads the watched register, as the watchpoint's kind asks. Unless it watches reads only, also returns true
 * for an instruction that leads to one at which the watched variable is in another register. */
bool watch_looks_at(const struct debug *d, const struct breakpoint *b, uint32_t pc);
/* Stores a watchpoint's present value, b->watch.bytes bytes, in `out`; of a bit-field's bytes the other bits are zero. Returns false, storing zeros,
 * if the value can't be read. */
bool watch_read_value(struct debug *d, const struct breakpoint *b, unsigned char *out);

/* Adds an enabled breakpoint to the table, with the next number; internal ones are numbered downwards from UINT32_MAX. The table owns it. */
struct breakpoint *breakpoint_new(struct debug *d, enum breakpoint_kind kind, bool internal);
/* Removes a breakpoint from the table and frees it; does nothing if the table doesn't hold it. */
void breakpoint_drop(struct debug *d, struct breakpoint *b);
/* Resolves the locations of users' code breakpoints again after a load; those counted from a focus keep their instructions. `notes` (may be NULL)
 * gets lines about breakpoints that become pending or no longer are. */
void breakpoint_resolve_all(struct debug *d, struct text *notes);
/* Appends a line for each pending breakpoint of a program that couldn't be set although its file is loaded, or if the program has ended, for each
 * pending one. Reports a breakpoint once for each reason. */
void breakpoint_unset_text(struct debug *d, bool has_ended, struct text *out);
/* Returns the text of a location that is resolved again after a load. For a bare line or a location counted from the focus, frees `written` and
 * returns a new FILE:LINE; else returns `written` itself. The caller owns the result. */
char *breakpoint_lasting_location(struct debug *d, const struct debug_location *l, char *written);

/* ---- stops (stop.c) ---- */
/* Fills a stop for the failure that the device reports: reason and text; moves the focus to the lowest failing lane if the warp is known. The
 * reason is DEBUG_STOP_BREAKPOINT for the PTX instruction `brkpt`. */
void stop_exception(struct debug *d, const struct gpu_event *ev, struct debug_stop *stop);
/* Adds a part to a stop: appends what people read of it to the stop's text, and adds its cells as an object to the list `list` of the stop's JSON.
 * Frees the part. */
void stop_add_part(struct debug_stop *stop, const char *list, struct report *part);
/* Adds the only part of its kind to a stop: appends what people read of it to the stop's text, and adds its cells as the object `name` to the stop's
 * JSON. Frees the part. */
void stop_set_part(struct debug_stop *stop, const char *name, struct report *part);
/* Adds a part about launch number `launch` to the stop's list `kernels`: `Kernel 0 vecadd finished`, where `event` is the last word. Adds nothing if
 * there is no such launch. */
void stop_add_kernel(struct debug *d, uint32_t launch, const char *event, struct debug_stop *stop);
/* Fills a stop after a step: `Stepped to ...`, or `Reached cycle N` without a live thread. Moves the focus to a live thread if its own has
 * exited. */
void stop_stepped(struct debug *d, struct debug_stop *stop);
/* Completes a stop: fills in cycle, status and thread, flushes the device's output, and makes a copy the last stop. Moves the focus to a live
 * thread, and reports findings if the device is idle or has failed. */
void stop_finish(struct debug *d, struct debug_stop *stop);

/* ---- runs (run.c) ---- */
/* Runs the machine until something stops it, and completes the stop. Returns true. */
bool run_freely(struct debug *d, struct debug_stop *stop);
/* Completes a stop as stop_finish does, after appending a line for each breakpoint that couldn't be set. Returns true, the result of a command that
 * has run the machine. */
bool run_finish(struct debug *d, struct debug_stop *stop);

/* Returns what went wrong at an instruction that uses a texture or surface ("Invalid texture read"), or NULL for another instruction. */
const char *stop_texture_mistake(struct debug *d, uint32_t pc);
/* Appends a line that says where the texels of an instruction's texture or surface are, nothing for other instructions. (texture.c) */
void stop_textures(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out);

/* Appends the line of the host that made a launch, nothing if that isn't known. */
void stop_launched_from(struct debug *d, uint32_t launch, struct text *out);

#endif
