/* Goes through the entries of a program's own .debug_info. What in them needs work: locations in registers, which a compiler writes
 * as DW_OP_regx of the register's name taken as a number, and the registers of location lists, become places in the lane's made-up
 * frame; kernels get the places where threads are before they begin and after they have exited. All in as many bytes as there were. */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"
#include "gdbstub/image/image.h"
#include "gdbstub/image/frame_layout.h"

/* ---- registers ---- */

/* Turns `DW_OP_regx NAME` at the beginning of an expression into the register's place, `at` bytes into the frame. */
static bool rewrite(const struct own *o, unsigned char *e, size_t n, uint32_t pc, uint32_t *at)
{
	const struct isa_function *f = isa_program_function_at(stub_program(o->w->s), pc);
	struct cursor c = {e + 1, e + n, true};
	struct isa_reg_place r;
	struct text t = {0};
	char name[9];
	if (n < 2 || e[0] != OP_REGX || !f)
		return false;
	size_t n_name = die_register_name(cursor_uleb(&c), name);
	size_t room = (size_t)(c.at - e);
	if (!c.ok || !isa_function_find_reg(f, name, n_name, pc, &r))
		return false;
	*at = frame_offset(f, r.is_pred, r.ref);
	put8(&t, OP_BREG7);
	put_sleb(&t, *at);
	while (t.n < room)
		put8(&t, OP_NOP);
	bool fits = t.n == room;
	if (fits)
		memcpy(e, t.s, room);
	text_free(&t);
	return fits;
}

/* ---- location lists ---- */

static bool index_of(const struct own *o, uint64_t address, uint32_t *pc)
{
	uint64_t at = address + o->w->base - EXEC_CODE_WINDOW;
	*pc = (uint32_t)(at / ISA_INSN_BYTES);
	return at / ISA_INSN_BYTES < stub_program(o->w->s)->n_insns;
}

static bool walk_lists(struct own *o)
{
	struct stub *s = o->w->s;
	struct text *t = &o->bytes[DIE_LOC];
	struct cursor c = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true};
	struct location m = {.list = (uint64_t)o->file << 32};
	bool known = location_list_known(s, m.list); /* the file may be described again */
	own_sort_references(o);
	bool is_reference = own_lists_reference(o, o->base[DIE_LOC]);
	while (c.ok && c.at < c.end) {
		uint64_t begin = cursor_fixed(&c, 8), end = cursor_fixed(&c, 8);
		if (!begin && !end) {
			m.list++;
			is_reference =
				own_lists_reference(o, o->base[DIE_LOC] + (uint64_t)(c.at - (unsigned char *)t->s));
			continue;
		}
		uint64_t n = cursor_fixed(&c, 2);
		unsigned char *e = c.at;
		cursor_skip(&c, n);
		if (!c.ok || !index_of(o, begin, &m.begin) || !rewrite(o, e, n, m.begin, &m.at))
			continue;
		if (is_reference)
			own_hide_reference(e, n);
		if (known)
			continue;
		m.first = isa_program_function_at(stub_program(s), m.begin)->first;
		m.end = m.begin + (uint32_t)((end - begin) / ISA_INSN_BYTES);
		location_list_note(s, &m);
	}
	return c.ok;
}

/* ---- entries ---- */

struct walk {
	struct own *o;
	struct cursor info;
	unsigned version, address_size;
	uint64_t table; /* of the unit's abbreviations */
	struct own_unit unit;
	uint32_t pc; /* where the function begins whose entries are read */
	bool has_pc;
	struct own_named enumeration; /* the last one read */
	unsigned depth;		      /* of the entry in others: 0, the unit's */
};

/* gdb looks for the end of a function's prologue by its lines only when the compiler is clang (amd64_skip_prologue), else it knows
 * x86 instructions alone. So nvcc's `lgenfe: EDG 6.6` becomes `clang : EDG 6.6`, and `break FUNCTION` stops where arguments are read. */
static void name_clang(const struct cursor *info, unsigned char *name)
{
	static const char clang[] = "clang ";
	if ((size_t)(info->at - name) > sizeof clang - 1)
		memcpy(name, clang, sizeof clang - 1);
}

/* Where an entry's code and its two addresses are, NULL: it has none, or not as addresses of 8 bytes. */
struct entry {
	uint64_t tag, code;
	unsigned char *code_at, *name, *linkage, *line, *low, *high;
	uint64_t line_number, bytes;
	int64_t value;		 /* a constant's */
	uint64_t type;		 /* a variable's, or what a function returns; or the entry that says it; 0: nothing */
	unsigned char *type_at;	 /* a member's, in four bytes; NULL: it has none in that form */
	unsigned char *location; /* NULL: it has a list, at an offset of .debug_loc, or none */
	uint64_t n_location, list;
	bool has_list;
};

static bool is_variable(const struct entry *e) { return e->tag == TAG_VARIABLE || e->tag == TAG_PARAMETER; }

static void put_range(struct text *t, uint64_t from, uint64_t to)
{
	put64(t, from);
	put64(t, to);
}

/* A function's code and, of a kernel, the places where its threads are before and after. */
static void put_function(struct walk *w, uint32_t index)
{
	const struct isa_function *f = stub_program(w->o->w->s)->functions[index];
	struct text *ranges = &w->o->bytes[DIE_RANGES];
	uint64_t launch = dwarf_launch_address(w->o->w, index), end = dwarf_exit_address(w->o->w, index);
	put_range(ranges, dwarf_address(w->o->w, f->first), dwarf_address(w->o->w, f->end));
	if (!f->is_kernel)
		return;
	put_range(ranges, launch, launch + ISA_INSN_BYTES);
	put_range(ranges, end, end + ISA_INSN_BYTES);
}

/* Begins a list of ranges with whole addresses; returns its offset. */
static uint32_t begin_ranges(struct walk *w)
{
	struct text *ranges = &w->o->bytes[DIE_RANGES];
	uint32_t at = (uint32_t)(w->o->base[DIE_RANGES] + ranges->n);
	put_range(ranges, UINT64_MAX, 0);
	return at;
}

/* Addresses in the data are whole ones, not relative to the unit's. And gdb is to hear where all of its code is: the text's order, by which
 * a unit has a beginning and an end, isn't ours, and without them gdb takes the addresses of variables for code, too. Functions without
 * lines aren't in it, as a CPU's library functions: else the file's variables would be their locals. */
static void open_unit(struct walk *w, const struct entry *e)
{
	const struct isa_program *p = stub_program(w->o->w->s);
	uint64_t code = own_abbrev_copy(w->o, w->table, e->code, OWN_UNIT, w->version);
	if (!code)
		return;
	uint32_t at = begin_ranges(w);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->is_defined && f->file == w->o->file && f->first < f->end && dwarf_has_lines(w->o->w, f))
			put_function(w, i);
	}
	put_range(&w->o->bytes[DIE_RANGES], 0, 0);
	*e->code_at = (unsigned char)code;
	memset(e->low, 0, 8);
	memcpy(e->low, &at, 4);
}

static void widen_kernel(struct walk *w, const struct entry *e)
{
	const struct isa_program *p = stub_program(w->o->w->s);
	uint32_t i = 0;
	while (i < p->n_functions && (p->functions[i]->first != w->pc || !p->functions[i]->is_kernel))
		i++;
	uint64_t code = i < p->n_functions ? own_abbrev_copy(w->o, w->table, e->code, OWN_FUNCTION, w->version) : 0;
	if (!code)
		return;
	uint32_t at = begin_ranges(w);
	put_function(w, i);
	put_range(&w->o->bytes[DIE_RANGES], 0, 0);
	*e->code_at = (unsigned char)code;
	memset(e->low, 0, 16);
	memcpy(e->low, &at, 4);
	e->low[4] = 11; /* bytes of the block of no meaning */
}

/* Reads an entry's attributes. */
static void attributes_of(struct walk *w, struct entry *e, struct cursor attributes)
{
	unsigned char *block;
	uint64_t n, value;
	uint32_t ignored;
	while (w->info.ok && attributes.ok) {
		uint64_t name = cursor_uleb(&attributes), form = cursor_uleb(&attributes);
		unsigned char *at = w->info.at;
		if (!name && !form)
			return;
		die_attribute(&w->info, w->address_size, form, &block, &n, &value);
		if (!w->info.ok)
			return;
		if (e->tag == TAG_UNIT && name == AT_PRODUCER && form == FORM_STRING)
			name_clang(&w->info, at);
		if (name == AT_NAME && form == FORM_STRING)
			e->name = at;
		if ((name == AT_LINKAGE_NAME || name == AT_MIPS_LINKAGE_NAME) && form == FORM_STRING)
			e->linkage = at;
		if (name == AT_DECL_LINE && (form == FORM_DATA1 || form == FORM_DATA2))
			e->line = at;
		if (name == AT_DECL_LINE)
			e->line_number = value;
		if (name == AT_BYTE_SIZE)
			e->bytes = value;
		if (name == AT_CONST_VALUE)
			e->value = (int64_t)value;
		if (e->tag == TAG_MEMBER && name == AT_TYPE && form == FORM_REF4) {
			e->type_at = at;
			e->type = value;
		}
		if (name == AT_LOW_PC && form == FORM_ADDR && w->address_size == 8)
			e->low = at;
		if (name == AT_HIGH_PC && form == FORM_ADDR && w->address_size == 8)
			e->high = at;
		if (e->tag == TAG_SUBPROGRAM && name == AT_LOW_PC)
			w->has_pc = index_of(w->o, value, &w->pc);
		if (is_variable(e) && (name == AT_TYPE || name == AT_ABSTRACT_ORIGIN))
			e->type = die_reference(form, value);
		if (e->tag == TAG_SUBPROGRAM &&
		    (name == AT_TYPE || name == AT_SPECIFICATION || name == AT_ABSTRACT_ORIGIN))
			e->type = die_reference(form, value);
		if (name == AT_LOCATION && block && w->has_pc)
			rewrite(w->o, block, n, w->pc, &ignored);
		if (name == AT_LOCATION) {
			e->location = block;
			e->n_location = n;
			e->list = value;
			e->has_list = !block;
		}
	}
}

static void entry(struct walk *w, struct entry e, struct cursor attributes)
{
	if (e.tag == TAG_SUBPROGRAM)
		w->has_pc = false;
	attributes_of(w, &e, attributes);
	struct own_named named = {w->table, e.code, w->version, e.code_at, e.name, e.line, e.value, "", false};
	if (w->info.ok && e.tag == TAG_ENUMERATION) {
		w->enumeration = named;
		own_enumeration(w->o, &w->enumeration);
	}
	if (w->info.ok && e.tag == TAG_ENUMERATOR)
		own_enumerator(w->o, &w->enumeration, &named);
	if (w->info.ok && e.tag == TAG_MEMBER)
		own_base_class(w->o, &named, e.type_at, e.type);
	bool is_class = w->info.ok && (e.tag == TAG_STRUCTURE || e.tag == TAG_CLASS || e.tag == TAG_UNION);
	if (is_class && e.name && debug_is_unnamed(w->o->w->s->d, (const char *)e.name))
		own_drop_name(w->o, &named);
	else if (is_class && e.tag != TAG_UNION)
		own_note_class(w->o, &w->unit,
			       &(struct own_class){(uint64_t)(e.code_at - w->unit.begin), e.line_number, e.bytes,
						   e.name, w->depth > 1});
	if (w->info.ok && is_variable(&e) && e.type && own_is_reference(w->o, &w->unit, e.type)) {
		if (e.location)
			own_hide_reference(e.location, e.n_location);
		else if (e.has_list)
			own_note_reference(w->o, e.list);
	}
	if (w->info.ok && e.tag == TAG_VARIABLE && w->depth == 1 && e.name && e.n_location == DWARF_PLACE_BYTES)
		own_global(w->o, &w->unit, &named, e.type, e.location);
	if (w->info.ok && e.tag == TAG_SUBPROGRAM && e.linkage)
		own_note_names(w->o, (const char *)e.linkage);
	if (!w->info.ok || !e.low)
		return;
	if (e.tag == TAG_UNIT)
		open_unit(w, &e);
	if (e.tag == TAG_SUBPROGRAM && w->has_pc && e.type)
		own_note_return(w->o, &w->unit, w->pc, e.type);
	if (e.tag == TAG_SUBPROGRAM && w->has_pc && e.high == e.low + 8)
		widen_kernel(w, &e);
	named.code = *e.code_at;
	if (e.tag == TAG_SUBPROGRAM && named.code < 0x80)
		own_static_function(w->o, &named, e.linkage);
}

/* What doesn't say its access is for gdb, in version 2, private if it is a base class and else public. clang (-g) means what C++ means, as
 * version 3 has it; nothing else that compilers write is different there. */
static bool walk_unit(struct walk *w)
{
	unsigned char *begin = w->info.at;
	uint64_t length = cursor_fixed(&w->info, 4);
	if (!w->info.ok || length > (uint64_t)(w->info.end - w->info.at))
		return false;
	unsigned char *end = w->info.at + length;
	w->version = (unsigned)cursor_fixed(&w->info, 2);
	w->table = cursor_fixed(&w->info, 4);
	w->address_size = (unsigned)cursor_fixed(&w->info, 1);
	if (w->info.ok && w->version == 2)
		begin[4] = 3;
	if (w->version < 2 || w->version > 4 || (w->address_size != 8 && w->address_size != 4))
		return false;
	w->depth = 0;
	w->unit = (struct own_unit){begin, end, w->table, w->address_size};
	while (w->info.ok && w->info.at < end) {
		struct cursor attributes;
		struct entry e = {.code_at = w->info.at};
		e.code = cursor_uleb(&w->info);
		if (!e.code) {
			w->depth -= w->depth > 0;
			continue;
		}
		if (!own_abbrev(w->o, w->table, e.code, &attributes, &e.tag))
			return false;
		bool children = attributes.at[-1] != 0;
		entry(w, e, attributes);
		w->depth += children;
	}
	own_settle_bases(w->o);
	return w->info.ok;
}

bool own_walk(struct own *o)
{
	struct text *t = &o->bytes[DIE_INFO];
	struct walk w = {.o = o, .info = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true}};
	while (w.info.at < w.info.end)
		if (!walk_unit(&w))
			return false;
	return walk_lists(o);
}
