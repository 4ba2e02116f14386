/* Goes through the entries of a program's own .debug_info. What in them needs work: locations in registers, which a compiler writes
 * as DW_OP_regx of the register's name taken as a number, and the registers of location lists, become places in the lane's made-up
 * frame; kernels get the places where threads are before they begin and after they have exited. All in as many bytes as there were. */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"
#include "gdbstub/image/frame_layout.h"

/* ---- registers ---- */

/* Turns `DW_OP_regx NAME` at the beginning of an expression into the register's place in the frame. */
static bool rewrite(const struct own *o, unsigned char *e, size_t n, uint32_t pc)
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
	put8(&t, OP_BREG7);
	put_sleb(&t, frame_offset(f, r.is_pred, r.ref));
	while (t.n < room)
		put8(&t, OP_NOP);
	bool fits = t.n == room;
	if (fits)
		memcpy(e, t.s, room);
	text_free(&t);
	return fits;
}

static bool index_of(const struct own *o, uint64_t address, uint32_t *pc)
{
	uint64_t at = address + o->w->base - EXEC_CODE_WINDOW;
	*pc = (uint32_t)(at / ISA_INSN_BYTES);
	return at / ISA_INSN_BYTES < stub_program(o->w->s)->n_insns;
}

/* ---- functions and units ---- */

static void put_range(struct text *t, uint64_t from, uint64_t to)
{
	put64(t, from);
	put64(t, to);
}

/* Adds the range of a function's code and, of a kernel, the places where its threads are before and after. */
static void put_function(struct own *o, uint32_t index)
{
	const struct isa_function *f = stub_program(o->w->s)->functions[index];
	struct text *ranges = &o->die.bytes[DIE_RANGES];
	uint64_t launch = dwarf_launch_address(o->w, index), end = dwarf_exit_address(o->w, index);
	put_range(ranges, dwarf_address(o->w, f->first), dwarf_address(o->w, f->end));
	if (!f->is_kernel)
		return;
	put_range(ranges, launch, launch + ISA_INSN_BYTES);
	put_range(ranges, end, end + ISA_INSN_BYTES);
}

/* Begins a list of ranges with whole addresses. Returns its offset. */
static uint32_t begin_ranges(struct own *o)
{
	struct text *ranges = &o->die.bytes[DIE_RANGES];
	uint32_t at = (uint32_t)(o->die.base[DIE_RANGES] + ranges->n);
	put_range(ranges, UINT64_MAX, 0);
	return at;
}

/* gdb looks for the end of a function's prologue by its lines only when the compiler is clang (amd64_skip_prologue), else it knows
 * x86 instructions alone. So nvcc's `lgenfe: EDG 6.6` becomes `clang : EDG 6.6`, and `break FUNCTION` stops where arguments are read. */
static void name_clang(const struct own *o, const struct die_entry *e)
{
	static const char clang[] = "clang ";
	unsigned char *name = die_value_at(&o->die, e, AT_PRODUCER, FORM_STRING);
	if (name && strlen((char *)name) >= sizeof clang - 1)
		memcpy(name, clang, sizeof clang - 1);
}

/* Addresses in the data are whole ones, not relative to the unit's. And gdb is to hear where all of its code is: the text's order, by which
 * a unit has a beginning and an end, isn't ours, and without them gdb takes the addresses of variables for code, too. Functions without
 * lines aren't in it, as a CPU's library functions: else the file's variables would be their locals. */
static void edit_unit(struct own *o, const struct die_entry *e)
{
	const struct isa_program *p = stub_program(o->w->s);
	unsigned char *low = die_value_at(&o->die, e, AT_LOW_PC, FORM_ADDR);
	name_clang(o, e);
	if (!low || o->die.units[e->unit].address_size != 8 || !own_edit(o, e, OWN_UNIT))
		return;
	uint32_t at = begin_ranges(o);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (f->is_defined && f->file == o->file && f->first < f->end && dwarf_has_lines(o->w, f))
			put_function(o, i);
	}
	put_range(&o->die.bytes[DIE_RANGES], 0, 0);
	memset(low, 0, 8);
	memcpy(low, &at, 4);
}

/* Adds to a kernel's code the places where its threads are before and after. */
static void widen_kernel(struct own *o, const struct die_entry *e, uint32_t pc, unsigned char *low)
{
	const struct isa_program *p = stub_program(o->w->s);
	uint32_t i = 0;
	while (i < p->n_functions && (p->functions[i]->first != pc || !p->functions[i]->is_kernel))
		i++;
	if (i == p->n_functions || !own_edit(o, e, OWN_FUNCTION))
		return;
	uint32_t at = begin_ranges(o);
	put_function(o, i);
	put_range(&o->die.bytes[DIE_RANGES], 0, 0);
	memset(low, 0, 16);
	memcpy(low, &at, 4);
	low[4] = 11; /* bytes of the block of no meaning */
}

static void edit_function(struct own *o, const struct die_entry *e)
{
	unsigned char *low = die_value_at(&o->die, e, AT_LOW_PC, FORM_ADDR);
	unsigned char *high = die_value_at(&o->die, e, AT_HIGH_PC, FORM_ADDR);
	const bool has_addresses = low && o->die.units[e->unit].address_size == 8;
	uint32_t pc;
	if (e->linkage)
		own_note_names(o, e->linkage);
	if (has_addresses && high == low + 8 && index_of(o, e->low, &pc))
		widen_kernel(o, e, pc, low);
	if (has_addresses)
		own_static_function(o, e);
}

void own_set_origin(struct own *o, const struct die_entry *block, uint64_t origin)
{
	unsigned char *low = die_value_at(&o->die, block, AT_LOW_PC, FORM_ADDR), *high = die_value_at(&o->die, block, AT_HIGH_PC, FORM_ADDR);
	if (!low || !block->has_low || !block->has_high || high != low + 8 || o->die.units[block->unit].address_size != 8 || !own_edit(o, block, OWN_BLOCK))
		return;
	const uint32_t at = begin_ranges(o), from = (uint32_t)origin;
	put_range(&o->die.bytes[DIE_RANGES], block->low, block->high);
	put_range(&o->die.bytes[DIE_RANGES], 0, 0);
	memcpy(low, &at, 4);
	memcpy(low + 4, &from, 4);
}

/* ---- variables ---- */

/* Returns true if the variable is a C++ reference. */
static bool is_reference(const struct own *o, const struct die_entry *e)
{
	const struct die_entry *of = e->type ? e : die_entry_at(&o->die, e->origin);
	const struct die_entry *type = of ? die_entry_at(&o->die, of->type) : NULL;
	return type && (type->tag == TAG_REFERENCE || type->tag == TAG_RVALUE_REFERENCE);
}

static void edit_list(struct own *o, const struct die_entry *e, bool hides)
{
	struct cursor c = die_list(&o->die, DIE_LOC, e->location_list);
	uint64_t begin, end;
	unsigned char *at;
	uint32_t pc;
	size_t n;
	while (die_list_next(&o->die, &c, &begin, &end) && die_list_expression(&o->die, &c, &at, &n))
		if (index_of(o, begin, &pc) && rewrite(o, at, n, pc) && hides)
			own_hide_reference(at, n);
}

/* Returns the first instruction of the function that an entry is in. Returns false if there is none. */
static bool function_of(const struct own *o, const struct die_entry *e, uint32_t *pc)
{
	while (e->tag != TAG_SUBPROGRAM && e->parent != UINT32_MAX)
		e = &o->die.entries[e->parent];
	return e->tag == TAG_SUBPROGRAM && e->has_low && index_of(o, e->low, pc);
}

static void edit_variable(struct own *o, const struct die_entry *e)
{
	const bool hides = is_reference(o, e);
	uint32_t pc;
	if (e->location && function_of(o, e, &pc))
		rewrite(o, e->location, e->n_location, pc);
	if (e->location && hides)
		own_hide_reference(e->location, e->n_location);
	if (e->has_list)
		edit_list(o, e, hides);
	if (e->tag == TAG_VARIABLE && e->parent != UINT32_MAX && o->die.entries[e->parent].tag == TAG_UNIT)
		own_global(o, e);
}

/* ---- all entries ---- */

static void edit_class(struct own *o, const struct die_entry *e)
{
	if (e->name && debug_is_unnamed(o->w->s->d, e->name))
		own_edit(o, e, OWN_UNNAMED);
	else if (e->tag != TAG_UNION)
		own_note_class(o, e);
}

/* Hides a bit-field without a name, which is padding. A member without a name that is no bit-field is an anonymous class or union. */
static void edit_member(struct own *o, const struct die_entry *e)
{
	if (!e->has_bits || (e->name && *e->name) || !own_edit(o, e, OWN_HIDDEN))
		own_base_class(o, e);
}

/* What doesn't say its access is for gdb, in version 2, private if it is a base class and else public. clang (-g) means what C++ means, as
 * version 3 has it; nothing else that compilers write is different there. */
static void raise_versions(struct own *o)
{
	for (size_t i = 0; i < o->die.n_units; i++)
		if (o->die.units[i].version == 2)
			o->die.bytes[DIE_INFO].s[o->die.units[i].begin + 4] = 3;
}

void own_walk(struct own *o)
{
	struct own_enumeration enumeration = {.e = NULL};
	raise_versions(o);
	for (const struct die_entry *e = o->die.entries; e < o->die.entries + o->die.n_entries; e++)
		switch (e->tag) {
		case TAG_UNIT: edit_unit(o, e); break;
		case TAG_SUBPROGRAM: edit_function(o, e); break;
		case TAG_VARIABLE:
		case TAG_PARAMETER: edit_variable(o, e); break;
		case TAG_ENUMERATION: own_enumeration(o, &enumeration, e); break;
		case TAG_ENUMERATOR: own_enumerator(o, &enumeration, e); break;
		case TAG_MEMBER: edit_member(o, e); break;
		case TAG_STRUCTURE:
		case TAG_CLASS:
		case TAG_UNION: edit_class(o, e); break;
		default: break;
		}
	own_captures(o);
}
