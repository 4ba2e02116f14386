/* Stop conditions and runs: what the rooms of the debugger ask of this one, and its files of each other. */
#ifndef DEBUG_STOP_STOP_H
#define DEBUG_STOP_STOP_H

#include "debug/internal.h"
#include "debug/stop/breakpoint.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"

/* ---- breakpoints' inside (breakpoint.c, match.c, watch.c) ---- */
bool debug_hit_of(struct debug *d, const struct gpu_event *ev, struct debug_hit *out);
/* Lanes of `lanes` that a breakpoint is meant for: uid, thread, block, warp and condition. `note` gets a condition's error. */
uint32_t breakpoint_lanes(struct debug *d, struct breakpoint *b, const struct debug_hit *h, uint32_t lanes,
			  struct text *note);
/* Counts a hit; false if it is to be ignored. */
bool breakpoint_count_hit(const struct debug *d, struct breakpoint *b);
/* Adds a breakpoint to the reasons of a stop, deletes it if temporary. */
void breakpoint_report(struct debug *d, struct breakpoint *b, struct debug_stop *stop);
/* Moves the focus: to the focused lane if it is among `lanes`, else to the lowest of them. */
void debug_focus_on(struct debug *d, const struct debug_hit *h, uint32_t lanes);
/* Code breakpoints and catchpoints at a marked instruction; true: stop is filled. */
bool breakpoint_check_code(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* `Catchpoint 1 (exit)`. */
void debug_catch_text(const struct breakpoint *b, struct text *out);
/* divergence.c: a branch is about to send a warp's lanes to different places */
bool debug_diverges(struct debug *d, const struct debug_hit *h);
/* `lanes 0x000000ff go to k.ptx:19, lanes 0xffffff00 to k.ptx:16` */
void debug_divergence_text(struct debug *d, const struct debug_hit *h, struct text *out);
/* `catch divergence after`: whether one wants to stop after the branch that is about to execute; and, when it has, the stop. */
bool breakpoint_wants_split(struct debug *d, const struct debug_hit *h);
bool breakpoint_check_split(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Catchpoints of the machine (launch, exit, exception, kernel NAME). */
bool breakpoint_check_event(struct debug *d, enum breakpoint_catch what, uint32_t launch, struct debug_stop *stop);
bool breakpoint_wants_launches(const struct debug *d);
void breakpoint_write_marks(struct debug *d);

/* `Warp Illegal Address` */
const char *stop_exception_name(enum exec_fault_kind kind);

/* Watchpoints: which are concerned by what is about to happen, and what came of it. */
struct watch_pending {
	struct breakpoint *b;
	uint32_t lanes; /* that touch it */
	uint32_t pc;	/* the instruction that does; a call for what its return writes */
};
#define WATCH_PENDING_MAX 32
size_t watch_find_registers(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
size_t watch_find_access(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* After the instruction was executed: compares, reports. */
bool watch_check(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n,
		 const struct exec_access *access, struct debug_stop *stop);
void watch_arm(struct debug *d);	     /* page flags and switches for the watchpoints there are */
void watch_forget_launches(struct debug *d); /* as stop_forget_launches */
/* Going back in time: which kernels the launches are of that watchpoints follow; they follow the first of them that isn't over. */
void watch_note_kernels(struct debug *d);
void watch_rewind(struct debug *d);
void watch_refresh(struct debug *d);	     /* takes present values as the old ones */
bool watch_call_writes(const struct debug *d, const struct breakpoint *b,
		       uint32_t pc); /* a call whose return writes the register */
bool watch_any_memory(const struct debug *d);
bool watch_any_field(const struct debug *d);
/* At the end of a cycle: the machine's fields that are watched. */
bool watch_check_fields(struct debug *d, struct debug_stop *stop);
bool watch_looks_at(const struct debug *d, const struct breakpoint *b, uint32_t pc); /* names the register it is on */
bool watch_read_value(struct debug *d, const struct breakpoint *b, unsigned char *out);

struct breakpoint *breakpoint_new(struct debug *d, enum breakpoint_kind kind, bool internal);
void breakpoint_drop(struct debug *d, struct breakpoint *b);
void breakpoint_resolve_all(struct debug *d, struct text *notes);
/* What is looked up again after a load, of a location as it was written, which is freed if it is another. */
char *breakpoint_lasting_location(struct debug *d, const struct debug_location *l, char *written);

/* ---- stops (stop.c) ---- */
void stop_exception(struct debug *d, const struct gpu_event *ev, struct debug_stop *stop);
void stop_kernel_line(struct debug *d, uint32_t launch, const char *what,
		      struct text *out); /* Kernel 0 vecadd finished */
void stop_stepped(struct debug *d, struct debug_stop *stop);
/* Fills what every stop has, sees that the focus is on a thread that lives, hands out the device's output. */
void stop_finish(struct debug *d, struct debug_stop *stop);

/* ---- runs (run.c) ---- */
bool run_freely(struct debug *d, struct debug_stop *stop); /* until something stops the machine; true */
bool run_finish(struct debug *d, struct debug_stop *stop); /* what ends every command that runs; true */

/* `allocation alloc_1 (0x80000000, 1024 bytes), made by main at x.cu:12` */
void stop_allocation_text(struct debug *d, const struct gpu_allocation *a, struct text *out);
/* Of the texture or surface that an instruction is for: a line that says where its texels are (texture.c). */
void stop_textures(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out);

/* Where the host launched it, if that is known. */
void stop_launched_from(struct debug *d, uint32_t launch, struct text *out);

#endif
