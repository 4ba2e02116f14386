/* Serves launches. */
#include <string.h>

#include "server/internal.h"
#include "server/stream/stream.h"
#include "debug/findings/findings.h"
#include "debug/setup/launch.h"
#include "gpu/config/config.h"

#define WAITING_MOST \
	16384u /* operations waiting in streams: a program that launches more waits until the device has done some, as with CUDA */

/* Returns whether a kernel is of a module that the calling process has loaded. */
static bool is_own_kernel(const struct server_call *c, uint32_t kernel)
{
	const struct isa_program *p = gpu_program(c->server->gpu);
	const uint32_t module = kernel < p->n_functions ? isa_program_module_of(p, p->functions[kernel]->file) : 0;
	return module && p->modules[module].context == c->client->context;
}

/* Repeated refusals from one place are reported once: a program may probe what the device accepts. The memory checker reports refusals itself. */
uint32_t serve_refused(struct server_call *c, const struct call_refused *in, struct call_refused_out *out)
{
	const struct isa_program *p = gpu_program(c->server->gpu);
	struct text place = {0};
	(void)out;
	if (in->kernel >= p->n_functions || c->server->refused_from == in->caller || debug_checks_memory(c->server->dbg))
		return 0;
	c->server->refused_from = in->caller;
	program_describe_call(c, in->caller, &place);
	server_say(c->server, "note: the launch of %s%s%s was refused: %.*s",
		 debug_function_name(c->server->dbg, p->functions[in->kernel]), place.n ? " from " : "", text_str(&place),
		 (int)c->n_payload, (const char *)c->payload);
	text_free(&place);
	return 0;
}

/* Says that a launch would be refused if the estimate of the kernel's registers were right. A kernel that the program has no machine code for has only that. */
static void note_estimate(struct server_call *c, const struct call_launch *in)
{
	const struct isa_function *f = gpu_program(c->server->gpu)->functions[in->kernel];
	const uint64_t threads = (uint64_t)in->block[0] * in->block[1] * in->block[2];
	const uint32_t most = modules_threads_by_registers(c->server->gpu, f->live_registers);
	struct text place = {0};
	if (f->registers || f->maxntid[0] || f->reqntid[0] || f->maxnreg || threads <= most || c->server->estimated_from == in->caller)
		return;
	c->server->estimated_from = in->caller;
	program_describe_call(c, in->caller, &place);
	server_say(c->server,
		   "note: %s, launched%s%s: %llu threads in a block, with %u registers a thread by an estimate, for which a GPU has room in %u: the program has no machine code for this device that would say how "
		   "many there are",
		   debug_function_name(c->server->dbg, f), place.n ? " from " : "", text_str(&place), (unsigned long long)threads, f->live_registers, most);
	text_free(&place);
}

uint32_t serve_launch(struct server_call *c, const struct call_launch *in, struct call_launch_out *out)
{
	struct server *server = c->server;
	static const enum config_cache caches[] = {[WIRE_CACHE_DEFAULT] = CONFIG_CACHE_DEFAULT, [WIRE_CACHE_SHARED] = CONFIG_CACHE_SHARED, [WIRE_CACHE_L1] = CONFIG_CACHE_L1};
	struct text why = {0};
	struct gpu_launch_spec spec = {.function = in->kernel,
				       .shared_dynamic = in->shared,
				       .context = c->client->context,
				       .stream = stream_number(c, in->stream),
				       .cooperation = in->cooperative ? GPU_COOPERATIVE : GPU_NOT_COOPERATIVE,
				       .cache = in->cache < WIRE_CACHES ? caches[in->cache] : CONFIG_CACHE_DEFAULT,
				       .params = c->payload,
				       .n_params = c->n_payload};
	(void)out;
	if (!stream_exists(c, in->stream))
		return WIRE_INVALID_HANDLE;
	if (!is_own_kernel(c, in->kernel))
		return WIRE_INVALID_FUNCTION;
	if (gpu_operations_waiting(server->gpu) >= WAITING_MOST)
		return SERVER_AGAIN;
	memcpy(spec.grid, in->grid, sizeof spec.grid);
	memcpy(spec.block, in->block, sizeof spec.block);
	const struct gpu_input launch = {.kind = GPU_INPUT_LAUNCH, .launch = spec};
	const int64_t id = session_input(server->session, &launch, &why);
	const bool ok = id >= 0;
	if (ok) {
		program_note_launch(c, (uint32_t)id, in->caller);
		note_estimate(c, in);
	} else {
		server_say(server, "error: a launch was refused: %s", text_str(&why));
	}
	text_free(&why);
	return ok ? 0 : WIRE_LAUNCH_FAILED;
}
