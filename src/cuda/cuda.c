/* Making and ending what serves a CUDA program. */
#include "cuda/cuda.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "cuda/channel/channel.h"
#include "cuda/internal.h"
#include "cuda/memory/memory.h"
#include "cuda/stream/later.h"
#include "cuda/stream/stream.h"
#include "gpu/config.h"

/* What the device prints is the program's to show, as long as it lives. */
static bool output(void *self, const char *s, size_t n)
{
	struct cuda *c = self;
	if (!cuda_program_lives(c))
		return false;
	text_addn(&c->context[gpu_output_context(c->gpu)].output, s, n);
	return true;
}

static bool start(void *self, const char *args, struct text *why) { return program_start(self, args, why); }
static bool lives(const void *self) { return cuda_program_lives(self); }

static bool adopt(struct cuda *c, struct text *why)
{
	c->is_adopted = channel_adopt(c, c->setup.socket);
	if (!c->is_adopted)
		text_add(why, "there is no program at the socket");
	return c->is_adopted;
}

/* A kernel uses an allocation. */
static void found(void *self, uint64_t address)
{
	struct cuda *c = self;
	c->uses_shared = c->uses_shared || shared_kind(c, address) != WIRE_MEMORY_NONE;
}

static void kill_it(void *self) { cuda_program_kill(self); }

struct cuda *cuda_create(struct session *s, const struct cuda_setup *setup, struct text *why)
{
	struct cuda *c = xcalloc(1, sizeof *c);
	struct config_device device;
	c->session = s;
	c->dbg = session_debug(s);
	c->gpu = debug_gpu(c->dbg);
	c->setup = *setup;
	c->pidfd = -1;
	c->face = (struct session_face){.self = c, .output = output};
	c->program = (struct debug_program){.self = c,
					    .start = start,
					    .lives = lives,
					    .feed = cuda_feed,
					    .operation = cuda_operation,
					    .answers = cuda_answers,
					    .deliver = cuda_deliver,
					    .kill = kill_it,
					    .place = about_place,
					    .process = about_process,
					    .pid = about_pid,
					    .launched_by = about_launched_by,
					    .memory = about_memory,
					    .line = about_line,
					    .object = about_object,
					    .launched_from = about_launched_from,
					    .stack = about_stack,
					    .calls = about_calls};
	c->terminal = terminal_create(setup->has_terminal);
	cuda_modules_create(c);
	c->later = later_create();
	c->streams = cuda_streams_create();
	c->ipc = ipc_create();
	config_device(gpu_config(c->gpu), &device);
	memory_room_create(c, device.memory_bytes);
	session_attach(s, &c->face);
	debug_program_attach(c->dbg, &c->program);
	gpu_watch_found(c->gpu, found, c);
	if (channel_open(c, why) && (setup->argv || adopt(c, why)))
		return c;
	cuda_destroy(c);
	return NULL;
}

void cuda_destroy(struct cuda *c)
{
	gpu_watch_found(c->gpu, NULL, NULL);
	cuda_program_kill(c);
	channel_close(c);
	debug_program_attach(c->dbg, NULL);
	session_detach(c->session, &c->face);
	cuda_modules_free(c);
	later_forget(c, GPU_EVERY_CONTEXT);
	later_free(c->later);
	memory_room_free(c);
	cuda_streams_free(c->streams);
	ipc_free(c->ipc);
	terminal_free(c->terminal);
	free(c->launched);
	contexts_free(c);
	free(c->args);
	free(c);
}
