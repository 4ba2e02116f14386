/* Loads units into a linked module of the program; explains missing PTX. */
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "server/module/internal.h"
#include "frontend/frontend.h"
#include "isa/link/modules.h"

#define ERRORS_MOST 20u
#define NAMES_MOST 3u

void module_log_free(struct module_log *l)
{
	text_free(&l->info);
	text_free(&l->error);
}

static void log_diags(struct module_log *log, const struct diag_list *diags)
{
	for (size_t k = 0; log && k < diags->n; k++)
		diag_format(diags->v[k].severity == DIAG_ERROR ? &log->error : &log->info, &diags->v[k]);
	if (log && diags->n_errors > diags->limit)
		text_addf(&log->error, "error: %zu more errors\n", diags->n_errors - diags->limit);
}

static bool load_unit(struct isa_program *p, uint32_t module, const struct unit *u, struct module_log *log)
{
	struct diag_list diags;
	diag_list_init(&diags);
	diags.limit = ERRORS_MOST;
	bool ok = frontend_load_text(p, module, u->name, u->text, u->n, &diags);
	log_diags(log, &diags);
	diag_list_free(&diags);
	return ok;
}

/* Logs a line "'f' is used, but defined nowhere" for each name. */
static void log_undefined(struct module_log *log, const struct text *names)
{
	for (const char *s = text_str(names); log && *s;) {
		const size_t n = strcspn(s, "\n");
		text_addf(&log->error, "error: '%.*s' is used, but defined nowhere\n", (int)n, s);
		s += n + (s[n] == '\n');
	}
}

enum wire_status units_load(struct isa_program *p, uint32_t module, const struct units *u, bool strict,
			     struct module_log *log)
{
	struct text names = {0};
	for (size_t k = 0; k < u->n; k++)
		if (!load_unit(p, module, &u->v[k], log))
			return WIRE_INVALID_PROGRAM;
	const bool lacks = strict && isa_module_undefined(p, module, &names);
	if (lacks)
		log_undefined(log, &names);
	text_free(&names);
	return lacks ? WIRE_UNDEFINED_NAMES : WIRE_OK;
}

bool looks_like_program(const char *text) { return frontend_of("", text, strlen(text)); }

/* ---- no PTX ---- */

/* Appends the demangled names of a cubin's first kernels. */
static void add_kernels(struct module *m, const struct fatbin_entry *e, struct text *out)
{
	struct text names = {0}, why = {0};
	size_t n, shown = 0;
	char *elf = fatbin_unpack(e, &m->from, &n, &why);
	const size_t found = elf ? fatbin_cubin_kernels(elf, n, &names) : 0;
	for (char *s = names.s, *end; s && *s && shown < NAMES_MOST; s = end + 1, shown++) {
		end = strchr(s, '\n');
		*end = '\0';
		struct text plain = {0};
		text_addf(out, "%s%s", shown ? ", " : "", demangle_name(s, true, &plain) ? text_str(&plain) : s);
		text_free(&plain);
	}
	if (found > NAMES_MOST)
		text_addf(out, " and %zu more", found - NAMES_MOST);
	free(elf);
	text_free(&names);
	text_free(&why);
}

void module_say_no_ptx(struct module *m, uint32_t unit, struct module_log *log)
{
	const struct fatbin_entry *last = NULL;
	struct text line = {0}, names = {0};
	for (size_t k = 0; k < m->fat.n; k++)
		if (m->fat.entries[k].kind == FATBIN_ELF && m->fat.entries[k].unit == unit)
			last = &m->fat.entries[k];
	text_add(&line, "error: no PTX");
	if (last) {
		const uint32_t sm = last->sm;
		add_kernels(m, last, &names);
		text_addf(&line,
			  " for %s: the program has machine code for sm_%u alone; compile it with -arch=sm_%u or "
			  "with -gencode arch=compute_%u,code=compute_%u",
			  names.n ? text_str(&names) : "its kernels", sm, sm, sm, sm);
	} else {
		text_add(&line, " in the program's fat binary");
	}
	text_addc(&line, '\n');
	if (log)
		text_add(&log->error, text_str(&line));
	if (m->ms->host.say && !m->has_reported)
		m->ms->host.say(m->ms->host.self, text_str(&line));
	m->has_reported = true;
	text_free(&line);
	text_free(&names);
}
