/* Creates and destroys the CUDA side of a session. */
#include "server/server.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/memory/memory.h"
#include "server/stream/deferred.h"
#include "server/stream/stream.h"
#include "gpu/config/config.h"

/* Stores device output for the program, which prints it as long as it is alive. */
static bool output(void *self, const char *s, size_t n)
{
	struct server *c = self;
	if (!server_program_lives(c))
		return false;
	text_addn(&c->context[gpu_output_context(c->gpu)].output, s, n);
	return true;
}

static bool start(void *self, const char *args, struct text *why) { return program_start(self, args, why); }
static bool lives(const void *self) { return server_program_lives(self); }

static bool adopt(struct server *c, struct text *why)
{
	c->is_adopted = channel_adopt(c, c->setup.socket);
	if (!c->is_adopted)
		text_add(why, "there is no program at the socket");
	return c->is_adopted;
}

/* Notes that a kernel uses an allocation. */
static void found(void *self, uint64_t address)
{
	struct server *c = self;
	c->uses_shared = c->uses_shared || shared_kind(c, address) != WIRE_MEMORY_NONE;
}

static void kill_it(void *self) { server_program_kill(self); }

static const struct server_client_events client_events = {program_follows, context_begin, context_end};

struct server *server_create(struct session *s, const struct server_setup *setup, struct text *why)
{
	struct server *c = xcalloc(1, sizeof *c);
	struct config_device device;
	c->session = s;
	c->handlers = server_handlers;
	c->events = &client_events;
	c->dbg = session_debug(s);
	c->gpu = debug_gpu(c->dbg);
	c->setup = *setup;
	c->pidfd = -1;
	c->face = (struct session_face){.self = c, .output = output};
	c->program = (struct debug_program){.self = c,
					    .start = start,
					    .lives = lives,
					    .runs_once = !setup->argv,
					    .feed = server_feed,
					    .operation = server_operation,
					    .answers = server_may_end_spin,
					    .deliver = server_deliver,
					    .kill = kill_it,
					    .place = program_describe_place,
					    .process = program_describe_process,
					    .pid = program_context_pid,
					    .launched_by = program_launched_by,
					    .memory = program_describe_memory,
					    .main_file = program_main_file,
					    .line = program_source_line,
					    .launched_from = program_describe_launch,
					    .machine_code = server_machine_code,
					    .stack = program_describe_stack,
					    .calls = program_describe_calls,
					    .last_call = program_describe_last_call};
	c->terminal = terminal_create(setup->has_terminal);
	server_modules_create(c);
	c->deferred = deferred_create();
	c->streams = server_streams_create();
	c->ipc = ipc_create();
	config_device(gpu_config(c->gpu), &device);
	memory_create(c, device.memory_bytes);
	session_attach(s, &c->face);
	debug_program_attach(c->dbg, &c->program);
	gpu_watch_allocation_use(c->gpu, found, c);
	if (channel_open(c, why) && (setup->argv || adopt(c, why)))
		return c;
	server_destroy(c);
	return NULL;
}

void server_destroy(struct server *c)
{
	gpu_watch_allocation_use(c->gpu, NULL, NULL);
	server_program_kill(c);
	channel_close(c);
	debug_program_attach(c->dbg, NULL);
	session_detach(c->session, &c->face);
	server_modules_free(c);
	deferred_drop_context(c, GPU_EVERY_CONTEXT);
	deferred_free(c->deferred);
	memory_destroy(c);
	server_streams_free(c->streams);
	ipc_free(c->ipc);
	terminal_free(c->terminal);
	free(c->launched);
	contexts_free(c);
	free(c->args);
	free(c->refused_module);
	free(c);
}
