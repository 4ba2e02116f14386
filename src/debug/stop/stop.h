/* Stop conditions and runs: what the rooms of the debugger ask of this one, and its files of each other. */
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
/* Fills `out` with the warp and instruction of an event. Returns false if there is no such warp or it has finished. */
bool debug_hit_of(struct debug *d, const struct gpu_event *ev, struct debug_hit *out);
/* Returns a mask of those of `lanes` that a breakpoint is meant for: uid, thread, block, warp, condition and a face's test. `note` gets a condition's
 * error, with which the lane counts. */
uint32_t breakpoint_lanes(struct debug *d, struct breakpoint *b, const struct debug_hit *h, uint32_t lanes,
			  struct text *note);
/* Counts a hit. Returns false if the hit is to be ignored. While stops are scanned only returns true. */
bool breakpoint_count_hit(const struct debug *d, struct breakpoint *b);
/* Adds a breakpoint to the reasons of a stop. Disables it if it is for once, and deletes it if it is temporary and has no command list; not while
 * stops are scanned. */
void breakpoint_report(struct debug *d, struct breakpoint *b, struct debug_stop *stop);
/* Moves the focus: to the focused lane if it is among `lanes`, else to the lowest of them. */
void debug_focus_on(struct debug *d, const struct debug_hit *h, uint32_t lanes);
/* Checks code breakpoints and catchpoints at a marked instruction. Returns true if `stop` is filled. */
bool breakpoint_check_code(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Appends `Catchpoint 1 (exit)` and a newline. */
void debug_catch_text(const struct breakpoint *b, struct text *out);
/* Returns whether a branch is about to send a warp's lanes to different places. (divergence.c) */
bool debug_diverges(struct debug *d, const struct debug_hit *h);
/* Appends `lanes 0x000000ff go to k.ptx:19, lanes 0xffffff00 to k.ptx:16` and a newline. */
void debug_divergence_text(struct debug *d, const struct debug_hit *h, struct text *out);
/* Returns whether `catch divergence after` is set and the branch about to execute diverges. */
bool breakpoint_wants_split(struct debug *d, const struct debug_hit *h);
/* Checks `catch divergence after` once the branch has executed. Returns true if `stop` is filled. */
bool breakpoint_check_split(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Checks catchpoints of the machine (launch, exit, exception, kernel NAME). Returns true if `stop` is filled. */
bool breakpoint_check_event(struct debug *d, enum breakpoint_catch what, uint32_t launch, struct debug_stop *stop);
/* Returns whether an enabled catchpoint waits for launches or kernels. */
bool breakpoint_wants_launches(const struct debug *d);
/* Writes the marks of all instructions anew, as enabled breakpoints need them. */
void breakpoint_write_marks(struct debug *d);

/* Returns cuda-gdb's name of an exception: `Warp Illegal Address`. */
const char *stop_exception_name(enum exec_fault_kind kind);

/* Watchpoints: which are concerned by what is about to happen, and what came of it. */
struct watch_pending {
	struct breakpoint *b;
	uint32_t lanes; /* that touch it */
	uint32_t pc;	/* the instruction that does; a call for what its return writes */
};
#define WATCH_PENDING_MAX 32
/* Stores register watchpoints that the instruction about to execute concerns. Returns their number, WATCH_PENDING_MAX at most. */
size_t watch_find_registers(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* Stores memory watchpoints that the instruction's access concerns. Returns their number, WATCH_PENDING_MAX at most. */
size_t watch_find_access(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* Compares n watchpoints after the instruction was executed; `access` is NULL for registers. Returns true if `stop` is filled. */
bool watch_check(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n,
		 const struct exec_access *access, struct debug_stop *stop);
/* Registers the watcher of accesses that the present watchpoints need. */
void watch_arm(struct debug *d);
/* Detaches watchpoints from their launches; the next launch of the same kernel replaces them. */
void watch_forget_launches(struct debug *d);
/* Notes the kernels of watchpoints' launches before the machine goes back in time. */
void watch_note_kernels(struct debug *d);
/* Attaches watchpoints, after the machine went back in time, to the first launch of their kernel that isn't over. */
void watch_rewind(struct debug *d);
/* Stores the present values of enabled watchpoints as their old ones. */
void watch_refresh(struct debug *d);
/* Returns whether the instruction is a call whose return writes the watched register. */
bool watch_call_writes(const struct debug *d, const struct breakpoint *b, uint32_t pc);
/* Returns whether an enabled watchpoint is on memory. */
bool watch_any_memory(const struct debug *d);
/* Returns whether an enabled watchpoint is on a field of the machine. */
bool watch_any_field(const struct debug *d);
/* Compares watched fields of the machine at the end of a cycle. Returns true if `stop` is filled. */
bool watch_check_fields(struct debug *d, struct debug_stop *stop);
/* Returns whether the instruction names the watched register, or leads to where the variable is in another one. */
bool watch_looks_at(const struct debug *d, const struct breakpoint *b, uint32_t pc);
/* Reads a watchpoint's present value, b->bytes bytes; what can't be read is zero. Returns false if it can't be read. */
bool watch_read_value(struct debug *d, const struct breakpoint *b, unsigned char *out);

/* Adds an enabled breakpoint to the table, with the next number; internal ones are numbered downwards from UINT32_MAX. The table owns it. */
struct breakpoint *breakpoint_new(struct debug *d, enum breakpoint_kind kind, bool internal);
/* Removes a breakpoint from the table and frees it; does nothing if it isn't there. */
void breakpoint_drop(struct debug *d, struct breakpoint *b);
/* Resolves the locations of the users' code breakpoints again after a load; `notes` (may be NULL) gets lines about those that become pending or no
 * longer are. */
void breakpoint_resolve_all(struct debug *d, struct text *notes);
/* Returns the location to resolve again after a load: a bare line becomes FILE:LINE. Frees `written` if the result is another text. */
char *breakpoint_lasting_location(struct debug *d, const struct debug_location *l, char *written);

/* ---- stops (stop.c) ---- */
/* Fills a stop with an exception's reason, focus and text. */
void stop_exception(struct debug *d, const struct gpu_event *ev, struct debug_stop *stop);
/* Appends `Kernel 0 vecadd finished` and a newline, where `what` is the last word. Appends nothing if there is no such launch. */
void stop_kernel_line(struct debug *d, uint32_t launch, const char *what, struct text *out);
/* Fills a stop after a step: `Stepped to ...`, or `Reached cycle N` without a live thread. */
void stop_stepped(struct debug *d, struct debug_stop *stop);
/* Fills what every stop has, moves the focus to a live thread, and flushes the device's output. */
void stop_finish(struct debug *d, struct debug_stop *stop);

/* ---- runs (run.c) ---- */
/* Runs the machine until something stops it, and finishes the stop. Returns what run_finish returns. */
bool run_freely(struct debug *d, struct debug_stop *stop);
/* Finishes a stop: ends every command that runs the machine. Returns true. */
bool run_finish(struct debug *d, struct debug_stop *stop);

/* Appends `allocation alloc_1 (0x80000000, 1024 bytes), made by main at x.cu:12`. */
void stop_allocation_text(struct debug *d, const struct gpu_allocation *a, struct text *out);
/* Appends a line that says where the texels of an instruction's texture or surface are, nothing for other instructions. (texture.c) */
void stop_textures(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out);

/* Appends the line of the host that made a launch, nothing if that isn't known. */
void stop_launched_from(struct debug *d, uint32_t launch, struct text *out);

#endif
