/* The programs in a checkpoint: the texts of all loaded files in the order of loading, so that loading them again gives the same program. */
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "checkpoint/internal.h"
#include "frontend/frontend.h"
#include "isa/link/modules.h"

static bool is_text(const struct isa_file *f) { return f->frontend; }

static uint32_t count_texts(const struct isa_program *p, uint32_t end)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < end; k++)
		n += is_text(&p->files[k]);
	return n;
}

/* Returns whether the variable was placed by a host that shares memory (place_managed); such variables lie above all others. */
static bool is_host_placed(const struct isa_program *p, const struct isa_variable *v)
{
	return v->flags & ISA_VAR_MANAGED && v->address >= p->global_end;
}

static void record_places(const struct isa_program *p, struct text *out)
{
	uint64_t n = 0;
	for (uint32_t k = 0; k < p->n_variables; k++)
		n += is_host_placed(p, p->variables[k]);
	record_number(out, n);
	for (uint32_t k = 0; k < p->n_variables; k++)
		if (is_host_placed(p, p->variables[k])) {
			record_number(out, p->variables[k]->bytes);
			record_number(out, p->variables[k]->address);
		}
}

/* Returns a hash of the properties of all variables that loading decides. */
static uint64_t digest(const struct isa_program *p)
{
	uint64_t h = p->n_variables;
	for (uint32_t k = 0; k < p->n_variables; k++) {
		const struct isa_variable *v = p->variables[k];
		const unsigned comes_and_goes =
			isa_program_module_of(p, v->file) ? ISA_VAR_UNLOADED | ISA_VAR_REPLACED : 0;
		const uint64_t values[] = {h, v->address, v->bytes, v->space, v->flags & ~comes_and_goes};
		h = hash_fnv1a64(values, sizeof values);
	}
	return h;
}

void programs_write(const struct isa_program *p, struct text *out)
{
	record_number(out, p->n_modules);
	for (uint32_t k = 0; k < p->n_modules; k++) {
		record_string(out, p->modules[k].name);
		record_number(out, p->modules[k].context);
		record_number(out, p->modules[k].since);
		record_number(out, p->modules[k].until);
		record_number(out, count_texts(p, p->modules[k].unloaded_after));
	}
	record_number(out, count_texts(p, p->n_files));
	for (uint32_t k = 0; k < p->n_files; k++) {
		const struct isa_file *f = &p->files[k];
		if (!is_text(f))
			continue;
		record_string(out, f->name);
		record_number(out, f->module);
		record_number(out, f->in_memory);
		record_bytes(out, f->text, f->n_text);
	}
	record_number(out, p->n_insns);
	record_number(out, p->global_next);
	record_number(out, p->const_next);
	record_number(out, digest(p));
	record_places(p, out);
}

/* Reads the number of entries of a table. Each entry takes at least 8 bytes of the record, which limits the count. */
static uint32_t read_count(struct record_reader *r)
{
	return (uint32_t)record_take_below(r, (uint64_t)(r->end - r->at) / 8 + 1);
}

void programs_read(struct record_reader *r, struct programs *x)
{
	*x = (struct programs){.n_modules = read_count(r)};
	x->module = xcalloc(x->n_modules + 1, sizeof *x->module);
	for (uint32_t k = 0; k < x->n_modules; k++) {
		x->module[k].name = record_take_string(r);
		x->module[k].context = (uint32_t)record_take_below(r, GPU_CONTEXTS);
		x->module[k].since = (uint32_t)record_take_below(r, ISA_STEP_LAST);
		x->module[k].until = (uint32_t)record_take_below(r, UINT64_C(1) << 32);
		x->module[k].unloaded_after = (uint32_t)record_take_below(r, UINT32_MAX);
		r->bad |= !x->module[k].name;
	}
	x->n_files = read_count(r);
	x->file = xcalloc(x->n_files + 1, sizeof *x->file);
	for (uint32_t k = 0; k < x->n_files; k++) {
		struct programs_file *f = &x->file[k];
		f->name = record_take_string(r);
		f->module = (uint32_t)record_take_below(r, x->n_modules ? x->n_modules : 1);
		f->in_memory = record_take_below(r, 2);
		f->text = record_take_bytes(r, &f->n);
		r->bad |= !f->name;
	}
	x->n_insns = record_take_number(r);
	x->globals = record_take_number(r);
	x->constants = record_take_number(r);
	x->digest = record_take_number(r);
	x->n_places = read_count(r);
	x->place = xcalloc(x->n_places + 1, sizeof *x->place);
	for (uint32_t k = 0; k < x->n_places; k++) {
		x->place[k].bytes = record_take_number(r);
		x->place[k].address = record_take_number(r);
	}
}

void programs_free(struct programs *x)
{
	free(x->module);
	free(x->file);
	free(x->place);
}

/* Returns whether the modules of `p` were loaded at the steps of the record. A module still loaded in the record may have been unloaded since. */
static bool has_same_module_steps(const struct programs *x, const struct isa_program *p)
{
	bool same = x->n_modules == p->n_modules;
	for (uint32_t k = 1; same && k < p->n_modules; k++)
		same = x->module[k].since == p->modules[k].since &&
		       (x->module[k].until == ISA_STEP_NEVER || x->module[k].until == p->modules[k].until);
	return same;
}

static bool is_complete(const struct programs *x, const struct isa_program *p)
{
	return x->n_insns == p->n_insns && x->globals == p->global_next && x->constants == p->const_next &&
	       x->digest == digest(p);
}

/* Returns whether a file of the record is loaded file `of`: the same text in the same module. */
static bool is_file(const struct programs_file *f, const struct isa_file *of)
{
	return f->module == of->module && f->n == of->n_text && !memcmp(f->text, of->text, f->n);
}

bool programs_match(const struct programs *x, const struct isa_program *p, struct text *why)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < p->n_files; i++) {
		const struct isa_file *f = &p->files[i];
		if (!is_text(f))
			continue;
		if (k == x->n_files || !is_file(&x->file[k], f)) {
			text_addf(why, "it was made with other programs: '%s' here is not %s%s", f->name,
				  k < x->n_files ? "its " : "in it", k < x->n_files ? x->file[k].name : "");
			return false;
		}
		k++;
	}
	if (k == x->n_files && has_same_module_steps(x, p) && is_complete(x, p))
		return true;
	text_addf(why, "it was made with other programs: '%s' is not loaded here",
		  k < x->n_files ? x->file[k].name : "a module");
	return false;
}

static void unload(const struct programs *x, struct isa_program *p, uint32_t loaded)
{
	for (uint32_t m = 1; m < x->n_modules; m++)
		if (x->module[m].until != ISA_STEP_NEVER && x->module[m].unloaded_after == loaded)
			isa_module_unload(p, m);
}

static bool load_file(const struct programs_file *f, struct isa_program *p, struct text *why)
{
	struct diag_list diags;
	diag_list_init(&diags);
	const bool ok = frontend_load_text(p, f->module, f->name, f->text, f->n, &diags);
	if (!ok)
		text_addf(why, "its program '%s' can't be loaded", f->name);
	diag_list_free(&diags);
	return ok;
}

struct placing {
	const struct programs *x;
	uint64_t end; /* of the device's memory */
	uint32_t next;
};

/* Returns the recorded address of the next managed variable; 0 if the record has no such variable. */
static uint64_t place_again(void *self, uint64_t bytes, uint64_t align)
{
	struct placing *f = self;
	(void)align;
	const struct programs_place *at = &f->x->place[f->next];
	if (f->next == f->x->n_places || at->bytes != bytes || bytes > f->end || at->address > f->end - bytes)
		return 0;
	f->next++;
	return at->address;
}

static bool load_all(const struct programs *x, struct isa_program *p, struct text *why)
{
	for (uint32_t m = 1; m < x->n_modules; m++) {
		const uint32_t added = isa_module_add(p, x->module[m].name);
		p->modules[added].context = x->module[m].context;
	}
	for (uint32_t k = 0; k < x->n_files; k++) {
		unload(x, p, k);
		if (!load_file(&x->file[k], p, why))
			return false;
	}
	unload(x, p, x->n_files);
	for (uint32_t m = 1; m < x->n_modules; m++) {
		p->modules[m].since = x->module[m].since;
		p->modules[m].until = x->module[m].until;
	}
	if (!is_complete(x, p))
		text_add(why, "its programs come out another way here");
	return !why->n;
}

/* Buffers that the session named are not in the way: p->refuse is off during loading. */
bool programs_load(const struct programs *x, struct isa_program *p, uint64_t device_end, struct text *why)
{
	struct placing placing = {x, device_end, 0};
	const struct isa_program before = *p;
	p->refuse = NULL;
	p->place_managed = place_again;
	p->managed_self = &placing;
	const bool ok = load_all(x, p, why);
	p->refuse = before.refuse;
	p->place_managed = before.place_managed;
	p->managed_self = before.managed_self;
	return ok;
}
