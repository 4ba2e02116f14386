/* Serves calls: dispatches to handlers, repeats waiting calls, and decides when the machine runs. */
#include <string.h>
#include <time.h>

#include "server/channel/channel.h"
#include "server/channel/ring.h"
#include "server/internal.h"
#include "server/memory/memory.h"
#include "server/stream/deferred.h"
#include "server/stream/stream.h"
#include "debug/findings/findings.h"
#include "debug/stop/face_access.h"

#define SPIN_NS 50000 /* time of polling for calls before sleeping */
#define IDLE_MS \
	3 /* CPU time of the program without a call after which launched work runs: the program may poll memory */
#define QUIET_MS \
	100 /* time of sleep with the same effect; time spent ready to run doesn't count, as the host's load must not affect the simulation */
#define IDLE_CYCLES 100000 /* cycles to run before checking the program again */
#define LOOK_CYCLES \
	20000 /* cycles between checks for calls of other threads, and for the program's end, during a long kernel */
#define LOOK_STEPS 2000000 /* as LOOK_CYCLES, in steps of functional mode */
#define POLL_NS 1000000	   /* time between checks for connecting and ended processes while the debugger is busy */
#define LOOK_MS 200	   /* time between checks for interrupts and other events without a descriptor */

/* ---- a single call ---- */

/* Prints the device's output through the calling program before its call returns. */
static void print_output(struct server_call *c)
{
	struct server_context *of = &c->server->context[c->client->context];
	struct text *t = &of->output, *more = gpu_output(c->server->gpu);
	debug_flush_printf(c->server->dbg, c->client->context);
	if (more->n)
		text_addn(t, more->s, more->n);
	text_clear(more);
	if (t->n)
		channel_print(c, false, t->s, t->n);
	text_clear(t);
	if (of->errors.n)
		channel_print(c, true, of->errors.s, of->errors.n);
	text_clear(&of->errors);
}

static void answer_call(struct server_call *c, const struct server_handler *r, enum wire_call call, uint32_t status,
			const void *out)
{
	c->slot->busy = false;
	if (!r->waits) {
		if (status && !c->server->context[c->client->context].error)
			context_fail(c->server, c->client->context, status, "work that doesn't wait was refused");
		return;
	}
	if (call == CALL_synchronize || call == CALL_copy || call == CALL_event_synchronize || call == CALL_reset)
		print_output(c);
	if (call != CALL_entered)
		history_told(session_history(c->server->session));
	channel_answer(c->client, c->index, status, out, status ? 0 : r->n_out);
}

/* Returns true for calls that are served after the context has failed, too. */
static bool serves_failed(uint32_t call)
{
	return call == CALL_reset || call == CALL_device || call == CALL_entered || call == CALL_goodbye || call == CALL_failed;
}

/* Serves the call in a slot's message. The slot stays busy if the call has to wait. first: the call wasn't served before. */
static void serve_slot(struct server *c, struct server_client *client, uint32_t i, bool first)
{
	_Alignas(16) char out[WIRE_OUT_BYTES];
	struct server_slot *s = &client->slot[i];
	const struct wire_message *m = (const struct wire_message *)s->message;
	const char *in = (const char *)(m + 1);
	const struct server_handler *r = &c->handlers[m->call];
	struct server_call call = {.server = c, .client = client, .slot = s, .index = i, .first = first};
	uint32_t status = WIRE_INVALID_VALUE;
	if (first) {
		s->tag = 0;
		s->has_turn = false;
	}
	if (m->payload <= m->bytes && ring_message_bytes(r->n_in, m->payload) == m->bytes) {
		call.payload = in + r->n_in;
		call.n_payload = m->payload;
		s->until = UINT64_MAX;
		s->patient = false;
		memset(out, 0, r->n_out);
		const uint32_t error = c->context[client->context].error;
		s->busy = r->waits; /* its thread waits meanwhile */
		c->serving = client->context;
		status = error && !serves_failed(m->call) ? error : r->serve(&call, in, out);
	}
	s->busy = true;
	if (status != SERVER_AGAIN)
		server_note_answer(s, r, status);
	if (server_called_from(&call))
		c->last_call = (struct server_place){server_called_from(&call), client->context};
	if (status != SERVER_AGAIN)
		answer_call(&call, r, (enum wire_call)m->call, status, out);
}

static bool resets(const struct server_slot *s)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	return m->call == CALL_reset;
}

void server_answer_failed(struct server *c, uint32_t context)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && c->client[k].context == context && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy && !resets(&c->client[k].slot[i]))
				serve_slot(c, &c->client[k], i, false);
}

/* ---- all of them ---- */

struct round {
	bool any;	/* true if a call was served */
	bool waits;	/* true if a call waits for the machine */
	uint64_t until; /* the earliest cycle a call waits for */
};

static void serve_client(struct server *c, struct server_client *k, struct round *r)
{
	const uint32_t n = atomic_load(&k->shared->slots) < WIRE_SLOTS ? atomic_load(&k->shared->slots) : WIRE_SLOTS;
	for (uint32_t i = 0; i < n; i++) {
		if (k->slot[i].busy) {
			serve_slot(c, k, i, false);
			r->any |= !k->slot[i].busy;
		}
		while (!k->slot[i].busy && !debug_host_has_event(c->dbg) && !debug_host_stops(c->dbg) &&
		       channel_next_message(k, i)) {
			serve_slot(c, k, i, true);
			r->any = true;
		}
		if (k->slot[i].busy && !k->slot[i].patient) {
			r->waits = true;
			r->until = k->slot[i].until < r->until ? k->slot[i].until : r->until;
		}
	}
}

static struct round serve_all(struct server *c)
{
	struct round r = {.until = UINT64_MAX};
	const uint32_t wants = (debug_checks_races(c->dbg) ? WIRE_WANTS_GUARDS : 0) | (debug_wants_calls(c->dbg) ? WIRE_WANTS_CALLS : 0) | (debug_settings(c->dbg)->breaks_on_exit ? WIRE_WANTS_END : 0);
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0) {
			atomic_store(&c->client[k].shared->wants, wants);
			serve_client(c, &c->client[k], &r);
		}
	return r;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Waits for a call. Returns false if none arrived in that time. */
static bool wait_for_call(struct server *c, int milliseconds)
{
	const uint64_t begin = now_ns();
	do {
		for (unsigned k = 0; k < 64; k++) {
			if (channel_has_message(c))
				return true;
			ring_pause();
		}
	} while (now_ns() - begin < SPIN_NS);
	channel_wait(c, milliseconds);
	return channel_has_message(c);
}

/* Returns the CPU time of all processes of the program. */
static uint64_t program_cpu_ns(const struct server *c)
{
	uint64_t sum = 0;
	clockid_t clock;
	struct timespec t;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && !clock_getcpuclockid(c->client[k].pid, &clock) &&
		    !clock_gettime(clock, &t))
			sum += (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	return sum;
}

static void note_call(struct server *c)
{
	c->call_at = now_ns();
	c->call_cpu = program_cpu_ns(c);
}

static bool any_runnable(const struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && channel_is_runnable(&c->client[k]))
			return true;
	return false;
}

static bool has_computed(const struct server *c, uint64_t milliseconds)
{
	return program_cpu_ns(c) - c->call_cpu >= milliseconds * 1000000;
}

static bool has_slept(const struct server *c)
{
	return now_ns() - c->call_at >= QUIET_MS * UINT64_C(1000000) && !any_runnable(c);
}

/* Returns whether the program computes or sleeps instead of making calls. */
static bool is_program_idle(const struct server *c) { return has_computed(c, IDLE_MS) || has_slept(c); }

/* Returns whether the program has been idle so long that the host's timing doesn't matter. */
static bool is_program_quiet(const struct server *c) { return has_computed(c, QUIET_MS) || has_slept(c); }

/* Shows the user the device output that the program never waited for, which CUDA loses. */
static void show_lost_output(struct server *c)
{
	struct text all = {0}, *later = gpu_output(c->gpu);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++) {
		text_add(&all, text_str(&c->context[k].output));
		text_clear(&c->context[k].output);
	}
	gpu_hold_printf(c->gpu, false);
	text_add(&all, text_str(later));
	text_clear(later);
	if (all.n)
		server_say(c, "note: the program ended without waiting for what its kernels printed, which CUDA loses:");
	text_add(later, text_str(&all));
	text_free(&all);
}

static enum debug_fed program_ended(struct server *c, struct debug_stop *stop)
{
	shared_journal_writes(c);
	channel_poll(c);
	channel_drop_all(c);
	show_lost_output(c);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		text_clear(&c->context[k].errors);
	stop->reason = DEBUG_STOP_ENDED;
	stop->program_status = c->status;
	stop->is_signalled = c->ended_by_signal;
	program_ended_text(c, &stop->text);
	return DEBUG_FED_STOP;
}

static enum debug_fed stop_interrupted(const struct round *r, struct debug_stop *stop)
{
	stop->reason = DEBUG_STOP_INTERRUPTED;
	text_add(&stop->text, r->waits ? "Interrupted\n" : "Interrupted: the program is running host code\n");
	return DEBUG_FED_STOP;
}

/* Returns whether modules were loaded or unloaded since the last check, and the debugger stops at loads. */
static bool has_loaded(struct server *c)
{
	const uint32_t step = gpu_program(c->gpu)->step;
	const bool loaded = step != c->program_step;
	c->program_step = step;
	return loaded && debug_settings(c->dbg)->stops_at_loads;
}

/* Prepares a run: journals the program's writes to shared memory, or restarts history if they aren't known. alone: no thread of the program runs
 * during the run. */
static enum debug_fed resume_machine(struct server *c, bool has_run, bool alone)
{
	struct history *h = session_history(c->session);
	if (!history_journal(h) || !shared_has_pieces(c))
		return DEBUG_FED;
	if (has_run && !shared_journal_writes(c))
		history_begin_here(
			h, "The program shares memory with the device: what it wrote before this launch isn't kept.");
	c->runs_alone = alone && !channel_program_computes(c) && (has_run || c->runs_alone);
	c->has_run = true;
	return DEBUG_FED;
}

/* Takes a snapshot of shared memory after a run. */
static void note_machine_ran(struct server *c)
{
	const bool side_by_side = c->answered_at && c->answered_at != gpu_cycle(c->gpu) + 1;
	if (c->has_run || side_by_side)
		shared_take_snapshot(c, c->runs_alone && !side_by_side);
	c->has_run = false;
	c->answered_at = 0;
}

/* Notes that a thread of the program resumes while the machine runs, and takes a snapshot of shared memory if needed. */
static void note_parallel_answer(struct server *c)
{
	note_machine_ran(c);
	c->answered_at = gpu_cycle(c->gpu) + 1;
}

/* Accepts connecting processes and drops ended ones, at intervals, while the debugger is busy. */
static void poll_processes(struct server *c)
{
	const uint64_t now = now_ns();
	if (now - c->polled_at < POLL_NS)
		return;
	channel_poll(c);
	c->polled_at = now;
}

#define SHARED_LOOK_NS 10000000

/* Prints a note, once in a run of the program, that its threads and a kernel use the same memory concurrently, so runs may differ. */
static void note_shared_use(struct server *c)
{
	const uint64_t now = now_ns();
	if (!c->uses_shared || c->has_said_shared || !c->setup.argv)
		return;
	c->uses_shared = gpu_has_work(c->gpu);
	if (!c->uses_shared || now - c->looked_at < SHARED_LOOK_NS)
		return;
	c->looked_at = now;
	c->has_said_shared = c->is_unattended || channel_program_computes(c);
	if (c->has_said_shared)
		server_say(c, "note: threads of the program and a kernel use the same memory at the same time: the host "
			    "decides "
			    "when each sees the other's writes, so cycles and results may differ from run to run");
}

enum debug_fed server_feed(void *self, uint64_t *until, struct debug_stop *stop)
{
	struct server *c = self;
	terminal_hand_over(c->terminal);
	note_machine_ran(c);
	note_shared_use(c);
	for (bool served = false;;) {
		poll_processes(c);
		const struct round r = serve_all(c);
		served |= r.any;
		const bool has_work = gpu_has_work(c->gpu) && !deferred_calls_program(c);
		if (has_loaded(c) || *session_interrupt(c->session)) {
			shared_journal_writes(c);
			return *session_interrupt(c->session) ? stop_interrupted(&r, stop) : DEBUG_FED_STOP;
		}
		if (debug_host_stops(c->dbg) || debug_host_has_event(c->dbg))
			return DEBUG_FED;
		if (r.any || !has_work)
			c->spins_since = 0;
		if (r.waits && has_work) {
			if (program_has_ended(c))
				return program_ended(c, stop);
			const uint64_t look =
				gpu_cycle(c->gpu) + (gpu_is_performance(c->gpu) ? LOOK_CYCLES : LOOK_STEPS);
			*until = r.until < look ? r.until : look;
			gpu_hold_time(c->gpu, false);
			c->is_unattended = false;
			return resume_machine(c, served, true);
		}
		if (r.any && has_work)
			note_call(c);
		if (r.any || wait_for_call(c, has_work ? IDLE_MS : LOOK_MS))
			continue;
		if (program_has_ended(c))
			return program_ended(c, stop);
		if (has_work && is_program_idle(c)) {
			*until = gpu_cycle(c->gpu) + IDLE_CYCLES;
			gpu_hold_time(c->gpu, !is_program_quiet(c));
			c->is_unattended = true;
			return resume_machine(c, served, false);
		}
	}
}

static bool any_waits(const struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy && !c->client[k].slot[i].patient)
				return true;
	return false;
}

#define SPIN_S 60  /* seconds after which a program won't write any more */
#define OTHERS_S 5 /* seconds after which a program without shared memory won't launch what would help */

static bool answer_queries(struct server *c)
{
	bool any = false;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		any |= c->client[k].socket >= 0 && stream_answer_queries(&c->client[k]);
	return any;
}

/* A program that computes may still launch what the device waits for. */
bool server_may_end_spin(void *self)
{
	struct server *c = self;
	const uint64_t now = now_ns();
	const bool computes_only = !any_waits(c);
	const uint64_t seconds = shared_has_pieces(c) ? SPIN_S : channel_program_computes(c) ? OTHERS_S : 0;
	if (answer_queries(c) || channel_has_message(c))
		return true;
	if (!computes_only && !seconds)
		return false;
	c->spins_since = c->spins_since ? c->spins_since : now;
	channel_wait(c, 1); /* lets the program have the processor */
	return computes_only || now - c->spins_since < seconds * 1000000000u;
}

/* ---- failures ---- */

static uint32_t error_of(const struct debug_stop *s)
{
	if (s->reason != DEBUG_STOP_EXCEPTION)
		return WIRE_LAUNCH_TIMEOUT;
	switch (s->fault) {
	case EXEC_FAULT_ILLEGAL_ADDRESS:
	case EXEC_FAULT_LANE_ILLEGAL_ADDRESS:
	case EXEC_FAULT_OUT_OF_RANGE: return WIRE_ILLEGAL_ADDRESS;
	case EXEC_FAULT_MISALIGNED: return WIRE_MISALIGNED_ADDRESS;
	case EXEC_FAULT_INVALID_ADDRESS_SPACE: return WIRE_INVALID_ADDRESS_SPACE;
	case EXEC_FAULT_INVALID_PC: return WIRE_INVALID_PC;
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW: return WIRE_STACK_OVERFLOW;
	case EXEC_FAULT_ILLEGAL_INSTRUCTION: return WIRE_ILLEGAL_INSTRUCTION;
	case EXEC_FAULT_ASSERT: return WIRE_ASSERTION;
	default: return WIRE_LAUNCH_FAILED;
	}
}

/* Returns a mask of the failed contexts: of the launch with the exception, or for a deadlock or limit all that run. */
static uint32_t failed_contexts(const struct server *c, const struct debug_stop *failure)
{
	struct gpu_launch_info l;
	if (failure->reason == DEBUG_STOP_EXCEPTION && gpu_launch_get(c->gpu, failure->launch, &l))
		return UINT32_C(1) << l.launch.context;
	const uint32_t running = gpu_contexts_running(c->gpu);
	return running ? running : gpu_contexts(c->gpu);
}

void server_deliver(void *self, const struct debug_stop *failure)
{
	struct server *c = self;
	const uint32_t failed = failed_contexts(c, failure);
	struct text cause = {0};
	debug_failure_text(c->dbg, failure, &cause);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++) {
		if (!(failed >> k & 1))
			continue;
		if (failure->reason == DEBUG_STOP_EXCEPTION && failure->fault == EXEC_FAULT_ASSERT)
			text_add(&c->context[k].errors, gpu_assert_lines(c->gpu));
		context_fail(c, k, error_of(failure), text_str(&cause));
	}
	text_free(&cause);
}

/* ---- operations of streams ---- */

bool server_operation(void *self, uint64_t tag)
{
	struct server *c = self;
	const enum deferred_turn turn = deferred_calls_program(c) ? DEFERRED_PENDING : deferred_run(c, tag);
	if (turn != DEFERRED_UNKNOWN)
		return turn == DEFERRED_DONE;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++) {
			struct server_slot *s = &c->client[k].slot[i];
			if (!s->busy || s->tag != tag)
				continue;
			s->has_turn = true;
			note_parallel_answer(c);
			serve_slot(c, &c->client[k], i, false);
			return true;
		}
	return true; /* no call waits for it any more */
}
