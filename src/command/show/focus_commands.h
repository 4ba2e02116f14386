/* The focus and frames: commands that move and show them. */
#ifndef COMMAND_SHOW_FOCUS_COMMANDS_H
#define COMMAND_SHOW_FOCUS_COMMANDS_H

#include "debug/view/focus.h"
#include "debug/view/view.h"

/* Runs `focus [uid N] [thread (X,Y,Z)] [block ..] [warp N] [lane N] [core N] [kernel N]`, in any combination. Answers with the focus line, or after
 * a switch with the new coordinates in cuda-gdb's words and the source line. */
debug_answer_fn command_focus;
/* Runs `cuda ...`: coordinates switch the focus (cuda-gdb's texts), bare words (`cuda kernel block thread`) show these coordinates of the focus,
 * nothing shows all. */
debug_answer_fn command_cuda;
/* Runs `thread [N]`: moves the focus to the thread with uid N, or to coordinates as `focus` takes them. Without arguments answers with the
 * coordinates of the focus. */
debug_answer_fn focus_thread;
/* Runs `frame [N]`, `frame level N` or `frame function NAME`: selects the frame that `bt` numbers so, or the innermost one of a function. Answers
 * with the selected frame and its source line. */
debug_answer_fn focus_frame;
/* Runs `up [N]`: selects the frame N (1) further out than the selected one, the outermost if there are less, and answers with it. Fails if the
 * outermost is selected. */
debug_answer_fn command_up;
/* Runs `down [N]`: selects the frame N (1) further in than the selected one, the innermost if there are less, and answers with it. Fails if the
 * innermost is selected. */
debug_answer_fn command_down;

/* ---- frames in answers ---- */

/* Adds `number`, `function`, `pc`, `args`, `ptx` and `source` of a frame to the open object: `#1 0x58 in sum (n=3) at tree.ptx:33`. */
void describe_frame(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *f, struct report *answer);
/* Adds the source line of a frame as people read it, as `source_text`: a readable CUDA line out of inlined code, else as debug_source_at shows it. */
void describe_frame_source(struct debug *d, const struct debug_shown_frame *f, struct report *answer);

/* ---- what `info cuda` is to be about: coordinates, as `cuda` takes them ---- */
struct cuda_filter {
	bool logical, block, thread; /* of a kernel, a block, one thread */
	bool physical, core, warp;   /* of a core, a warp */
	uint32_t core_number;
	bool has_thread;
	struct debug_where w; /* the thread that the coordinates say; without any the focus */
};
/* Parses coordinates as `cuda` takes them; without any the focus is meant. Returns false, with an error in `why`, if nothing has these
 * coordinates. */
bool cuda_filter(struct debug *d, const char *args, struct cuda_filter *out, struct text *why);

#endif
