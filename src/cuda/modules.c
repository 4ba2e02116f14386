/* Modules of programs: the PTX in their fat binaries, loaded into the program that the device runs. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cuda/internal.h"
#include "cuda/module/fatbin.h"
#include "gpu/config.h"
#include "isa/program.h"
#include "ptx/ptx.h"

struct cuda_modules {
	uint64_t n;
};

struct cuda_modules *modules_create(void) { return xcalloc(1, sizeof(struct cuda_modules)); }
void modules_free(struct cuda_modules *m) { free(m); }

void modules_forget(struct cuda_modules *m) { m->n = 0; }

static bool load_text(struct cuda *c, const char *text, size_t n)
{
	struct text name = {0}, notes = {0}, t = {0};
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = 20;
	text_addf(&name, "module_%llu.ptx", (unsigned long long)++c->modules->n);
	const bool ok = ptx_load(gpu_program(c->gpu), text_str(&name), text, n, &diags);
	for (size_t k = 0; k < diags.n; k++)
		diag_format(&t, &diags.v[k]);
	if (t.n)
		session_note(c->session, t.s);
	if (ok)
		debug_program_changed(c->dbg, &notes);
	if (notes.n)
		session_note(c->session, notes.s);
	diag_list_free(&diags);
	text_free(&name);
	text_free(&notes);
	text_free(&t);
	return ok;
}

static size_t read_program(void *self, uint64_t address, void *to, size_t n)
{
	return channel_read(self, address, to, n) ? n : 0;
}

static uint32_t load_unit(struct cuda *c, const struct fatbin *f, const struct fatbin_reader *from, uint32_t unit)
{
	struct text why = {0};
	struct config_device d;
	bool exceeds;
	config_device(gpu_config(c->gpu), &d);
	const uint32_t capability = d.sm ? (uint32_t)d.sm : fatbin_highest(f);
	const struct fatbin_entry *e = fatbin_choose(f, unit, capability, &exceeds);
	size_t n = 0;
	char *text = e ? fatbin_unpack(e, from, &n, &why) : NULL;
	const uint32_t error = !e			       ? cudaErrorNoKernelImageForDevice
			       : text && load_text(c, text, n) ? 0
							       : cudaErrorInvalidPtx;
	if (why.n)
		cuda_say(c, "error: %s", why.s);
	text_free(&why);
	free(text);
	return error;
}

uint32_t serve_module_load(struct cuda_call *c, const struct call_module_load *in, struct call_module_load_out *out)
{
	const struct fatbin_reader from = {.read = read_program, .self = c};
	struct fatbin f = {0};
	struct text why = {0};
	uint32_t units = 0, error = 0;
	if (!fatbin_add_wrapped(&f, &from, in->image, &units, &why)) {
		cuda_say(c->cuda, "error: %s", text_str(&why));
		error = cudaErrorInvalidKernelImage;
	}
	for (uint32_t k = 0; !error && k < units; k++)
		error = load_unit(c->cuda, &f, &from, k);
	fatbin_free(&f);
	text_free(&why);
	out->module = c->cuda->modules->n;
	return error;
}

uint32_t serve_module_unload(struct cuda_call *c, const struct call_module_unload *in,
			     struct call_module_unload_out *out)
{
	(void)c, (void)in, (void)out;
	return 0;
}

static char *name_of(const struct cuda_call *c) { return xstrndup(c->payload, c->n_payload); }

uint32_t serve_kernel_find(struct cuda_call *c, const struct call_kernel_find *in, struct call_kernel_find_out *out)
{
	const struct isa_program *p = gpu_program(c->cuda->gpu);
	char *name = name_of(c);
	const struct isa_function *f = isa_program_find_function(p, name);
	struct wire_kernel *k = &out->kernel;
	(void)in;
	free(name);
	if (!f || !f->is_kernel || !f->is_defined)
		return cudaErrorInvalidDeviceFunction;
	if (f->n_params > WIRE_PARAMS_MAX)
		return cudaErrorInvalidKernelImage;
	k->id = isa_program_function_index(p, f);
	k->n_params = f->n_params;
	k->param_bytes = f->param_bytes;
	k->threads_most = f->maxntid[0] ? f->maxntid[0] * (f->maxntid[1] ? f->maxntid[1] : 1) *
						  (f->maxntid[2] ? f->maxntid[2] : 1)
					: 1024;
	k->shared_bytes = f->static_shared;
	k->local_bytes = f->local_bytes;
	k->registers = f->live_registers;
	for (uint32_t i = 0; i < f->n_params; i++) {
		k->param[i].offset = (uint32_t)f->params[i].address;
		k->param[i].bytes = (uint32_t)f->params[i].bytes;
	}
	return 0;
}

uint32_t serve_variable_find(struct cuda_call *c, const struct call_variable_find *in,
			     struct call_variable_find_out *out)
{
	char *name = name_of(c);
	const struct isa_variable *v = isa_program_find_variable(gpu_program(c->cuda->gpu), name);
	(void)in;
	free(name);
	if (!v)
		return cudaErrorInvalidSymbol;
	out->address = v->space == ISA_SPACE_CONST ? EXEC_CONST_WINDOW + v->address : v->address;
	out->bytes = v->bytes;
	return 0;
}
