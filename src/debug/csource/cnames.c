/* Scopes and variables of the source: read from a file's debug information when first asked for, then looked up. */
#include "debug/csource/cnames.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames_internal.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/ground/ground.h"
#include "debug/view/source.h"

#define DEPTH_MAX 64

/* ---- reading ---- */

static bool find_name(void *self, const char *s, size_t n, struct die_symbol *out)
{
	struct cread *r = self;
	*out = (struct die_symbol){.kind = DIE_NUMBER};
	if (die_section_of(s, n) < 0 && die_symbols_find(&r->symbols, s, n, out) && out->kind == DIE_CODE)
		out->value = CREAD_CODE + out->value * ISA_INSN_BYTES;
	return true; /* what isn't here is at address 0: nowhere */
}

static void symbol_place(void *self, const struct die_symbol *s, struct text *nine)
{
	uint64_t operand = CREAD_SYMBOL + s->number;
	(void)self;
	text_addc(nine, OP_ADDR);
	text_addn(nine, (const char *)&operand, sizeof operand);
}

bool cread_code(const struct cread *r, uint64_t address, uint32_t *index)
{
	uint64_t at = (address - CREAD_CODE) / ISA_INSN_BYTES;
	*index = (uint32_t)at;
	return address >= CREAD_CODE && at <= r->program->n_insns;
}

/* What an entry says by what it refers to. */
static const struct die_entry *origin_of(const struct cread *r, const struct die_entry *e)
{
	const struct die_entry *o = e;
	for (unsigned n = 0; n < 4 && o && !o->name; n++)
		o = die_entry_at(r->die, o->origin);
	return o ? o : e;
}

static void add_piece(struct cscope *s, struct cscope_piece *pieces, uint32_t first, uint32_t end)
{
	if (first < end)
		pieces[s->n_pieces++] = (struct cscope_piece){first, end};
}

/* Ranges with whole addresses, or relative to one that a first entry of all ones in front gives. */
static void read_ranges(struct cread *r, const struct die_entry *e, struct cscope *s)
{
	struct cursor from = die_list(r->die, DIE_RANGES, e->ranges), c = from;
	uint64_t base = 0, begin, end;
	uint32_t first, last, most = 0;
	while (die_list_next(r->die, &c, &begin, &end))
		most++;
	struct cscope_piece *pieces = POOL_ARRAY(r->pool, struct cscope_piece, most);
	s->pieces = pieces;
	for (c = from; most--;) {
		begin = cursor_fixed(&c, 8);
		end = cursor_fixed(&c, 8);
		if (begin == UINT64_MAX)
			base = end;
		else if (cread_code(r, base + begin, &first) && cread_code(r, base + end, &last))
			add_piece(s, pieces, first, last);
	}
}

static void read_pieces(struct cread *r, const struct die_entry *e, struct cscope *s)
{
	uint32_t first, end;
	if (e->has_ranges) {
		read_ranges(r, e, s);
		return;
	}
	struct cscope_piece *piece = POOL_NEW(r->pool, struct cscope_piece);
	s->pieces = piece;
	if (e->has_low && e->has_high && cread_code(r, e->low, &first) &&
	    cread_code(r, e->high_is_length ? e->low + e->high : e->high, &end))
		add_piece(s, piece, first, end);
}

static bool is_variable(const struct die_entry *e) { return e->tag == TAG_VARIABLE || e->tag == TAG_PARAMETER; }

static bool read_variable(struct cread *r, const struct die_entry *e, const struct isa_function *f, struct cvar *v)
{
	const struct die_entry *o = origin_of(r, e);
	if (!o->name || (e->is_declaration && !e->location))
		return false;
	*v = (struct cvar){.name = o->name, .line = o->line, .is_param = e->tag == TAG_PARAMETER};
	v->type = ctype_of_entry(r, e->type ? e->type : o->type);
	cplace_read(r, e, f, v);
	return true;
}

struct numbered {
	struct cvar v;
	uint32_t number;
};

/* Parameters first and as they are written, then variables by line. */
static int by_line(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;
	if (x->v.is_param != y->v.is_param)
		return x->v.is_param ? -1 : 1;
	if (!x->v.is_param && x->v.line != y->v.line)
		return x->v.line < y->v.line ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* The parameters of PTX that bring a function's arguments are as many, in the same order; NULL: they can't be matched. */
static const struct isa_variable *parameters_of(const struct cread *r, const struct die_entry *e,
						const struct isa_function *f)
{
	uint32_t returned = 0, n = 0;
	if (e->tag != TAG_SUBPROGRAM || !f)
		return NULL;
	while (returned < f->n_params && f->params[returned].flags & ISA_VAR_RETURN)
		returned++;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end)
		n += r->die->entries[i].tag == TAG_PARAMETER;
	return n == f->n_params - returned && !f->param_regs ? f->params + returned : NULL;
}

static bool fits_into(const struct cvar *v, const struct isa_variable *parameter)
{
	const struct ctype *t = ctype_core(v->type);
	return (t->kind == CTYPE_REFERENCE ? 8 : t->bytes) <= parameter->bytes;
}

static void read_variables(struct cread *r, const struct die_entry *e, const struct isa_function *f, struct cscope *s)
{
	const struct isa_variable *parameter = parameters_of(r, e, f);
	uint32_t n = 0;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end)
		n += is_variable(&r->die->entries[i]);
	struct cvar *vars = POOL_ARRAY(r->pool, struct cvar, n);
	struct numbered *all = xcalloc(n, sizeof *all);
	s->vars = vars;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end) {
		const struct isa_variable *brings =
			parameter && r->die->entries[i].tag == TAG_PARAMETER ? parameter++ : NULL;
		if (!is_variable(&r->die->entries[i]) || !read_variable(r, &r->die->entries[i], f, &all[s->n_vars].v))
			continue;
		all[s->n_vars].number = s->n_vars;
		all[s->n_vars].v.parameter = brings && fits_into(&all[s->n_vars].v, brings) ? brings : NULL;
		s->n_vars++;
	}
	qsort(all, s->n_vars, sizeof *all, by_line);
	for (uint32_t i = 0; i < s->n_vars; i++)
		vars[i] = all[i].v;
	free(all);
}

/* The mangled name, where one of the entries that it refers to has it. */
static const char *linkage_of(const struct cread *r, const struct die_entry *e)
{
	const struct die_entry *o = e;
	const char *name = NULL;
	for (unsigned n = 0; n < 4 && o && !o->linkage; n++) {
		name = name ? name : o->name;
		o = die_entry_at(r->die, o->origin);
	}
	return o && o->linkage ? o->linkage : name;
}

/* The program's file of a number in .file directives. */
static bool source_of(const struct cread *r, uint32_t number, uint32_t *file)
{
	const struct isa_file *f = &r->program->files[r->file];
	for (uint32_t i = f->n_numbers; i-- > 0;)
		if (f->numbers[i].number == number) {
			*file = f->numbers[i].file;
			return true;
		}
	return false;
}

static struct cscope *read_scope(struct cread *r, const struct die_entry *e, const struct isa_function *f,
				 const struct cscope *parent, unsigned depth)
{
	struct cscope *s = POOL_NEW(r->pool, struct cscope), **last = (struct cscope **)&s->child;
	const struct die_entry *o = origin_of(r, e);
	s->parent = parent;
	s->is_function = e->tag == TAG_SUBPROGRAM;
	s->is_inlined = e->tag == TAG_INLINED;
	s->name = e->tag == TAG_BLOCK ? NULL : o->name;
	s->result = ctype_of_entry(r, e->type ? e->type : o->type);
	read_pieces(r, e, s);
	s->is_apart = s->is_inlined && s->n_pieces && o->name;
	s->linkage = linkage_of(r, e);
	s->call_line = source_of(r, e->call_file, &s->call_file) ? e->call_line : 0;
	read_variables(r, e, f, s);
	for (uint32_t i = cread_first_child(r, e); depth < DEPTH_MAX && i < e->end; i = r->die->entries[i].end)
		if (r->die->entries[i].tag == TAG_BLOCK || r->die->entries[i].tag == TAG_INLINED) {
			*last = read_scope(r, &r->die->entries[i], f, s, depth + 1);
			last = (struct cscope **)&(*last)->next;
		}
	return s;
}

static void read_function(struct cread *r, const struct die_entry *e)
{
	struct cnames_file *out = r->out;
	uint32_t first;
	const struct isa_function *f =
		e->has_low && cread_code(r, e->low, &first) ? isa_program_function_at(r->program, first) : NULL;
	if (!f || f->file != r->file)
		return;
	struct cscope *s = read_scope(r, e, f, NULL, 0);
	if (!s->n_pieces)
		return;
	out->functions = xgrow(out->functions, &out->cap_functions, out->n_functions + 1, sizeof *out->functions);
	out->functions[out->n_functions++] = s;
}

static void name_global(struct cnames_file *out, const char *name, uint32_t number)
{
	uint32_t known;
	bool again = hash_map_get(&out->name_index, name, strlen(name), &known) && known != number;
	hash_map_put(&out->name_index, name, strlen(name), again ? UINT32_MAX : number);
}

/* nvcc mangles the names of variables in namespaces: it has its name with those, and its last part, too, as long as that is one's alone. */
static void name_in_source(struct cread *r, const char *mangled, uint32_t number)
{
	struct text full = {0};
	if (!debug_is_mangled_variable(mangled))
		return;
	debug_inlined_name(r->d, mangled, &full);
	if (cread_spend(&r->names_left, full.n + 1)) {
		const char *name = pool_strn(r->pool, text_str(&full), full.n);
		name_global(r->out, name, number);
		name_global(r->out, debug_last_part(name), number);
	}
	text_free(&full);
}

static void read_global(struct cread *r, const struct die_entry *e)
{
	struct cnames_file *out = r->out;
	struct cvar v;
	uint32_t known;
	if (!read_variable(r, e, NULL, &v) || !v.n_places ||
	    hash_map_get(&out->global_index, v.name, strlen(v.name), &known))
		return;
	out->globals = xgrow(out->globals, &out->cap_globals, out->n_globals + 1, sizeof *out->globals);
	hash_map_put(&out->global_index, v.name, strlen(v.name), (uint32_t)out->n_globals);
	out->globals[out->n_globals++] = v;
	name_in_source(r, v.name, (uint32_t)out->n_globals - 1);
}

static bool is_outside(const struct cread *r, const struct die_entry *e)
{
	while (e->parent != UINT32_MAX) {
		e = &r->die->entries[e->parent];
		if (e->tag != TAG_UNIT && e->tag != TAG_NAMESPACE)
			return false;
	}
	return true;
}

static int by_first(const void *a, const void *b)
{
	const struct cscope *const *x = a, *const *y = b;
	uint32_t i = (*x)->pieces->first, k = (*y)->pieces->first;
	return (i > k) - (i < k);
}

static void read_entries(struct cread *r)
{
	const struct die_file *f = r->die;
	r->names_left = CREAD_NAMES_LEAST + CREAD_NAME_TIMES * (f->bytes[DIE_INFO].n + f->bytes[DIE_STR].n);
	ctype_read_all(r);
	for (const struct die_entry *e = f->entries; e < f->entries + f->n_entries; e++)
		if (e->tag == TAG_SUBPROGRAM)
			read_function(r, e);
		else if (e->tag == TAG_VARIABLE && is_outside(r, e))
			read_global(r, e);
	free(r->made);
}

static void read_file(struct debug *d, struct cnames *names, uint32_t file, struct cnames_file *out)
{
	struct cread r = {.d = d, .pool = &names->pool, .out = out, .file = file, .die = &out->die};
	r.program = debug_program(d);
	out->read = true;
	if (!r.program->files[file].frontend || !die_present(&r.program->files[file]))
		return;
	die_symbols_make(&r.symbols, r.program, file);
	const struct die_names how = {.self = &r, .find = find_name, .place = symbol_place};
	out->present = die_read_sections(&r.program->files[file], &how, out->die.bytes) && die_entries_read(&out->die);
	if (out->present)
		read_entries(&r);
	if (out->n_functions)
		qsort(out->functions, out->n_functions, sizeof *out->functions, by_first);
	die_file_free_entries(&out->die);
	die_symbols_free(&r.symbols);
}

struct cnames *cnames_of(struct debug *d)
{
	if (!d->cnames)
		d->cnames = xcalloc(1, sizeof *d->cnames);
	return d->cnames;
}

struct cnames_file *cnames_file_of(struct debug *d, uint32_t file)
{
	struct cnames *names = cnames_of(d);
	if (names->n_files < debug_program(d)->n_files) {
		uint32_t n = debug_program(d)->n_files;
		names->files = xrealloc(names->files, n * sizeof *names->files);
		memset(names->files + names->n_files, 0, (n - names->n_files) * sizeof *names->files);
		names->n_files = n;
	}
	if (file >= names->n_files)
		return NULL;
	if (!names->files[file].read)
		read_file(d, names, file, &names->files[file]);
	return names->files[file].present ? &names->files[file] : NULL;
}

void cnames_free(struct debug *d)
{
	struct cnames *names = d->cnames;
	if (!names)
		return;
	for (uint32_t i = 0; i < names->n_files; i++) {
		struct cnames_file *f = &names->files[i];
		die_file_free(&f->die);
		free(f->functions);
		free(f->globals);
		free(f->types);
		free(f->constants);
		hash_map_free(&f->global_index);
		hash_map_free(&f->name_index);
		hash_map_free(&f->constant_index);
	}
	free(names->files);
	free(names->declared);
	pool_free(&names->pool);
	free(names);
	d->cnames = NULL;
}

struct pool *cnames_pool(struct debug *d) { return &cnames_of(d)->pool; }

/* ---- looking up ---- */

static bool is_in(const struct cscope *s, uint32_t pc)
{
	for (uint32_t i = 0; i < s->n_pieces; i++)
		if (pc >= s->pieces[i].first && pc < s->pieces[i].end)
			return true;
	return false;
}

const struct cscope *cnames_function(struct debug *d, const struct isa_function *f)
{
	const struct cnames_file *file = cnames_file_of(d, f->file);
	size_t lo = 0, hi = file ? file->n_functions : 0;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (file->functions[mid]->pieces->first < f->first)
			lo = mid + 1;
		else
			hi = mid;
	}
	return file && lo < file->n_functions && file->functions[lo]->pieces->first < f->end ? file->functions[lo]
											     : NULL;
}

const struct cscope *cnames_scope(struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t inlined)
{
	const struct cscope *s = cnames_function(d, f), *c = s;
	while (c) {
		s = c;
		for (c = s->child; c && !is_in(c, pc);)
			c = c->next;
	}
	for (; s && inlined; s = s->parent)
		inlined -= s->is_apart;
	return s;
}

static const struct cvar *in_scope(const struct cscope *s, const char *name, size_t n)
{
	for (uint32_t i = 0; i < s->n_vars; i++)
		if (strlen(s->vars[i].name) == n && !memcmp(s->vars[i].name, name, n))
			return &s->vars[i];
	return NULL;
}

static bool has_member(const struct cvar *self, const char *name, size_t n)
{
	const struct ctype *p = self ? ctype_value(self->type) : NULL;
	const struct ctype *to = p && p->kind == CTYPE_POINTER ? ctype_core(p->target) : NULL;
	uint64_t offset;
	const struct ctype *captured = to && ctype_is_struct(to) ? ctype_captured_this(to) : NULL;
	return to && ctype_is_struct(to) &&
	       (ctype_member(to, name, n, &offset) || (captured && ctype_member(captured, name, n, &offset)));
}

const struct cvar *cnames_local(const struct cscope *s, const char *name, size_t n, const struct cvar **self)
{
	if (self)
		*self = NULL;
	for (; s; s = s->is_apart ? NULL : s->parent) {
		const struct cvar *v = in_scope(s, name, n);
		const struct cvar *object = self && (s->is_function || s->is_inlined) ? in_scope(s, "this", 4) : NULL;
		if (v)
			return v;
		if (has_member(object, name, n)) {
			*self = object;
			return NULL;
		}
	}
	return NULL;
}

bool cnames_is_local(const struct cscope *s, const char *name, size_t n)
{
	const struct cvar *self;
	return cnames_local(s, name, n, &self) || self;
}

static bool is_in_register(const struct cvar *v, uint32_t pc, bool anywhere, const struct isa_reg_place *reg)
{
	for (uint32_t k = 0; k < v->n_places; k++) {
		const struct cplace *p = &v->places[k];
		const bool is_there = anywhere || (pc >= p->first && pc < p->end);
		if (is_there && p->kind == CPLACE_REGISTER && !p->is_pointed_to && p->reg.ref == reg->ref && p->reg.is_pred == reg->is_pred)
			return true;
	}
	return false;
}

const struct cvar *cnames_in_register(struct debug *d, uint32_t pc, const char *name)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	const struct cscope *inner = f ? cnames_scope(d, f, pc, 0) : NULL;
	struct isa_reg_place reg;
	if (!inner || !isa_function_find_reg(f, name, strlen(name), pc, &reg))
		return NULL;
	for (unsigned anywhere = 0; anywhere < 2; anywhere++)
		for (const struct cscope *s = inner; s; s = s->parent)
			for (uint32_t k = 0; k < s->n_vars; k++)
				if (is_in_register(&s->vars[k], pc, anywhere, &reg))
					return &s->vars[k];
	return NULL;
}

/* Appends the part of a value of type t that lies at a byte: `[1]`, `.y`, and makes *at the byte
 * in that part. Returns the part's type, or NULL if t has no parts there. */
static const struct ctype *add_part(const struct ctype *t, uint64_t *at, struct text *out)
{
	const uint64_t element = t->kind == CTYPE_ARRAY ? ctype_core(t->target)->bytes : 0;
	if (element) {
		text_addf(out, "[%llu]", (unsigned long long)(*at / element));
		*at %= element;
		return ctype_core(t->target);
	}
	for (uint32_t k = 0; ctype_is_struct(t) && k < t->n_members; k++) {
		const struct ctype_member *const m = &t->members[k];
		const struct ctype *const type = ctype_core(m->type);
		if (*at < m->offset || *at - m->offset >= type->bytes || m->bit_size)
			continue;
		if (m->name && !m->is_base)
			text_addf(out, ".%s", m->name);
		*at -= m->offset;
		return type;
	}
	return NULL;
}

/* Appends a variable if an offset of local memory lies in it. */
static bool add_local(const struct cvar *v, uint64_t offset, struct text *out)
{
	const struct ctype *const t = ctype_core(v->type);
	const struct cplace *const p = v->n_places == 1 ? v->places : NULL;
	if (!p || p->kind != CPLACE_VARIABLE || p->is_pointed_to || p->variable->space != ISA_SPACE_LOCAL)
		return false;
	const uint64_t begin = p->variable->address + (uint64_t)p->offset;
	uint64_t at = offset - begin;
	if (offset < begin || at >= t->bytes)
		return false;
	text_add(out, v->name);
	for (const struct ctype *part = t; part;)
		part = add_part(part, &at, out);
	if (at)
		text_addf(out, "+%llu", (unsigned long long)at);
	return true;
}

static bool add_local_of(const struct cscope *s, uint64_t offset, struct text *out)
{
	for (uint32_t k = 0; k < s->n_vars; k++)
		if (add_local(&s->vars[k], offset, out))
			return true;
	for (const struct cscope *c = s->child; c; c = c->next)
		if (add_local_of(c, offset, out))
			return true;
	return false;
}

bool cnames_local_text(struct debug *d, uint32_t launch, uint64_t offset, struct text *out)
{
	struct gpu_launch_info info;
	if (!gpu_launch_get(d->g, launch, &info))
		return false;
	const struct cscope *s = cnames_function(d, debug_program(d)->functions[info.launch.function]);
	return s && add_local_of(s, offset, out);
}

static size_t add_objects(const struct cscope *s, struct check_local *out, size_t n, size_t cap)
{
	for (uint32_t k = 0; k < s->n_vars && n < cap; k++) {
		const struct cvar *const v = &s->vars[k];
		const struct ctype *const t = ctype_core(v->type);
		const struct cplace *const p = v->n_places == 1 ? v->places : NULL;
		if (!p || p->kind != CPLACE_VARIABLE || p->is_pointed_to || p->variable->space != ISA_SPACE_LOCAL || !t->bytes ||
		    (t->kind != CTYPE_ARRAY && !ctype_is_struct(t)))
			continue;
		const uint64_t begin = p->variable->address + (uint64_t)p->offset;
		out[n++] = (struct check_local){begin, begin + t->bytes};
	}
	for (const struct cscope *c = s->child; c; c = c->next)
		n = add_objects(c, out, n, cap);
	return n;
}

size_t cnames_frame_objects(struct debug *d, const struct isa_function *f, struct check_local *out, size_t cap)
{
	const struct cscope *const s = cnames_function(d, f);
	return s ? add_objects(s, out, 0, cap) : 0;
}

static bool is_static(const struct cvar *v, const struct isa_variable *var)
{
	const struct cplace *p = v->places;
	return v->n_places == 1 && p->kind == CPLACE_VARIABLE && p->variable == var && !p->offset && !p->is_pointed_to;
}

const struct cvar *cnames_static(const struct cscope *s, const struct isa_variable *var)
{
	const struct cvar *found = NULL;
	for (uint32_t i = 0; s && i < s->n_vars; i++)
		if (is_static(&s->vars[i], var))
			return &s->vars[i];
	for (const struct cscope *c = s ? s->child : NULL; c && !found; c = c->next)
		found = cnames_static(c, var);
	return found;
}

bool cnames_is_loaded(const struct isa_program *p, uint32_t file)
{
	return p->files[file].frontend && !p->files[file].unloaded;
}

const struct cvar *cnames_global_of(struct debug *d, uint32_t file, const char *name, size_t n)
{
	const struct cnames_file *f = cnames_file_of(d, file);
	uint32_t i;
	bool found = f && (hash_map_get(&f->global_index, name, n, &i) || hash_map_get(&f->name_index, name, n, &i));
	return found && i < f->n_globals ? &f->globals[i] : NULL;
}

const struct cvar *cnames_global(struct debug *d, const struct isa_function *f, const char *name, size_t n)
{
	const struct isa_program *p = debug_program(d);
	const struct cvar *v = f ? cnames_global_of(d, f->file, name, n) : NULL;
	for (uint32_t i = p->n_files; !v && i-- > 0;)
		v = cnames_is_loaded(p, i) ? cnames_global_of(d, i, name, n) : NULL;
	return v;
}

const struct ctype_member *cnames_constant(struct debug *d, const char *name, size_t n)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t i = p->n_files; i-- > 0;) {
		const struct cnames_file *f = cnames_is_loaded(p, i) ? cnames_file_of(d, i) : NULL;
		uint32_t k;
		if (f && hash_map_get(&f->constant_index, name, n, &k))
			return f->constants[k];
	}
	return NULL;
}

void cnames_each(struct debug *d, void (*fn)(void *self, const char *name), void *self)
{
	const struct isa_program *p = debug_program(d);
	const struct cnames *names = cnames_of(d);
	for (size_t i = 0; i < names->n_declared; i++)
		fn(self, names->declared[i]->name);
	for (uint32_t i = 0; i < p->n_files; i++) {
		const struct cnames_file *f = cnames_is_loaded(p, i) ? cnames_file_of(d, i) : NULL;
		for (size_t k = 0; f && k < f->n_globals; k++)
			fn(self, f->globals[k].name);
		for (size_t k = 0; f && k < f->n_types; k++)
			fn(self, f->types[k]->name);
		for (size_t k = 0; f && k < f->n_constants; k++)
			fn(self, f->constants[k]->name);
	}
}

void cnames_each_type(struct debug *d, void (*fn)(void *self, const struct ctype *t), void *self)
{
	const struct isa_program *p = debug_program(d);
	const struct cnames *names = cnames_of(d);
	for (size_t i = 0; i < names->n_declared; i++)
		fn(self, names->declared[i]);
	for (uint32_t i = 0; i < p->n_files; i++) {
		const struct cnames_file *f = cnames_is_loaded(p, i) ? cnames_file_of(d, i) : NULL;
		for (size_t k = 0; f && k < f->n_types; k++)
			if (f->types[k]->name)
				fn(self, f->types[k]);
	}
}
