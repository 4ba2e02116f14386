/* The commands that move the focus: our own words and cuda-gdb's. */
#include <ctype.h>
#include <string.h>

#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/inspect.h"
#include "command/show/focus_commands.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

enum coordinate { C_KERNEL, C_GRID, C_BLOCK, C_THREAD, C_UID, C_DEVICE, C_CORE, C_WARP, C_LANE, C_COUNT };

struct request {
	bool has[C_COUNT];
	uint64_t number[C_COUNT];
	uint32_t dims[C_COUNT][3];
};

static const struct {
	const char *word;
	enum coordinate c;
} words[] = {{"kernel", C_KERNEL}, {"grid", C_GRID}, {"block", C_BLOCK}, {"thread", C_THREAD}, {"uid", C_UID},
	     {"device", C_DEVICE}, {"core", C_CORE}, {"sm", C_CORE},	 {"warp", C_WARP},     {"lane", C_LANE}};

static int coordinate_word(const char **s)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (scan_word(s, words[i].word))
			return (int)i;
	return -1;
}

#define FOCUS_USAGE "usage: focus [uid N | kernel N | block (X,Y,Z) | thread (X,Y,Z) | core N | warp N | lane N]..."
#define CUDA_USAGE "usage: cuda [device|sm|warp|lane|kernel|grid|block|thread [N|(X,Y,Z)]]..."

static bool parse_request(const char *s, struct request *r, const char *usage, struct text *why)
{
	for (s = scan_blanks(s); *s; s = scan_blanks(s + (*s == ','))) {
		int i = coordinate_word(&s);
		if (i < 0)
			return debug_fail(why, "%s", usage);
		enum coordinate c = words[i].c;
		unsigned n;
		if (c == C_BLOCK || c == C_THREAD) {
			if (!scan_dim3(&s, r->dims[c], &n, why))
				return false;
		} else if (!scan_u64(&s, &r->number[c])) {
			return debug_fail(why, "%s wants a number", words[i].word);
		}
		r->has[c] = true;
		s = scan_blanks(s);
	}
	return true;
}

/* cuda-gdb's line, as a result and without an error's prefix; the command has failed all the same. */
static bool invalid(struct report *answer)
{
	report_say(answer, "Invalid coordinates requested. CUDA focus unchanged.\n");
	return false;
}

static bool linear_of(const uint32_t v[3], const uint32_t dims[3], uint64_t *out)
{
	if (v[0] >= dims[0] || v[1] >= dims[1] || v[2] >= dims[2])
		return false;
	*out = v[0] + (uint64_t)dims[0] * (v[1] + (uint64_t)dims[1] * v[2]);
	return true;
}

/* Where to begin when nothing is focused: the newest launch. */
static bool start_thread(struct debug *d, struct debug_thread *t)
{
	uint32_t n = gpu_launch_count(d->g);
	if (debug_focus_get(d, t))
		return true;
	*t = (struct debug_thread){.launch = n ? n - 1 : 0};
	return n > 0;
}

static bool resolve_logical(struct debug *d, const struct request *r, struct debug_thread *t)
{
	struct gpu_launch_info info;
	uint64_t thread = t->thread;
	uint64_t kernel = r->has[C_KERNEL] ? r->number[C_KERNEL] : r->has[C_GRID] ? r->number[C_GRID] - 1 : t->launch;
	if (kernel >= gpu_launch_count(d->g) || !gpu_launch_get(d->g, (uint32_t)kernel, &info))
		return false;
	if (kernel != t->launch) {
		*t = (struct debug_thread){.launch = (uint32_t)kernel};
		thread = 0;
	}
	if (r->has[C_BLOCK] && !linear_of(r->dims[C_BLOCK], info.launch.grid, &t->cta))
		return false;
	if (r->has[C_THREAD] && !linear_of(r->dims[C_THREAD], info.launch.block, &thread))
		return false;
	t->thread = (uint32_t)thread;
	return true;
}

/* The resident block on a core whose warps include a hardware warp; warp UINT64_MAX: the lowest one there. */
static bool find_hardware_warp(struct debug *d, uint32_t core, uint64_t warp, struct debug_thread *t)
{
	uint64_t best = UINT64_MAX;
	for (uint32_t s = 0; s < gpu_cta_slots(d->g); s++) {
		const struct exec_cta *cta = gpu_cta(d->g, s);
		struct gpu_launch_info info;
		if (!cta || cta->core != core || !gpu_launch_get(d->g, cta->launch, &info))
			continue;
		uint64_t first = (uint64_t)cta->core_slot * info.launch.warps_per_cta;
		uint64_t found = warp == UINT64_MAX ? first : warp;
		if (found < first || found >= first + cta->n_warps || found >= best)
			continue;
		best = found;
		*t = (struct debug_thread){
			.launch = cta->launch, .cta = cta->linear, .thread = debug_thread_of(d, (uint32_t)(found - first), 0)};
	}
	return best != UINT64_MAX;
}

static bool resolve_physical(struct debug *d, const struct request *r, struct debug_thread *t)
{
	struct debug_where w;
	bool has = debug_thread_where(d, t, &w);
	uint32_t lane = debug_lane_of(d, t->thread);
	if (r->has[C_CORE] || (r->has[C_WARP] && has && w.cta)) {
		uint32_t core = r->has[C_CORE] ? (uint32_t)r->number[C_CORE] : w.core;
		uint64_t warp = r->has[C_WARP] ? r->number[C_WARP] : has && w.cta ? w.warp : UINT64_MAX;
		if (!find_hardware_warp(d, core, warp, t) &&
		    (r->has[C_WARP] || !find_hardware_warp(d, core, UINT64_MAX, t)))
			return false;
	} else if (r->has[C_WARP]) { /* a block that isn't placed: its own warps */
		if (!has || r->number[C_WARP] >= w.launch.warps_per_cta)
			return false;
		t->thread = debug_thread_of(d, (uint32_t)r->number[C_WARP], 0);
	} else {
		t->thread -= lane;
	}
	if (r->has[C_LANE] && r->number[C_LANE] >= gpu_exec(debug_gpu(d))->warp_threads)
		return false;
	uint32_t wanted = r->has[C_LANE] ? (uint32_t)r->number[C_LANE] : lane;
	t->thread += wanted;
	if (!debug_thread_where(d, t, &w)) { /* the last warp may lack the lane */
		if (r->has[C_LANE])
			return false;
		t->thread -= wanted;
	}
	return true;
}

static bool resolve(struct debug *d, const struct request *r, struct debug_thread *t)
{
	struct debug_where w;
	if (r->has[C_UID])
		return debug_thread_of_uid(d, r->number[C_UID], t);
	if (!start_thread(d, t) || (r->has[C_DEVICE] && r->number[C_DEVICE]))
		return false;
	if ((r->has[C_KERNEL] || r->has[C_GRID] || r->has[C_BLOCK] || r->has[C_THREAD]) && !resolve_logical(d, r, t))
		return false;
	if ((r->has[C_CORE] || r->has[C_WARP] || r->has[C_LANE]) && !resolve_physical(d, r, t))
		return false;
	return debug_thread_where(d, t, &w);
}

bool cuda_filter(struct debug *d, const char *args, struct cuda_filter *out, struct text *why)
{
	struct request r = {0};
	*out = (struct cuda_filter){0};
	if (scan_word(&args, "current"))
		out->logical = out->block = true;
	if (*scan_blanks(args)) {
		if (!parse_request(args, &r,
				   "usage: info cuda SUBJECT [kernel N] [block (X,Y,Z)] [thread (X,Y,Z)] [sm N] [warp "
				   "N] [lane N]",
				   why))
			return false;
		out->logical |= r.has[C_KERNEL] || r.has[C_GRID] || r.has[C_BLOCK] || r.has[C_THREAD] || r.has[C_UID];
		out->block |= r.has[C_BLOCK] || r.has[C_THREAD] || r.has[C_UID];
		out->thread = r.has[C_THREAD] || r.has[C_UID];
		out->core = r.has[C_CORE];
		out->core_number = r.has[C_CORE] ? (uint32_t)r.number[C_CORE] : 0;
		out->physical = r.has[C_CORE] || r.has[C_WARP] || r.has[C_LANE];
		out->warp = r.has[C_WARP];
	}
	if (!out->logical && !out->physical) {
		out->has_thread = debug_focus_where(d, &out->w);
		return true;
	}
	struct debug_thread t = {0};
	out->has_thread = resolve(d, &r, &t) && debug_thread_where(d, &t, &out->w);
	/* a core without blocks is one, too */
	bool is_core = out->core && out->core_number < gpu_exec(d->g)->n_cores && !out->warp && !out->logical;
	return out->has_thread || is_core || debug_fail(why, "Invalid coordinates requested.");
}

#define COORDINATES                                                                                                                                   \
	"kernel {focus.launch}, grid {focus.grid}, block {focus.block}, thread {focus.thread}, device {focus.device}, sm {focus.core}, warp "          \
	"{focus.warp}, lane {focus.lane}"

/* Adds the focus with cuda-gdb's coordinates, and a sentence about them. */
static void describe_coordinates(struct debug *d, const struct debug_where *w, const char *line, struct report *answer)
{
	report_open(answer, "focus");
	describe_where(d, answer, w);
	report_number(answer, "grid", w->thread.launch + 1);
	report_number(answer, "device", 0);
	report_close(answer);
	report_line(answer, line);
}

static bool switch_to(struct debug *d, const struct debug_thread *t, struct report *answer)
{
	struct debug_where w;
	bool same = d->has_focus && debug_same_thread(t, &d->focus);
	if (same) {
		describe_focus(d, answer);
		report_say(answer, "CUDA focus unchanged.\n");
		return true;
	}
	if (!debug_focus_set(d, t) || !debug_focus_where(d, &w))
		return invalid(answer);
	describe_coordinates(d, &w, "[[Switching focus to CUDA " COORDINATES "]]\n", answer);
	if (w.state == DEBUG_THREAD_EXITED)
		return true;
	struct text shown = {0};
	debug_source_at(d, w.pc, &shown);
	report_text(answer, "source_text", text_str(&shown));
	report_line(answer, "{source_text}");
	text_free(&shown);
	return true;
}

static bool switch_by_text(struct debug *d, const char *args, const char *usage, struct report *answer, struct text *why)
{
	struct request r = {0};
	struct debug_thread t = {0};
	if (!parse_request(args, &r, usage, why))
		return false;
	if (!resolve(d, &r, &t))
		return invalid(answer);
	return switch_to(d, &t, answer);
}

bool command_focus(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	if (*scan_blanks(args))
		return switch_by_text(d, args, FOCUS_USAGE, answer, why);
	describe_focus(d, answer);
	debug_focus_line(d, report_prose(answer));
	return true;
}

/* Adds the coordinate that a word names. */
static void describe_coordinate(int word, const struct debug_where *w, struct report *answer)
{
	const char *const name = words[word].word;
	switch (words[word].c) {
	case C_KERNEL: report_number(answer, name, w->thread.launch); break;
	case C_GRID: report_number(answer, name, w->thread.launch + 1); break;
	case C_BLOCK: report_triple(answer, name, w->block_id); break;
	case C_THREAD: report_triple(answer, name, w->thread_id); break;
	case C_UID: report_number(answer, name, w->uid); break;
	case C_CORE: report_number(answer, name, w->core); break;
	case C_WARP: report_number(answer, name, w->warp); break;
	case C_LANE: report_number(answer, name, w->lane); break;
	default: report_number(answer, name, 0); break;
	}
}

/* The sentence of each word; the words are in the order of `words`. */
static const char *const word_lines[] = {"kernel {kernel}", "grid {grid}", "block {block}", "thread {thread}", "uid {uid}",
					 "device {device}", "core {core}", "sm {sm}",	    "warp {warp}",     "lane {lane}"};

/* `cuda kernel block thread`: the named coordinates, in the order asked. */
static bool show_words(struct debug *d, const char *s, struct report *answer, struct text *why)
{
	struct debug_where w;
	const char *comma = "";
	for (const char *p = scan_blanks(s); *p; p = scan_blanks(p))
		if (coordinate_word(&p) < 0)
			return debug_fail(why, "%s", CUDA_USAGE);
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "Focus is not set on any active CUDA kernel.");
	for (s = scan_blanks(s); *s; s = scan_blanks(s)) {
		int i = coordinate_word(&s);
		describe_coordinate(i, &w, answer);
		report_say(answer, "%s", comma);
		report_line(answer, word_lines[i]);
		comma = ", ";
	}
	report_say(answer, "\n");
	return true;
}

bool command_cuda(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	const char *s = args;
	if (*scan_blanks(args) && strpbrk(args, "0123456789"))
		return switch_by_text(d, args, CUDA_USAGE, answer, why);
	if (*scan_blanks(args))
		return show_words(d, s, answer, why);
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "Focus is not set on any active CUDA kernel.");
	describe_coordinates(d, &w, COORDINATES "\n", answer);
	return true;
}

bool focus_thread(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_thread t;
	struct debug_where w;
	uint64_t uid;
	const char *s = scan_blanks(args);
	if (!*s) {
		if (!debug_focus_where(d, &w))
			return debug_fail(why, "No thread selected");
		describe_coordinates(d, &w, "[[Current thread is uid {focus.uid} (" COORDINATES ")]]\n", answer);
		return true;
	}
	if (!isdigit((unsigned char)*s))
		return switch_by_text(d, args, "usage: thread [UID | thread (X,Y,Z) | block (X,Y,Z)]", answer, why);
	if (!scan_u64(&s, &uid) || !scan_end(s, why))
		return why->n ? false : debug_fail(why, "usage: thread [UID]");
	if (!debug_thread_of_uid(d, uid, &t))
		return debug_fail(why, "Unknown thread %llu.", (unsigned long long)uid);
	return switch_to(d, &t, answer);
}

/* ---- frames ---- */

static bool select_frame(struct debug *d, int64_t number, bool by_steps, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_shown_frame f = {0};
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "No stack.");
	if (number < 0)
		return debug_fail(why, "Bottom (innermost) frame selected; you can't go down.");
	if (!debug_shown_frame(d, &w, (uint64_t)number, &f))
		return by_steps ? debug_fail(why, "Initial frame selected; you can't go up.")
				: debug_fail(why, "No frame at level %lld.", (long long)number);
	d->frame = f.level;
	d->inlined = f.inlined;
	d->list_goes_on = false;
	report_open(answer, "frame");
	describe_frame(d, &w, &f, answer);
	report_close(answer);
	describe_frame_source(d, &f, answer);
	return true;
}

static bool move_frame(struct debug *d, const char *args, int direction, struct report *answer, struct text *why)
{
	int64_t n = 1;
	struct debug_where w;
	if (*scan_blanks(args) && !debug_eval_integer(d, args, &n, why))
		return false;
	if (n > 1000000 || n < -1000000)
		return debug_fail(why, "there are not so many frames");
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "No stack.");
	int64_t from = debug_selected_number(d, &w), to = from + direction * n;
	if (to < 0 && from > 0)
		to = 0; /* as far as it goes, like gdb */
	int64_t last = (int64_t)debug_shown_frames(d, &w) - 1;
	if (to > last && from < last)
		to = last;
	return select_frame(d, to, true, answer, why);
}

/* The innermost frame of a function, inlined ones included. */
static bool select_function(struct debug *d, const char *name, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_shown_frame f = {0};
	name = scan_blanks(name);
	if (!*name)
		return debug_fail(why, "Missing function name argument");
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "No stack.");
	uint32_t frames = debug_shown_frames(d, &w);
	for (uint32_t n = 0; n < frames && debug_shown_frame(d, &w, n, &f); n++) {
		const char *function = f.is_inlined ? f.function : f.frame.function->name;
		if (function && debug_name_fits(d, name, strlen(name), function))
			return select_frame(d, n, false, answer, why);
	}
	return debug_fail(why, "No frame for function \"%s\".", name);
}

bool focus_frame(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	int64_t n = debug_focus_where(d, &w) ? debug_selected_number(d, &w) : 0;
	args = scan_blanks(args);
	if (scan_word(&args, "function"))
		return select_function(d, args, answer, why);
	if (scan_word(&args, "level") && !*scan_blanks(args))
		return debug_fail(why, "usage: frame level N");
	if (*scan_blanks(args) && !debug_eval_integer(d, args, &n, why))
		return false;
	return select_frame(d, n, false, answer, why);
}

bool command_up(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return move_frame(d, args, 1, answer, why);
}

bool command_down(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return move_frame(d, args, -1, answer, why);
}
