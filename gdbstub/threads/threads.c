/* gdb's threads: one per lane of the exposed blocks, and one that stands for the host while no kernel runs. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/stop/run.h"
#include "debug/view/functions.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/threads/room.h"

uint64_t thread_tid(struct stub *s, uint64_t uid)
{
	if (uid < STUB_ALIAS_TID)
		return uid;
	for (size_t i = 0; i < s->threads->n_aliases; i++)
		if (s->threads->aliases[i] == uid)
			return STUB_ALIAS_TID + i;
	s->threads->aliases = xgrow(s->threads->aliases, &s->threads->cap_aliases, s->threads->n_aliases + 1,
				    sizeof *s->threads->aliases);
	s->threads->aliases[s->threads->n_aliases] = uid;
	return STUB_ALIAS_TID + s->threads->n_aliases++;
}

bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid)
{
	*uid = tid;
	if (tid < STUB_ALIAS_TID)
		return tid != 0;
	if (tid - STUB_ALIAS_TID >= s->threads->n_aliases)
		return false;
	*uid = s->threads->aliases[tid - STUB_ALIAS_TID];
	return true;
}

bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w)
{
	struct debug_thread t;
	uint64_t uid;
	return thread_uid(s, tid, &uid) && uid <= STUB_UID_MAX && debug_thread_of_uid(s->d, uid, &t) &&
	       debug_thread_where(s->d, &t, w);
}

uint32_t thread_live_lanes(const struct debug_where *w)
{
	if (w->w)
		return w->w->state == EXEC_WARP_DONE ? 0 : w->w->lanes & ~w->w->exited;
	return w->state != DEBUG_THREAD_WAITING ? 0 : w->warp_lanes;
}

/* Its lanes stay visible as exited ones while their block is there. */
static bool has_gone(struct stub *s, const struct debug_where *w)
{
	struct gpu_launch_info info;
	return (w->state == DEBUG_THREAD_EXITED && w->slot < 0) ||
	       !gpu_launch_get(debug_gpu(s->d), w->thread.launch, &info) || info.state == GPU_LAUNCH_KILLED;
}

/* A thread that gdb has selected never ends for it, or gdb would refuse to go on. */
bool thread_exists(struct stub *s, uint64_t tid)
{
	struct debug_where w;
	if (tid == lanes_stop_thread(s->lanes) || tid == s->tid_g || (tid && tid == lanes_selected_thread(s->lanes)))
		return true;
	if (tid == STUB_HOST_TID)
		return !debug_can_run(s->d);
	return thread_where(s, tid, &w) && !has_gone(s, &w);
}

uint64_t thread_of_focus(struct stub *s)
{
	struct debug_where w;
	if (!debug_can_run(s->d) || !debug_focus_where(s->d, &w) || w.uid > STUB_UID_MAX || has_gone(s, &w))
		return STUB_HOST_TID;
	return thread_tid(s, w.uid);
}

static void thread_name(const struct debug_where *w, struct text *out)
{
	text_addf(out, "block (%u,%u,%u) thread (%u,%u,%u) warp %u lane %u", w->block_id[0], w->block_id[1],
		  w->block_id[2], w->thread_id[0], w->thread_id[1], w->thread_id[2], w->warp_index, w->lane);
}

/* What a lane does, for `info threads`. `active`: lanes of the top of its warp's SIMT stack. */
static const char *state_word(const struct debug_where *w, unsigned lane, uint32_t active)
{
	if (w->slot < 0)
		return w->state == DEBUG_THREAD_WAITING ? "not started" : "exited";
	if (w->w->state == EXEC_WARP_DONE || w->w->state == EXEC_WARP_UNUSED || (w->w->exited >> lane & 1))
		return "exited";
	if (w->w->barrier_lanes >> lane & 1)
		return "at barrier";
	return active >> lane & 1 ? "active" : "inactive";
}

/* Returns the name of the kernel that a thread belongs to. */
static const char *kernel_name(const struct stub *s, const struct debug_where *w)
{
	const struct isa_program *p = stub_program(s);
	return w->launch.function < p->n_functions ? debug_function_name(s->d, p->functions[w->launch.function]) : "";
}

/* Appends the kernel's name, and before it a comma, as XML. */
static void kernel_xml(const struct stub *s, const struct debug_where *w, struct text *out)
{
	text_add(out, ", ");
	for (const char *c = kernel_name(s, w); *c; c++)
		if (*c == '<')
			text_add(out, "&lt;");
		else if (*c == '&')
			text_add(out, "&amp;");
		else
			text_addc(out, *c);
}

static void thread_head(struct stub *s, const struct debug_where *w, struct text *out)
{
	text_addf(out, "<thread id=\"%llx\" core=\"%u\" name=\"", (unsigned long long)thread_tid(s, w->uid), w->core);
	thread_name(w, out);
	text_add(out, "\">");
}

static void thread_row(struct stub *s, const struct debug_where *w, struct text *out)
{
	thread_head(s, w, out);
	text_add(out, state_word(w, w->lane, debug_active_lanes(s->d, w)));
	kernel_xml(s, w, out);
	text_add(out, "</thread>");
}

static void thread_or_host(struct stub *s, uint64_t tid, struct text *out)
{
	struct debug_where w;
	if (tid != STUB_HOST_TID && thread_where(s, tid, &w))
		thread_row(s, &w, out);
	else
		text_addf(out, "<thread id=\"%llx\" name=\"host\">%s</thread>", (unsigned long long)tid,
			  debug_can_run(s->d) ? "waits for the kernel" : "no kernel");
}

void thread_extra(struct stub *s, uint64_t tid, struct text *out)
{
	struct debug_where w;
	if (!thread_where(s, tid, &w)) {
		text_add(out, "host");
		return;
	}
	thread_name(&w, out);
	text_addf(out, ", %s, %s", state_word(&w, w.lane, debug_active_lanes(s->d, &w)), kernel_name(s, &w));
}

/* What stays the same of the rows of a block is kept: gdb asks for them at every stop. */
static struct thread_heads *heads_of(struct stub *s, const struct debug_where *first)
{
	struct thread_heads *h = &s->threads->heads[first->thread.cta % STUB_HEADS];
	struct debug_thread t = first->thread;
	struct debug_where w;
	uint32_t n = first->launch.threads_per_cta;
	if (h->uid == first->uid && h->n == n && h->core == first->core)
		return h;
	text_clear(&h->text);
	text_clear(&h->brief);
	text_clear(&h->plain);
	h->end = xrealloc(h->end, n * sizeof *h->end);
	h->brief_end = xrealloc(h->brief_end, n * sizeof *h->brief_end);
	h->uid = first->uid;
	h->core = first->core;
	h->n = n;
	for (t.thread = 0; t.thread < n && debug_thread_where(s->d, &t, &w); t.thread++) {
		thread_head(s, &w, &h->text);
		h->end[t.thread] = h->text.n;
		text_addf(&h->brief, "<thread id=\"%llx\"/>", (unsigned long long)thread_tid(s, w.uid));
		h->brief_end[t.thread] = h->brief.n;
		text_addf(&h->plain, "%llx,", (unsigned long long)thread_tid(s, w.uid));
	}
	return h;
}

/* Of a warp whose first thread is `t`. */
static void warp_rows(struct stub *s, const struct thread_heads *h, struct debug_thread t, struct text *out)
{
	struct debug_where w;
	if (!debug_thread_where(s->d, &t, &w))
		return;
	uint32_t active = debug_active_lanes(s->d, &w);
	for (unsigned lane = 0; lane < LANES && t.thread < h->n; lane++, t.thread++) {
		size_t from = t.thread ? h->end[t.thread - 1] : 0;
		text_addn(out, h->text.s + from, h->end[t.thread] - from);
		text_add(out, state_word(&w, lane, active));
		kernel_xml(s, &w, out);
		text_add(out, "</thread>");
	}
}

/* Numbers of the threads [first, end) of the block and nothing else. */
static void brief_rows(const struct thread_heads *h, uint32_t first, uint32_t end, struct text *out)
{
	size_t from = first ? h->brief_end[first - 1] : 0;
	if (first < end)
		text_addn(out, h->brief.s + from, h->brief_end[end - 1] - from);
}

/* A list being made. */
struct list {
	struct stub *s;
	struct text *out;
	bool brief;
	bool plain;		  /* numbers, with a comma after each, instead of XML */
	bool has_g, has_reported; /* the threads gdb has selected and that was reported are among the rows */
};

static bool in_block(const struct stub *s, uint64_t tid, const struct thread_heads *h, uint64_t *uid)
{
	return thread_uid(s, tid, uid) && *uid >= h->uid && *uid - h->uid < h->n;
}

/* Threads of one block. */
static void block_rows(struct list *l, struct debug_thread t)
{
	struct stub *s = l->s;
	struct debug_where w;
	uint64_t uid;
	if (!debug_thread_where(s->d, &t, &w) || has_gone(s, &w) || w.uid + w.launch.threads_per_cta > STUB_UID_MAX)
		return;
	const struct thread_heads *h = heads_of(s, &w);
	l->has_g |= in_block(s, s->tid_g, h, &uid);
	bool has_reported = in_block(s, lanes_stop_thread(s->lanes), h, &uid);
	l->has_reported |= has_reported;
	if (l->plain) {
		text_addn(l->out, h->plain.s, h->plain.n);
		return;
	}
	if (l->brief) {
		brief_rows(h, 0, has_reported ? (uint32_t)(uid - h->uid) : h->n, l->out);
		if (has_reported) {
			thread_or_host(s, lanes_stop_thread(s->lanes), l->out);
			brief_rows(h, (uint32_t)(uid - h->uid) + 1, h->n, l->out);
		}
		return;
	}
	for (t.thread = 0; t.thread < h->n; t.thread += LANES)
		warp_rows(s, h, t, l->out);
}

#define EXPOSED_MAX 4096u /* gdb's work grows with the square of it */
#define BRIEF_FROM 64u	  /* threads; fewer don't matter */
#define XML_MAX 128u	  /* threads a block */

/* Returns how many blocks are listed when the focus is in a block of this launch. */
static uint32_t blocks_listed(const struct stub *s, const struct debug_where *w)
{
	const uint32_t most = EXPOSED_MAX / w->launch.threads_per_cta, wanted = s->threads->expose_blocks;
	return wanted > most && most ? most : wanted;
}

bool threads_are_listed(const struct stub *s, const struct debug_thread *focus, const struct debug_thread *t)
{
	struct debug_where w;
	if (t->launch != focus->launch || !debug_thread_where(s->d, focus, &w))
		return false;
	const uint32_t n = blocks_listed(s, &w);
	return t->cta / n == focus->cta / n;
}

static void focus_blocks(struct list *l)
{
	struct debug_thread focus;
	struct debug_where w;
	if (!debug_focus_get(l->s->d, &focus) || !debug_thread_where(l->s->d, &focus, &w))
		return;
	const uint32_t n = blocks_listed(l->s, &w);
	uint64_t first = focus.cta - focus.cta % n;
	l->brief = l->s->threads->brief && n * w.launch.threads_per_cta > BRIEF_FROM;
	for (uint32_t i = 0; i < n && first + i < w.launch.n_ctas; i++)
		block_rows(l, (struct debug_thread){.launch = focus.launch, .cta = first + i});
}

/* A thread that is in none of the blocks. */
static void single_row(struct list *l, uint64_t tid)
{
	if (l->plain)
		text_addf(l->out, "%llx,", (unsigned long long)tid);
	else
		thread_or_host(l->s, tid, l->out);
}

static void list_threads(struct list *l)
{
	struct stub *s = l->s;
	if (s->no_program) /* gdb would take them for a program it is attached to again */
		return;
	if (thread_of_focus(s) != STUB_HOST_TID)
		focus_blocks(l);
	else if (s->tid_g != STUB_HOST_TID && lanes_stop_thread(s->lanes) != STUB_HOST_TID)
		single_row(l, STUB_HOST_TID);
	if (!l->has_g)
		single_row(l, s->tid_g);
	if (!l->has_reported && lanes_stop_thread(s->lanes) != s->tid_g)
		single_row(l, lanes_stop_thread(s->lanes));
}

void threads_xml(struct stub *s, struct text *out)
{
	text_add(out, "<?xml version=\"1.0\"?>\n<threads>");
	list_threads(&(struct list){.s = s, .out = out});
	text_add(out, "</threads>");
	s->threads->brief = false;
}

void threads_plain(struct stub *s, struct text *out)
{
	list_threads(&(struct list){.s = s, .out = out, .plain = true});
	if (!s->no_program)
		out->s[--out->n] = '\0'; /* there is always one, with a comma after it */
}

bool threads_are_many(struct stub *s)
{
	struct gpu_launch_info info;
	uint32_t n = gpu_launch_count(debug_gpu(s->d));
	for (uint32_t id = 0; id < n; id++)
		if (gpu_launch_get(debug_gpu(s->d), id, &info) && info.state <= GPU_LAUNCH_RUNNING &&
		    info.launch.threads_per_cta > XML_MAX)
			return true;
	return false;
}

/* ---- the room ---- */

void threads_run(struct stub *s) { s->threads->brief = true; }
void threads_expose(struct stub *s, uint32_t blocks) { s->threads->expose_blocks = blocks; }
uint32_t threads_exposed(const struct stub *s) { return s->threads->expose_blocks; }
