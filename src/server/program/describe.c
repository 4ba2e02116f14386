/* Describes the program's side for the debugger: origins of calls, host stacks, calls being served. */
#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/internal.h"
#include "server/program/maps.h"
#include "server/program/symbols.h"
#include "debug/setup/buffer.h"

/* ---- launches ---- */

void program_note_launch(struct server_call *c, uint32_t launch, uint64_t caller)
{
	struct server *server = c->server;
	if (launch >= server->n_launched) {
		server->launched = xgrow(server->launched, &server->cap_launched, launch + 1, sizeof *server->launched);
		memset(server->launched + server->n_launched, 0, (launch + 1 - server->n_launched) * sizeof *server->launched);
		server->n_launched = launch + 1;
	}
	server->launched[launch] =
		(struct server_launched){caller, c->client->pid, (pid_t)c->client->shared->slot[c->index].thread};
}

/* ---- processes ---- */

long program_context_pid(void *self, uint32_t context)
{
	const struct server *c = self;
	return contexts_have_several(c) ? c->context[context].pid : 0;
}

long program_launched_by(void *self, uint32_t launch)
{
	const struct server *c = self;
	return contexts_have_several(c) && launch < c->n_launched ? c->launched[launch].pid : 0;
}

static pid_t process_of(const struct server *c, uint32_t context)
{
	const struct server_context *of = &c->context[context];
	return of->has_ended ? 0 : of->pid ? of->pid : program_process(c);
}

static void add_process(void *self, uint32_t context, struct text *out)
{
	const long pid = program_context_pid(self, context);
	if (pid)
		text_addf(out, " in process %ld", pid);
}

static bool waits(const struct server *c, pid_t pid)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && c->client[k].pid == pid && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy)
				return true;
	return false;
}

/* Fills in a process that is or was connected. */
static void fill_process(const struct server *c, pid_t pid, uint32_t context, struct debug_process *out)
{
	const bool has_ended = context < GPU_CONTEXTS && c->context[context].has_ended;
	*out = (struct debug_process){.pid = pid, .context = context};
	out->state = has_ended || !server_program_lives(c) ? "has ended" : waits(c, pid) ? "waits in a call" : "runs";
	if (context < GPU_CONTEXTS)
		memcpy(out->executable, c->context[context].executable, sizeof out->executable);
	else
		program_executable(pid, out->executable, sizeof out->executable);
}

bool program_describe_process(void *self, unsigned k, struct debug_process *out)
{
	const struct server *c = self;
	const pid_t started = c->pid ? c->pid : c->last_pid;
	uint32_t of_started = GPU_EVERY_CONTEXT;
	for (uint32_t n = 0; started && n < GPU_CONTEXTS; n++)
		if (c->context[n].pid == started)
			of_started = n;
	if (!k) {
		fill_process(c, started ? started : c->context[0].pid, started ? of_started : 0, out);
		if (!out->pid)
			*out = (struct debug_process){.context = GPU_EVERY_CONTEXT, .state = "isn't there"};
		return true;
	}
	for (uint32_t n = started ? 0 : 1; n < GPU_CONTEXTS; n++)
		if (c->context[n].pid && n != of_started && !--k) {
			fill_process(c, c->context[n].pid, n, out);
			return true;
		}
	return false;
}

/* ---- places ---- */

void program_describe_place(void *self, uint32_t context, uint64_t address, struct text *out)
{
	struct server *c = self;
	const pid_t pid = process_of(c, context);
	if (!address)
		return;
	if (pid)
		symbols_note_maps(context_symbols(c, context), pid);
	symbols_place(context_symbols(c, context), address, out);
	add_process(c, context, out);
}

void program_describe_last_call(void *self, struct text *out)
{
	const struct server *c = self;
	program_describe_place(self, c->last_call.context, c->last_call.caller, out);
}

bool program_describe_memory(void *self, uint32_t context, uint64_t address, struct text *out)
{
	const pid_t pid = process_of(self, context);
	return pid && maps_describe(pid, address, out);
}

bool program_main_file(void *self, struct text *out)
{
	const struct server *c = self;
	return c->setup.argv && symbols_main_file(c->setup.argv[0], out);
}

uint32_t program_source_line(void *self, uint32_t context, uint64_t address, struct text *file)
{
	struct server *c = self;
	const pid_t pid = process_of(c, context);
	if (pid)
		symbols_note_maps(context_symbols(c, context), pid);
	return symbols_source(context_symbols(c, context), address, file);
}

static uint32_t context_of_launch(const struct server *c, uint32_t launch)
{
	struct gpu_launch_info l;
	return gpu_launch_get(c->gpu, launch, &l) ? l.launch.context : 0;
}

bool program_describe_launch(void *self, uint32_t launch, struct text *out)
{
	struct server *c = self;
	const uint32_t context = context_of_launch(c, launch);
	if (launch >= c->n_launched || !c->launched[launch].caller)
		return false;
	if (server_program_lives(c) && process_of(c, context))
		symbols_note_maps(context_symbols(c, context), c->launched[launch].pid);
	if (!symbols_line(context_symbols(c, context), c->launched[launch].caller, out))
		return false;
	const long pid = program_launched_by(c, launch);
	if (pid)
		text_addf(out, " in process %ld", pid);
	return true;
}

/* ---- where it has died ---- */

static const struct debug_buffer *buffer_at(const struct debug *d, uint64_t address)
{
	for (size_t k = debug_buffer_count(d); k-- > 0;) {
		const struct debug_buffer *b = debug_buffer_at(d, k);
		if (address - b->address < debug_buffer_bytes(b))
			return b;
	}
	return NULL;
}

void program_describe_fault(struct server *c, struct text *out)
{
	struct symbols *s = context_symbols(c, c->fault.context);
	const struct debug_buffer *b = buffer_at(c->dbg, c->fault.address);
	struct text place = {0};
	if (!c->fault.pc)
		return;
	if (symbols_place(s, c->fault.pc + 1, out))
		text_add(out, ": ");
	text_addf(out, "the program has used 0x%" PRIx64 " as a pointer", c->fault.address);
	if (b && symbols_place(s, b->caller, &place))
		text_addf(out, ", device memory (%s, made by %s): kernels and copies reach it, the host can't", b->name,
			  place.s);
	else if (b)
		text_addf(out, ", device memory (%s): kernels and copies reach it, the host can't", b->name);
	text_addc(out, '\n');
	text_free(&place);
}

/* ---- threads ---- */

/* Finds the thread of the first waiting call. Returns false if no call waits. */
static bool waiting_thread(const struct server *c, pid_t *pid, pid_t *thread)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy) {
				*pid = c->client[k].pid;
				*thread = (pid_t)c->client[k].shared->slot[i].thread;
				return true;
			}
	return false;
}

void program_describe_call(const struct server_call *c, uint64_t address, struct text *out)
{
	struct symbols *s = context_symbols(c->server, c->client->context);
	symbols_note_maps(s, c->client->pid);
	symbols_line(s, address, out);
}

bool program_entry_name(const struct server_call *c, struct text *out)
{
	const pid_t thread = (pid_t)c->client->shared->slot[c->index].thread;
	struct text place = {0};
	const bool is_known = symbols_call(context_symbols(c->server, c->client->context), c->client->pid, thread, out, &place);
	text_free(&place);
	return is_known;
}

bool program_describe_stack(void *self, uint32_t launch, struct text *out, struct text *why)
{
	struct server *c = self;
	pid_t pid = program_process(c), thread = pid;
	if (launch < c->n_launched && c->launched[launch].pid) {
		pid = c->launched[launch].pid;
		thread = c->launched[launch].thread;
	} else {
		waiting_thread(c, &pid, &thread);
	}
	return symbols_stack(context_symbols(c, context_of_process(c, pid)), pid, thread, out, why);
}

/* Returns the stream named by the call's arguments; -1: none. */
static int64_t stream_of(const struct wire_message *m)
{
	const void *in = m + 1;
	switch ((enum wire_call)m->call) {
	case CALL_copy: return (int64_t)((const struct call_copy *)in)->stream;
	case CALL_fill: return (int64_t)((const struct call_fill *)in)->stream;
	case CALL_synchronize: return (int64_t)((const struct call_synchronize *)in)->stream;
	default: return -1;
	}
}

static const char *const call_names[CALLS] = {
#define NOTHING
#define CALL(name, kind, in, out) #name,
#include "server/channel/calls.def"
#undef CALL
};

/* Some calls say only what a thread is about to do. Adds that. Returns false for another call. */
static bool add_announced(const struct server_client *k, uint32_t i, struct text *out)
{
	const struct wire_message *m = (const struct wire_message *)k->slot[i].message;
	const char *call = (const char *)(m + 1) + sizeof(struct call_entered), *end = memchr(call, '(', m->payload);
	if (m->call == CALL_goodbye)
		text_add(out, " is about to end the process\n");
	else if (m->call == CALL_entered)
		text_addf(out, " waits in front of %.*s\n", end ? (int)(end - call) : 0, call);
	return m->call == CALL_goodbye || m->call == CALL_entered;
}

static void add_call(struct server *c, const struct server_client *k, uint32_t i, struct text *out)
{
	const struct wire_message *m = (const struct wire_message *)k->slot[i].message;
	const pid_t thread = (pid_t)k->shared->slot[i].thread;
	struct text name = {0}, place = {0};
	text_addf(out, "Process %ld, thread %ld", (long)k->pid, (long)thread);
	if (add_announced(k, i, out))
		return;
	if (!symbols_call(context_symbols(c, k->context), k->pid, thread, &name, &place))
		text_add(&name, call_names[m->call]);
	text_addf(out, " waits in %s", text_str(&name));
	if (place.n)
		text_addf(out, ", called by %s", place.s);
	const int64_t stream = stream_of(m);
	if (stream >= 0)
		text_addf(out, "; stream %" PRId64, stream);
	text_addc(out, '\n');
	text_free(&name);
	text_free(&place);
}

void program_describe_calls(void *self, struct text *out)
{
	struct server *c = self;
	const size_t before = out->n;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy)
				add_call(c, &c->client[k], i, out);
	if (out->n == before)
		text_addf(out, "Process %ld is running host code: no call of it is being served.\n",
			  (long)program_process(c));
}
