/* Modules that a program opens explicitly (driver API, runtime libraries), and linking at run time. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "server/channel/channel.h"
#include "server/internal.h"
#include "server/module/link.h"
#include "server/program/symbols.h"

#define BYTES_MAX (UINT64_C(1) << 30) /* size of a file or an input */

/* ---- logs: texts are truncated to the buffer and end with a 0 ---- */

static void write_log(struct server_call *c, const struct text *t, uint64_t to, uint32_t room)
{
	if (!to || !room)
		return;
	const size_t n = t->n < room - 1 ? t->n : room - 1;
	char *s = xstrndup(text_str(t), n);
	channel_write(c, to, s, n + 1);
	free(s);
}

static void write_logs(struct server_call *c, struct module_log *log, const struct wire_logs *to)
{
	write_log(c, &log->info, to->info, to->info_bytes);
	write_log(c, &log->error, to->error, to->error_bytes);
	module_log_free(log);
}

/* Reads n bytes of the program's memory; NULL if they can't be read or are too many. */
static char *read_bytes(struct server_call *c, uint64_t from, uint64_t n)
{
	char *bytes = n && n <= BYTES_MAX ? malloc(n) : NULL;
	if (bytes && channel_read(c, from, bytes, n))
		return bytes;
	free(bytes);
	return NULL;
}

static char *payload_name(const struct server_call *c) { return xstrndup(c->payload, c->n_payload); }

/* ---- modules ---- */

/* Opens a module from the bytes of a file, named after the file. */
static struct module *open_bytes(struct server_call *c, const struct call_module_open *in, struct module_log *log,
				 enum wire_status *error)
{
	char *bytes = read_bytes(c, in->image, in->bytes), *path = payload_name(c);
	struct module *m = NULL;
	*error = WIRE_INVALID_IMAGE;
	if (bytes)
		m = module_open_bytes(server_modules_all(c->server), path, bytes, (size_t)in->bytes, log, error);
	free(path);
	free(bytes);
	return m;
}

/* Reports the first error of a module that the program has opened, unless the same one was reported for the last one. */
static void say_refused(struct server *c, const struct text *errors)
{
	const char *s = text_str(errors);
	char *first = xstrndup(s, strcspn(s, "\n"));
	const bool is_new = *first && (!c->refused_module || strcmp(c->refused_module, first));
	if (is_new)
		server_say(c, "%s (in a module that the program opens, which is refused)", first);
	if (!is_new) {
		free(first);
		return;
	}
	free(c->refused_module);
	c->refused_module = first;
}

uint32_t serve_module_open(struct server_call *c, const struct call_module_open *in, struct call_module_open_out *out)
{
	const struct fatbin_reader from = {.read = server_read_program, .self = c};
	struct module_log log = {0};
	enum wire_status error;
	struct module *m = in->bytes ? open_bytes(c, in, &log, &error)
				     : module_open(server_modules_all(c->server), &from, in->image, &log, &error);
	if (error)
		say_refused(c->server, &log.error);
	write_logs(c, &log, &in->logs);
	if (!m)
		return error;
	symbols_note_maps(context_symbols(c->server, c->client->context), c->client->pid);
	out->module = server_module_add(c, m);
	return 0;
}

uint32_t serve_kernel_at(struct server_call *c, const struct call_kernel_at *in, struct call_kernel_at_out *out)
{
	const struct isa_program *p = gpu_program(c->server->gpu);
	struct module *m = server_module_find(c, in->module);
	if (!m)
		return WIRE_INVALID_HANDLE;
	out->kernels = module_kernels(m, NULL, 0);
	if (in->index >= out->kernels)
		return 0;
	uint32_t *all = xcalloc(out->kernels, sizeof *all);
	module_kernels(m, all, out->kernels);
	const char *name = p->functions[all[in->index]]->name;
	out->name_bytes = (uint32_t)strlen(name) + 1;
	free(all);
	if (in->room >= out->name_bytes && !channel_write(c, in->name, name, out->name_bytes))
		return WIRE_INVALID_VALUE;
	return 0;
}

/* ---- linking: a linker is named by its number ---- */

struct server_linkers {
	struct linker *linker[SERVER_LINKERS_MAX];
	uint32_t context[SERVER_LINKERS_MAX];
};

static struct linker **find_linker(const struct server_call *c, uint64_t number)
{
	struct server_linkers *l = c->server->linkers;
	if (!l || !number || number > SERVER_LINKERS_MAX || l->context[number - 1] != c->client->context)
		return NULL;
	return l->linker[number - 1] ? &l->linker[number - 1] : NULL;
}

void server_linkers_forget(struct server *c, uint32_t context)
{
	struct server_linkers *l = c->linkers;
	for (size_t k = 0; l && k < SERVER_LINKERS_MAX; k++)
		if (context == GPU_EVERY_CONTEXT || context == l->context[k]) {
			linker_destroy(l->linker[k]);
			l->linker[k] = NULL;
		}
	if (context != GPU_EVERY_CONTEXT)
		return;
	free(l);
	c->linkers = NULL;
}

uint32_t serve_link_create(struct server_call *c, const struct call_link_create *in, struct call_link_create_out *out)
{
	(void)in;
	if (!c->server->linkers)
		c->server->linkers = xcalloc(1, sizeof *c->server->linkers);
	for (uint64_t k = 0; k < SERVER_LINKERS_MAX; k++)
		if (!c->server->linkers->linker[k]) {
			c->server->linkers->linker[k] = linker_create(modules_capability(c->server));
			c->server->linkers->context[k] = c->client->context;
			out->linker = k + 1;
			return 0;
		}
	return WIRE_OUT_OF_MEMORY;
}

uint32_t serve_link_add(struct server_call *c, const struct call_link_add *in, struct call_link_add_out *out)
{
	struct linker **l = find_linker(c, in->linker);
	struct module_log log = {0};
	char *bytes = l ? read_bytes(c, in->data, in->bytes) : NULL, *name = payload_name(c);
	uint32_t error = l ? WIRE_INVALID_VALUE : WIRE_INVALID_HANDLE;
	(void)out;
	if (bytes)
		error = linker_add(*l, (enum wire_link)in->kind, bytes, (size_t)in->bytes, name, &log);
	write_logs(c, &log, &in->logs);
	free(name);
	free(bytes);
	return error;
}

uint32_t serve_link_complete(struct server_call *c, const struct call_link_complete *in,
			     struct call_link_complete_out *out)
{
	struct linker **l = find_linker(c, in->linker);
	struct module_log log = {0};
	const void *image;
	size_t n = 0;
	const uint32_t error = l ? linker_complete(*l, &image, &n, &log) : WIRE_INVALID_HANDLE;
	write_logs(c, &log, &in->logs);
	out->bytes = n;
	return error;
}

/* Writes the linked image to the library's buffer. */
uint32_t serve_link_image(struct server_call *c, const struct call_link_image *in, struct call_link_image_out *out)
{
	struct linker **l = find_linker(c, in->linker);
	const void *image;
	size_t n;
	(void)out;
	if (!l || linker_complete(*l, &image, &n, NULL))
		return WIRE_INVALID_HANDLE;
	return channel_write(c, in->to, image, n) ? 0 : WIRE_INVALID_VALUE;
}

uint32_t serve_link_destroy(struct server_call *c, const struct call_link_destroy *in, struct call_link_destroy_out *out)
{
	struct linker **l = find_linker(c, in->linker);
	(void)out;
	if (!l)
		return WIRE_INVALID_HANDLE;
	linker_destroy(*l);
	*l = NULL;
	return 0;
}
