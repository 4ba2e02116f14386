/* Serving calls: which handler, when again, and when the machine is to run. */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "cuda/channel/channel.h"
#include "cuda/channel/ring.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/later.h"
#include "cuda/stream/stream.h"
#include "debug/findings/findings.h"

#define SPIN_NS 50000 /* looked at so long after the last call before sleeping */
#define IDLE_MS \
	3 /* the program has computed for so long without a call: what was launched runs, it may be polling memory */
#define QUIET_MS 100	   /* or has slept: time in which it waits for a processor must not decide what is simulated */
#define IDLE_CYCLES 100000 /* so far, then it is looked again */
#define LOOK_CYCLES \
	20000 /* in a long kernel it is looked for calls of other threads, and whether the program still lives */
#define LOOK_STEPS 2000000 /* the same in functional mode */
#define POLL_NS 1000000	   /* processes that come and go are noticed so often while others keep the debugger busy */
#define LOOK_MS 200	   /* interrupts, and what else comes by no descriptor */

void cuda_say(struct cuda *c, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&line, fmt, ap);
	va_end(ap);
	text_addc(&line, '\n');
	session_note(c->session, text_str(&line));
	text_free(&line);
}

/* ---- one call ---- */

struct row {
	size_t n_in, n_out;
	bool waits;
	uint32_t (*serve)(struct cuda_call *c, const void *in, void *out);
};

#define WAITS true
#define LATER false
#define CALL(name, kind, arguments, results) \
	static uint32_t run_##name(struct cuda_call *c, const void *in, void *out) { return serve_##name(c, in, out); }
#include "cuda/channel/calls.def"
#undef CALL

static const struct row rows[CALLS] = {
#define CALL(name, kind, i, o) {sizeof(struct call_##name), sizeof(struct call_##name##_out), kind, run_##name},
#include "cuda/channel/calls.def"
#undef CALL
};

/* What the device has printed goes to the program before it goes on. */
static void print_output(struct cuda_call *c)
{
	struct cuda_context *of = &c->cuda->context[c->client->context];
	struct text *t = &of->output, *more = gpu_output(c->cuda->gpu);
	debug_flush_printf(c->cuda->dbg, c->client->context);
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

static void finish(struct cuda_call *c, const struct row *r, enum wire_call call, uint32_t status, const void *out)
{
	c->slot->busy = false;
	if (!r->waits) {
		if (status && !c->cuda->context[c->client->context].error)
			context_fail(c->cuda, c->client->context, status);
		return;
	}
	if (call == CALL_synchronize || call == CALL_copy || call == CALL_event_synchronize || call == CALL_reset)
		print_output(c);
	history_told(session_history(c->cuda->session));
	channel_answer(c->client, c->index, status, out, status ? 0 : r->n_out);
}

/* Serves the call in the slot's message; it stays busy if it has to wait. */
void cuda_serve_slot(struct cuda *c, struct cuda_client *client, uint32_t i, bool first)
{
	_Alignas(16) char out[WIRE_OUT_BYTES];
	struct cuda_slot *s = &client->slot[i];
	const struct wire_message *m = (const struct wire_message *)s->message;
	const char *in = (const char *)(m + 1);
	const struct row *r = &rows[m->call];
	struct cuda_call call = {.cuda = c, .client = client, .slot = s, .index = i, .first = first};
	uint32_t status = cudaErrorInvalidValue;
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
		s->busy = r->waits; /* its thread does nothing else meanwhile */
		c->serving = client->context;
		status = error && m->call != CALL_reset && m->call != CALL_device ? error : r->serve(&call, in, out);
	}
	s->busy = true;
	if (status != CUDA_AGAIN)
		finish(&call, r, (enum wire_call)m->call, status, out);
}

static bool resets(const struct cuda_slot *s)
{
	const struct wire_message *m = (const struct wire_message *)s->message;
	return m->call == CALL_reset;
}

void cuda_answer_failed(struct cuda *c, uint32_t context)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && c->client[k].context == context && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy && !resets(&c->client[k].slot[i]))
				cuda_serve_slot(c, &c->client[k], i, false);
}

uint32_t cuda_serve_kept(struct cuda_call *c)
{
	_Alignas(16) char out[WIRE_OUT_BYTES];
	const struct wire_message *m = (const struct wire_message *)c->slot->message;
	const char *in = (const char *)(m + 1);
	c->payload = in + rows[m->call].n_in;
	c->n_payload = m->payload;
	c->cuda->serving = c->client->context;
	return rows[m->call].serve(c, in, out);
}

/* ---- all of them ---- */

struct round {
	bool any;	/* something was served */
	bool waits;	/* a call waits for the machine */
	uint64_t until; /* the earliest cycle one waits for */
};

static void serve_client(struct cuda *c, struct cuda_client *k, struct round *r)
{
	const uint32_t n = atomic_load(&k->shared->slots) < WIRE_SLOTS ? atomic_load(&k->shared->slots) : WIRE_SLOTS;
	for (uint32_t i = 0; i < n; i++) {
		if (k->slot[i].busy) {
			cuda_serve_slot(c, k, i, false);
			r->any |= !k->slot[i].busy;
		}
		while (!k->slot[i].busy && channel_take(k, i)) {
			cuda_serve_slot(c, k, i, true);
			r->any = true;
		}
		if (k->slot[i].busy && !k->slot[i].patient) {
			r->waits = true;
			r->until = k->slot[i].until < r->until ? k->slot[i].until : r->until;
		}
	}
}

static struct round serve_all(struct cuda *c)
{
	struct round r = {.until = UINT64_MAX};
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0)
			serve_client(c, &c->client[k], &r);
	return r;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* False: no call came in that time. */
static bool wait_for_call(struct cuda *c, int milliseconds)
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

/* What the program's processes have computed. */
static uint64_t program_cpu_ns(const struct cuda *c)
{
	uint64_t sum = 0;
	clockid_t clock;
	struct timespec t;
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && !clock_getcpuclockid(c->client[k].pid, &clock) &&
		    !clock_gettime(clock, &t))
			sum += (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	return sum;
}

static void note_call(struct cuda *c)
{
	c->call_at = now_ns();
	c->call_cpu = program_cpu_ns(c);
}

static bool any_runnable(const struct cuda *c)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && channel_is_runnable(&c->client[k]))
			return true;
	return false;
}

static bool has_computed(const struct cuda *c, uint64_t milliseconds)
{
	return program_cpu_ns(c) - c->call_cpu >= milliseconds * 1000000;
}

static bool has_slept(const struct cuda *c)
{
	return now_ns() - c->call_at >= QUIET_MS * UINT64_C(1000000) && !any_runnable(c);
}

/* Is the program busy with something else than calls? */
static bool is_idle(const struct cuda *c) { return has_computed(c, IDLE_MS) || has_slept(c); }

/* For so long that it is no matter of chance. */
static bool is_quiet(const struct cuda *c) { return has_computed(c, QUIET_MS) || has_slept(c); }

/* What was printed and never waited for, CUDA loses; the debugger's user is shown it. */
static void show_lost_output(struct cuda *c)
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
		cuda_say(c, "note: the program ended without waiting for what its kernels printed, which CUDA loses:");
	text_add(later, text_str(&all));
	text_free(&all);
}

static enum debug_fed ended(struct cuda *c, struct debug_stop *stop)
{
	shared_keep(c);
	channel_poll(c);
	channel_drop_all(c);
	show_lost_output(c);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		text_clear(&c->context[k].errors);
	stop->reason = DEBUG_STOP_ENDED;
	stop->program_status = c->status;
	program_ended_text(c, &stop->text);
	return DEBUG_FED_STOP;
}

static enum debug_fed interrupted(const struct round *r, struct debug_stop *stop)
{
	stop->reason = DEBUG_STOP_INTERRUPTED;
	text_add(&stop->text, r->waits ? "Interrupted\n" : "Interrupted: the program is running host code\n");
	return DEBUG_FED_STOP;
}

/* Something was loaded that whoever runs the machine wants to know of, before anything of it runs. */
static bool has_loaded(struct cuda *c)
{
	const uint32_t step = gpu_program(c->gpu)->step;
	const bool loaded = step != c->program_step;
	c->program_step = step;
	return loaded && debug_settings(c->dbg)->stops_at_loads;
}

/* Threads of a process that don't wait for an answer: they may call something. */
static bool computes(const struct cuda_client *k)
{
	unsigned waiting = 0;
	for (uint32_t i = 0; i < WIRE_SLOTS; i++)
		waiting += k->slot[i].busy;
	return channel_threads(k) > waiting;
}

bool cuda_computes(const struct cuda *c)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && computes(&c->client[k]))
			return true;
	return false;
}

/* What the program may have written meanwhile, to memory that the device has too, is kept: or history begins anew. `alone`: no thread of the
 * program's runs while the machine does. */
static enum debug_fed go_on(struct cuda *c, bool has_run, bool alone)
{
	struct history *h = session_history(c->session);
	if (!history_journal(h) || !shared_any(c))
		return DEBUG_FED;
	if (has_run && !shared_keep(c))
		history_begin_here(
			h, "The program shares memory with the device: what it wrote before this launch isn't kept.");
	c->runs_alone = alone && !cuda_computes(c) && (has_run || c->runs_alone);
	c->has_run = true;
	return DEBUG_FED;
}

/* The machine has run. */
static void come_back(struct cuda *c)
{
	const bool side_by_side = c->answered_at && c->answered_at != gpu_cycle(c->gpu) + 1;
	if (c->has_run || side_by_side)
		shared_note(c, c->runs_alone && !side_by_side);
	c->has_run = false;
	c->answered_at = 0;
}

void cuda_before_answer(struct cuda *c)
{
	come_back(c);
	c->answered_at = gpu_cycle(c->gpu) + 1;
}

/* Takes in processes that connect, and lets go those that have ended, while the machine or the calls of others leave no time to wait. */
static void look_at_processes(struct cuda *c)
{
	const uint64_t now = now_ns();
	if (now - c->polled_at < POLL_NS)
		return;
	channel_poll(c);
	c->polled_at = now;
}

#define SHARED_LOOK_NS 10000000

/* Notes once in a run of the program that its threads and a kernel use the same memory at the same time, which makes runs differ. */
static void note_shared_use(struct cuda *c)
{
	const uint64_t now = now_ns();
	if (!c->uses_shared || c->has_said_shared || !c->setup.argv)
		return;
	c->uses_shared = gpu_has_work(c->gpu);
	if (!c->uses_shared || now - c->looked_at < SHARED_LOOK_NS)
		return;
	c->looked_at = now;
	c->has_said_shared = c->is_unattended || cuda_computes(c);
	if (c->has_said_shared)
		cuda_say(c, "note: threads of the program and a kernel use the same memory at the same time: the host "
			    "decides "
			    "when each sees the other's writes, so cycles and results may differ from run to run");
}

enum debug_fed cuda_feed(void *self, uint64_t *until, struct debug_stop *stop)
{
	struct cuda *c = self;
	terminal_give(c->terminal);
	come_back(c);
	note_shared_use(c);
	for (bool served = false;;) {
		look_at_processes(c);
		const struct round r = serve_all(c);
		served |= r.any;
		const bool has_work = gpu_has_work(c->gpu) && !later_calls(c);
		if (has_loaded(c) || *session_interrupt(c->session)) {
			shared_keep(c);
			return *session_interrupt(c->session) ? interrupted(&r, stop) : DEBUG_FED_STOP;
		}
		if (debug_host_stops(c->dbg))
			return DEBUG_FED;
		if (r.any || !has_work)
			c->spins_since = 0;
		if (r.waits && has_work) {
			if (program_has_ended(c))
				return ended(c, stop);
			const uint64_t look =
				gpu_cycle(c->gpu) + (gpu_is_performance(c->gpu) ? LOOK_CYCLES : LOOK_STEPS);
			*until = r.until < look ? r.until : look;
			gpu_hold_time(c->gpu, false);
			c->is_unattended = false;
			return go_on(c, served, true);
		}
		if (r.any && has_work)
			note_call(c);
		if (r.any || wait_for_call(c, has_work ? IDLE_MS : LOOK_MS))
			continue;
		if (program_has_ended(c))
			return ended(c, stop);
		if (has_work && is_idle(c)) {
			*until = gpu_cycle(c->gpu) + IDLE_CYCLES;
			gpu_hold_time(c->gpu, !is_quiet(c));
			c->is_unattended = true;
			return go_on(c, served, false);
		}
	}
}

static bool any_waits(const struct cuda *c)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy && !c->client[k].slot[i].patient)
				return true;
	return false;
}

#define SPIN_S 60 /* a program that writes nothing for so long never will */
#define OTHERS_S \
	5 /* and one that shares no memory, with threads that don't wait, launches nothing more that would help */

static bool answer_queries(struct cuda *c)
{
	bool any = false;
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		any |= c->client[k].socket >= 0 && stream_answer_queries(&c->client[k]);
	return any;
}

/* Who only computes may still launch what the device waits for. */
bool cuda_answers(void *self)
{
	struct cuda *c = self;
	const uint64_t now = now_ns();
	const bool computes_only = !any_waits(c);
	const uint64_t seconds = shared_any(c) ? SPIN_S : cuda_computes(c) ? OTHERS_S : 0;
	if (answer_queries(c) || channel_has_message(c))
		return true;
	if (!computes_only && !seconds)
		return false;
	c->spins_since = c->spins_since ? c->spins_since : now;
	channel_wait(c, 1); /* the program gets the processor */
	return computes_only || now - c->spins_since < seconds * 1000000000u;
}

/* ---- failures ---- */

static uint32_t error_of(const struct debug_stop *s)
{
	if (s->reason != DEBUG_STOP_EXCEPTION)
		return cudaErrorLaunchTimeout;
	switch (s->fault) {
	case EXEC_FAULT_ILLEGAL_ADDRESS:
	case EXEC_FAULT_LANE_ILLEGAL_ADDRESS:
	case EXEC_FAULT_OUT_OF_RANGE: return cudaErrorIllegalAddress;
	case EXEC_FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
	case EXEC_FAULT_INVALID_ADDRESS_SPACE: return cudaErrorInvalidAddressSpace;
	case EXEC_FAULT_INVALID_PC: return cudaErrorInvalidPc;
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW: return cudaErrorHardwareStackError;
	case EXEC_FAULT_ILLEGAL_INSTRUCTION: return cudaErrorIllegalInstruction;
	case EXEC_FAULT_ASSERT: return cudaErrorAssert;
	default: return cudaErrorLaunchFailure;
	}
}

/* An exception is that of the launch it was in; a deadlock or a limit is that of all that run. */
static uint32_t failed_contexts(const struct cuda *c, const struct debug_stop *failure)
{
	struct gpu_launch_info l;
	if (failure->reason == DEBUG_STOP_EXCEPTION && gpu_launch_get(c->gpu, failure->launch, &l))
		return UINT32_C(1) << l.launch.context;
	const uint32_t running = gpu_contexts_running(c->gpu);
	return running ? running : gpu_contexts(c->gpu);
}

void cuda_deliver(void *self, const struct debug_stop *failure)
{
	struct cuda *c = self;
	const uint32_t failed = failed_contexts(c, failure);
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++) {
		if (!(failed >> k & 1))
			continue;
		if (failure->reason == DEBUG_STOP_EXCEPTION && failure->fault == EXEC_FAULT_ASSERT)
			text_add(&c->context[k].errors, gpu_assert_lines(c->gpu));
		context_fail(c, k, error_of(failure));
	}
}
