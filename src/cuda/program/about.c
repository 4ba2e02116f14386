/* What the debugger shows of the program's own side: where calls came from, its stacks, the calls that are being served. */
#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/internal.h"
#include "cuda/program/maps.h"
#include "cuda/program/symbols.h"

/* ---- launches ---- */

void program_note_launch(struct cuda_call *c, uint32_t launch, uint64_t caller)
{
	struct cuda *cuda = c->cuda;
	if (launch >= cuda->n_launched) {
		cuda->launched = xgrow(cuda->launched, &cuda->cap_launched, launch + 1, sizeof *cuda->launched);
		memset(cuda->launched + cuda->n_launched, 0, (launch + 1 - cuda->n_launched) * sizeof *cuda->launched);
		cuda->n_launched = launch + 1;
	}
	cuda->launched[launch] =
		(struct cuda_launched){caller, c->client->pid, (pid_t)c->client->shared->slot[c->index].thread};
}

void about_place(void *self, uint64_t address, struct text *out)
{
	struct cuda *c = self;
	const pid_t pid = program_process(c);
	if (pid)
		symbols_note_maps(c->symbols, pid);
	symbols_place(c->symbols, address, out);
}

bool about_memory(void *self, uint64_t address, struct text *out)
{
	const pid_t pid = program_process(self);
	return pid && maps_what(pid, address, out);
}

bool about_launched_from(void *self, uint32_t launch, struct text *out)
{
	struct cuda *c = self;
	if (launch >= c->n_launched || !c->launched[launch].caller)
		return false;
	if (cuda_program_lives(c))
		symbols_note_maps(c->symbols, c->launched[launch].pid);
	return symbols_line(c->symbols, c->launched[launch].caller, out);
}

/* ---- threads ---- */

/* The first call that waits. */
static bool waiting_thread(const struct cuda *c, pid_t *pid, pid_t *thread)
{
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy) {
				*pid = c->client[k].pid;
				*thread = (pid_t)c->client[k].shared->slot[i].thread;
				return true;
			}
	return false;
}

void about_called_from(const struct cuda_call *c, uint64_t address, struct text *out)
{
	symbols_note_maps(c->cuda->symbols, c->client->pid);
	symbols_line(c->cuda->symbols, address, out);
}

bool about_stack(void *self, uint32_t launch, struct text *out, struct text *why)
{
	struct cuda *c = self;
	pid_t pid = program_process(c), thread = pid;
	if (launch < c->n_launched && c->launched[launch].pid) {
		pid = c->launched[launch].pid;
		thread = c->launched[launch].thread;
	} else {
		waiting_thread(c, &pid, &thread);
	}
	return symbols_stack(c->symbols, pid, thread, out, why);
}

/* The stream that the call's arguments name; -1: none. */
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
#include "cuda/channel/calls.def"
#undef CALL
};

static void add_call(struct cuda *c, const struct cuda_client *k, uint32_t i, struct text *out)
{
	const struct wire_message *m = (const struct wire_message *)k->slot[i].message;
	const pid_t thread = (pid_t)k->shared->slot[i].thread;
	struct text name = {0}, place = {0};
	if (!symbols_call(c->symbols, k->pid, thread, &name, &place))
		text_add(&name, call_names[m->call]);
	text_addf(out, "Process %ld, thread %ld waits in %s", (long)k->pid, (long)thread, text_str(&name));
	if (place.n)
		text_addf(out, ", called by %s", place.s);
	const int64_t stream = stream_of(m);
	if (stream >= 0)
		text_addf(out, "; stream %" PRId64, stream);
	text_addc(out, '\n');
	text_free(&name);
	text_free(&place);
}

void about_calls(void *self, struct text *out)
{
	struct cuda *c = self;
	const size_t before = out->n;
	for (unsigned k = 0; k < CUDA_CLIENTS_MAX; k++)
		for (uint32_t i = 0; c->client[k].socket >= 0 && i < WIRE_SLOTS; i++)
			if (c->client[k].slot[i].busy)
				add_call(c, &c->client[k], i, out);
	if (out->n == before)
		text_addf(out, "Process %ld is running host code: no call of it is being served.\n",
			  (long)program_process(c));
}
