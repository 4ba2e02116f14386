/* The program's modules, which calls name by numbers from 1. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/memory/memory.h"
#include "server/module/module.h"
#include "server/program/symbols.h"
#include "gpu/config/config.h"
#include "gpu/launch/properties.h"
#include "isa/program.h"

#define REGISTERS_LEAST (64 << 10) /* of a block on GPUs since compute capability 5.0 */
#define REGISTERS_OF_BLOCK 12u /* cudaDevAttrMaxRegistersPerBlock */

struct server_modules {
	struct modules *all;
	struct entry {
		struct module *module; /* NULL: the module was closed */
		uint32_t context;
	} * entry; /* by number less one */
	size_t n, cap;
	unsigned n_saved; /* files of -save_embedded_ptx */
};

bool server_machine_code(void *self, uint32_t module, unsigned k, const void **elf, size_t *n)
{
	const struct server *c = self;
	return modules_machine_code(c->modules->all, module, k, elf, n);
}

uint32_t modules_capability(const struct server *c)
{
	const uint32_t set = config_capability(gpu_config(c->gpu)), highest = modules_highest(c->modules->all);
	if (set)
		return set;
	return highest ? highest : 75;
}

static uint32_t capability(void *self) { return modules_capability(self); }
static uint32_t context(void *self) { return ((struct server *)self)->serving; }

static uint64_t place_managed(void *self, uint64_t bytes, uint64_t align)
{
	return align <= ARENA_PAGE ? shared_place(self, bytes) : 0;
}

static void say(void *self, const char *line) { session_note(((struct server *)self)->session, line); }

static void loaded(void *self, const char *notes) { session_note(((struct server *)self)->session, notes); }

/* -save_embedded_ptx: writes the PTX of a module to _1.ptx, _2.ptx and so on, as GPGPU-Sim does. */
static void unpacked(void *self, const char *ptx, size_t n)
{
	struct server *c = self;
	struct text path = {0}, line = {0};
	if (!config_bool(gpu_config(c->gpu), "save_embedded_ptx"))
		return;
	text_addf(&path, "_%u.ptx", ++c->modules->n_saved);
	if (!files_write(session_files(c->session), text_str(&path), ptx, n)) {
		text_addf(&line, "error: can't write '%s': %s\n", text_str(&path), strerror(errno));
		say(c, text_str(&line));
	}
	text_free(&path);
	text_free(&line);
}

void server_modules_create(struct server *c)
{
	const struct config *config = gpu_config(c->gpu);
	const struct modules_host host = {.self = c,
					  .unpacked = unpacked,
					  .ptx_file = c->setup.ptx_file,
					  .most = (uint32_t)config_int(config, "gpgpu_ptx_force_max_capability"),
					  .most_is_strict = config_is_set_by_hand(config, "gpgpu_ptx_force_max_capability"),
					  .program = c->setup.argv ? c->setup.argv[0] : "",
					  .capability = capability,
					  .context = context,
					  .say = say,
					  .loaded = loaded};
	c->modules = xcalloc(1, sizeof *c->modules);
	c->modules->all = modules_create(c->dbg, &host);
	gpu_program(c->gpu)->place_managed = place_managed;
	gpu_program(c->gpu)->managed_self = c;
}

void server_modules_free(struct server *c)
{
	server_linkers_forget(c, GPU_EVERY_CONTEXT);
	modules_destroy(c->modules->all);
	gpu_program(c->gpu)->place_managed = NULL;
	free(c->modules->entry);
	free(c->modules);
}

void server_modules_forget(struct server *c, uint32_t context)
{
	struct server_modules *m = c->modules;
	modules_set_notes(m->all, false); /* the same modules are loaded again */
	for (size_t k = 0; k < m->n; k++) {
		struct entry *e = &m->entry[k];
		if (!e->module || (context != GPU_EVERY_CONTEXT && context != e->context))
			continue;
		if (context == GPU_EVERY_CONTEXT)
			module_park(e->module);
		else
			module_close(e->module);
		e->module = NULL;
	}
	modules_set_notes(m->all, true);
	server_linkers_forget(c, context);
	while (m->n && !m->entry[m->n - 1].module)
		m->n--;
}

struct modules *server_modules_all(const struct server *c) { return c->modules->all; }

uint64_t server_module_add(struct server_call *c, struct module *module)
{
	struct server_modules *m = c->server->modules;
	m->entry = xgrow(m->entry, &m->cap, m->n + 1, sizeof *m->entry);
	m->entry[m->n++] = (struct entry){module, c->client->context};
	return m->n;
}

static struct entry *find_entry(const struct server_call *c, uint64_t number)
{
	const struct server_modules *m = c->server->modules;
	struct entry *e = number && number <= m->n ? &m->entry[number - 1] : NULL;
	return e && e->module && e->context == c->client->context ? e : NULL;
}

struct module *server_module_find(const struct server_call *c, uint64_t number)
{
	const struct entry *e = find_entry(c, number);
	return e ? e->module : NULL;
}

/* Reads page by page if the whole range can't be read. */
size_t server_read_program(void *self, uint64_t address, void *to, size_t n)
{
	enum { PAGE = 4096 };
	if (channel_read(self, address, to, n))
		return n;
	size_t done = 0;
	while (done < n) {
		const size_t to_end = PAGE - (address + done) % PAGE, part = n - done < to_end ? n - done : to_end;
		if (!channel_read(self, address + done, (char *)to + done, part))
			break;
		done += part;
	}
	return done;
}

uint32_t serve_module_load(struct server_call *c, const struct call_module_load *in, struct call_module_load_out *out)
{
	const struct fatbin_reader from = {.read = server_read_program, .self = c};
	enum wire_status error;
	struct module *m = module_register(c->server->modules->all, &from, in->image, &error);
	symbols_note_maps(context_symbols(c->server, c->client->context), c->client->pid);
	if (!m) {
		server_say(c->server, "error: a fat binary of the program can't be read");
		return error;
	}
	out->module = server_module_add(c, m);
	return 0;
}

uint32_t serve_module_unload(struct server_call *c, const struct call_module_unload *in,
			     struct call_module_unload_out *out)
{
	struct entry *e = find_entry(c, in->module);
	(void)out;
	if (!e)
		return WIRE_INVALID_HANDLE;
	if (!context_is_idle(c))
		return SERVER_AGAIN;
	module_close(e->module);
	e->module = NULL;
	return 0;
}

/* Returns the caller's module by number, which reads its bytes through this call if it has to be loaded. */
static struct module *module_of(struct server_call *c, uint64_t number)
{
	const struct fatbin_reader from = {.read = server_read_program, .self = c};
	struct module *m = server_module_find(c, number);
	if (m)
		module_set_reader(m, &from);
	return m;
}

static char *payload_name(const struct server_call *c) { return xstrndup(c->payload, c->n_payload); }

uint32_t modules_threads_by_registers(const struct gpu *g, uint32_t registers)
{
	int32_t all = 0;
	const uint32_t warp = gpu_exec((struct gpu *)g)->warp_threads;
	registers = (registers + 7) & ~7u;
	gpu_attribute(g, REGISTERS_OF_BLOCK, &all);
	all = all < REGISTERS_LEAST ? REGISTERS_LEAST : all;
	return registers ? (uint32_t)all / (registers * warp) * warp : UINT32_MAX;
}

static uint32_t fill_kernel(const struct gpu *g, uint32_t function, struct wire_kernel *k)
{
	const struct isa_program *p = gpu_program((struct gpu *)g);
	const struct isa_function *f = p->functions[function];
	if (f->n_params > WIRE_PARAMS_MAX)
		return WIRE_INVALID_IMAGE;
	k->id = function;
	k->n_params = f->n_params;
	k->param_bytes = f->param_bytes;
	k->threads_most = f->maxntid[0] ? f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) *
						  (f->maxntid[2] ? f->maxntid[2] : 1)
					: 1024;
	k->shared_bytes = f->static_shared;
	k->local_bytes = f->is_stack_known ? f->stack_bytes : f->local_bytes;
	k->registers = f->registers ? f->registers : f->live_registers;
	k->threads_by_registers = modules_threads_by_registers(g, f->registers);
	k->threads_most = k->threads_by_registers < k->threads_most ? k->threads_by_registers : k->threads_most;
	k->ptx_version = f->sm;
	for (uint32_t i = 0; i < f->n_params; i++) {
		k->param[i].offset = (uint32_t)f->params[i].address;
		k->param[i].bytes = (uint32_t)f->params[i].bytes;
	}
	return 0;
}

uint32_t serve_kernel_find(struct server_call *c, const struct call_kernel_find *in, struct call_kernel_find_out *out)
{
	struct module *m = module_of(c, in->module);
	char *name = payload_name(c);
	uint32_t function, error = m ? module_function(m, name, &function) : WIRE_NOT_FOUND;
	free(name);
	if (error)
		return error == WIRE_NOT_FOUND ? WIRE_INVALID_FUNCTION : error;
	return fill_kernel(c->server->gpu, function, &out->kernel);
}

uint32_t serve_variable_find(struct server_call *c, const struct call_variable_find *in,
			     struct call_variable_find_out *out)
{
	struct module *m = module_of(c, in->module);
	struct module_variable v;
	char *name = payload_name(c);
	const uint32_t error = m ? module_variable(m, name, &v) : WIRE_NOT_FOUND;
	free(name);
	if (error)
		return error == WIRE_NOT_FOUND ? WIRE_INVALID_SYMBOL : error;
	out->address = v.address;
	out->bytes = v.bytes;
	out->is_managed = v.is_managed;
	return 0;
}

/* ---- texture and surface references ---- */

uint32_t serve_reference_find(struct server_call *c, const struct call_reference_find *in,
			      struct call_reference_find_out *out)
{
	struct module *m = module_of(c, in->module);
	char *name = payload_name(c);
	const uint32_t error = m ? module_reference(m, name, in->is_surface, &out->reference) : WIRE_NOT_FOUND;
	free(name);
	return error == WIRE_NOT_FOUND ? WIRE_INVALID_SYMBOL : error;
}

uint32_t serve_texture_bind(struct server_call *c, const struct call_texture_bind *in, struct call_texture_bind_out *out)
{
	struct server *server = c->server;
	struct gpu_texture t = in->texture;
	const struct gpu_input bind = {.kind = GPU_INPUT_TEXTURE_BIND, .texture = {&t}};
	(void)out;
	if (!modules_have_reference(server->modules->all, c->client->context, t.variable))
		return WIRE_INVALID_VALUE;
	t.context = c->client->context;
	t.texels.address = gpu_device_address_of(server->gpu, t.context, t.texels.address);
	return session_input(server->session, &bind, NULL) ? 0 : WIRE_INVALID_VALUE;
}

/* ---- texture and surface objects ---- */

uint32_t serve_texture_create(struct server_call *c, const struct call_texture_create *in, struct call_texture_create_out *out)
{
	struct gpu_texture t = in->texture;
	const struct gpu_input create = {.kind = GPU_INPUT_TEXTURE, .texture = {&t}};
	t.context = c->client->context;
	t.variable = 0;
	out->handle = (uint64_t)session_input(c->server->session, &create, NULL);
	return out->handle ? 0 : WIRE_OUT_OF_MEMORY;
}

uint32_t serve_texture_destroy(struct server_call *c, const struct call_texture_destroy *in, struct call_texture_destroy_out *out)
{
	const struct gpu_input destroy = {.kind = GPU_INPUT_TEXTURE_DESTROY,
					  .texture_destroy = {in->handle, c->client->context, in->is_surface != 0}};
	(void)out;
	return session_input(c->server->session, &destroy, NULL) ? 0 : WIRE_INVALID_VALUE;
}

uint32_t serve_texture_get(struct server_call *c, const struct call_texture_get *in, struct call_texture_get_out *out)
{
	const struct gpu_texture *t = gpu_texture_at(c->server->gpu, in->handle);
	if (!t || t->context != c->client->context || t->variable || t->is_surface != (in->is_surface != 0))
		return WIRE_INVALID_VALUE;
	out->texture = *t;
	return 0;
}
