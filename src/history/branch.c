/* A second way from the beginning of a launch on: found by running again up to there, then run with other inputs. */
#include "history/branch.h"

#include <stdio.h>
#include <string.h>

#include "debug/stop/stop.h"

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

/* ---- where the ways part ---- */

static bool has_begun(const struct history *h, uint32_t id)
{
	struct gpu_launch_info l;
	return gpu_launch_get(h->g, id, &l) && l.state != GPU_LAUNCH_QUEUED;
}

static bool is_queued(const struct history *h, uint32_t id)
{
	struct gpu_launch_info l;
	return gpu_launch_get(h->g, id, &l) && l.state == GPU_LAUNCH_QUEUED;
}

bool history_go_before_launch(struct history *h, uint32_t id, const struct history_position *limit)
{
	for (size_t k = snapshot_before(h, limit, false); k<h->n_snaps; k = k> 8 ? k - k / 4 : k - 1) {
		if (!snapshot_go_back(h, k))
			return false;
		if (!has_begun(h, id))
			return true;
	}
	return false;
}

/* One request; what it would stop at is passed. */
static void run_some(struct history *h, const struct gpu_moment *until, bool *pass, struct gpu_event *ev)
{
	struct gpu_request q = {.max_cycles = UINT64_MAX,
				.until = until,
				.pass = *pass,
				.stop_launch = true,
				.interrupt = h->interrupt};
	*ev = (struct gpu_event){0};
	gpu_run(h->g, &q, ev);
	text_free(&ev->text);
	text_clear(gpu_output(h->g));
	*pass = ev->kind == GPU_EVENT_ACCESS && !ev->atomic_lanes;
	*pass |= ev->kind == GPU_EVENT_FAULT && gpu_exec(h->g)->fault.kind == EXEC_FAULT_BREAKPOINT;
}

static bool goes_on(const struct gpu_event *ev, bool pass)
{
	return pass || ev->kind == GPU_EVENT_KERNEL_DONE || ev->kind == GPU_EVENT_OUTPUT || ev->kind == GPU_EVENT_DUE ||
	       ev->kind == GPU_EVENT_MARK || ev->kind == GPU_EVENT_ACCESS || ev->kind == GPU_EVENT_LAUNCHED;
}

/* Through inputs and the ends of other launches, as long as this one waits. */
static bool find_last_wait(struct history *h, uint32_t id, const struct history_position *limit,
			   struct history_position *at)
{
	bool found = false, pass = false;
	unsigned stands = 0;
	while (!has_begun(h, id) && stands < 4) {
		struct gpu_event ev;
		const bool has_input = h->input < limit->input;
		const struct gpu_moment *next = has_input ? &h->journal.entry[h->input]->at : &limit->at;
		struct gpu_moment now;
		gpu_moment_now(h->g, &now);
		if (has_input && gpu_moment_is(&now, next)) {
			if (!replay_input(h))
				return false;
		} else {
			run_some(h, next, &pass, &ev);
			stands = goes_on(&ev, pass) ? 0 : stands + 1;
			gpu_moment_now(h->g, &now);
			if (!has_input && gpu_moment_is(&now, next))
				break;
		}
		if (is_queued(h, id)) {
			found = true;
			history_now(h, at);
		}
	}
	return found;
}

static bool go_there(struct history *h, uint32_t id, const struct history_position *limit, struct history_position *at)
{
	struct gpu_unseen unseen;
	if (!history_go_before_launch(h, id, limit))
		return false;
	gpu_unseen_begin(h->g, &unseen);
	const bool found = find_last_wait(h, id, limit, at);
	gpu_unseen_end(h->g, &unseen);
	const size_t k = found ? snapshot_before(h, at, false) : h->n_snaps;
	return k < h->n_snaps && snapshot_go_back(h, k) &&
	       replay(h, &(struct replay){.to = at, .cycle = UINT64_MAX}) == REPLAY_LIMIT;
}

/* ---- the other way ---- */

/* The inputs of both up to where they part. */
static void copy_ways(const struct history *h, const struct history_position *from, struct journal *other)
{
	for (size_t k = 0; k < from->input; k++)
		journal_append(other, h->journal.entry[k]);
}

static void swap_ways(struct history *h, struct history_branch *b)
{
	const struct journal was = h->journal;
	h->journal = b->other;
	b->other = was;
	b->taken = !b->taken;
	h->is_on_branch = b->taken;
}

static bool add_input(struct history *h, const struct gpu_input *in, struct text *why)
{
	struct gpu_moment at;
	gpu_moment_now(h->g, &at);
	const int64_t result = gpu_input(h->g, in, why);
	journal_add(&h->journal, h->g, in, &at, result);
	h->input++;
	return result == 1;
}

static bool is_over(const struct history *h, uint32_t id)
{
	struct gpu_launch_info l;
	return gpu_launch_get(h->g, id, &l) && l.state >= GPU_LAUNCH_DONE;
}

static void note_failure(const struct history *h, const struct gpu_event *ev, char *out, size_t n)
{
	const char *what = ev->kind == GPU_EVENT_FAULT	    ? stop_exception_name(gpu_exec(h->g)->fault.kind)
			   : ev->kind == GPU_EVENT_DEADLOCK ? "Deadlock"
			   : ev->kind == GPU_EVENT_LIMIT    ? "a limit is reached"
							    : "its program would have to do something first";
	snprintf(out, n, "%s", what);
}

/* False: interrupted. */
static bool run_to_end(struct history *h, uint32_t id, char *failure, size_t n)
{
	struct gpu_unseen unseen;
	struct gpu_event ev;
	bool pass = false;
	gpu_unseen_begin(h->g, &unseen);
	do
		run_some(h, NULL, &pass, &ev);
	while (!is_over(h, id) && goes_on(&ev, pass));
	if (!is_over(h, id))
		note_failure(h, &ev, failure, n);
	gpu_unseen_end(h->g, &unseen);
	return ev.kind != GPU_EVENT_INTERRUPT;
}

bool history_branch_make(struct history *h, uint32_t id, enum gpu_mode mode, const struct gpu_schedule_spec *order,
			 const struct history_position *limit, struct history_branch *b, struct text *why)
{
	struct text refused = {0};
	*b = (struct history_branch){.taken = false};
	if (!go_there(h, id, limit, &b->from)) {
		text_addf(why, "what was recorded doesn't lead back to where launch %u began", id);
		return false;
	}
	copy_ways(h, &b->from, &b->other);
	swap_ways(h, b);
	bool ok = add_input(h, &(struct gpu_input){.kind = GPU_INPUT_MODE, .mode = {id, mode}}, &refused);
	ok = ok &&
	     (!order || add_input(h, &(struct gpu_input){.kind = GPU_INPUT_SCHEDULE, .schedule = *order},
				  &refused));
	text_free(&refused);
	ok = ok && run_to_end(h, id, b->failure, sizeof b->failure);
	history_now(h, &b->end);
	return ok || fail(why, h->interrupt && *h->interrupt ? "interrupted" : "the launch can't be run another way");
}

bool history_branch_take(struct history *h, struct history_branch *b, bool taken)
{
	const size_t k = snapshot_before(h, &b->from, false);
	if (taken == b->taken)
		return true;
	if (k == h->n_snaps || !snapshot_go_back(h, k))
		return false;
	swap_ways(h, b);
	return true;
}

void history_branch_free(struct history_branch *b) { journal_free(&b->other); }
