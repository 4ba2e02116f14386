/* Goes through the entries of a program's own .debug_info. Only two things in them need work: locations in registers, which a
 * compiler writes as DW_OP_regx of the register's name taken as a number, and the registers of location lists. Both become places in
 * the lane's made-up frame, in as many bytes as there were. */
#include <string.h>

#include "gdbstub/bytes.h"
#include "gdbstub/dwarf_own.h"

#define OP_REGX 0x90u
#define OP_BREG7 0x77u
#define OP_NOP 0x96u

#define AT_LOCATION 0x02u
#define AT_LOW_PC 0x11u
#define AT_HIGH_PC 0x12u
#define TAG_UNIT 0x11u
#define TAG_SUBPROGRAM 0x2eu

struct cursor {
	unsigned char *at, *end;
	bool ok;
};

static uint64_t fixed(struct cursor *c, unsigned bytes)
{
	uint64_t v = 0;
	if ((size_t)(c->end - c->at) < bytes) {
		c->ok = false;
		c->at = c->end;
		return 0;
	}
	memcpy(&v, c->at, bytes);
	c->at += bytes;
	return v;
}

static uint64_t uleb(struct cursor *c)
{
	uint64_t v = 0;
	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		unsigned char b = *c->at++;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	c->ok = false;
	return 0;
}

static void skip(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->at) < n) {
		c->ok = false;
		c->at = c->end;
	} else {
		c->at += n;
	}
}

/* ---- registers ---- */

/* The name that was made a number: its characters, the first one highest. */
static size_t register_name(uint64_t v, char out[9])
{
	size_t n = 0;
	for (int i = 7; i >= 0; i--) {
		char c = (char)(v >> 8 * i & 0xff);
		if (c || n)
			out[n++] = c;
	}
	out[n] = '\0';
	return n;
}

/* Turns `DW_OP_regx NAME` at the beginning of an expression into the register's place. */
static void rewrite(const struct own *o, unsigned char *e, size_t n, uint32_t pc)
{
	const struct isa_function *f = isa_program_function_at(stub_program(o->w->s), pc);
	struct cursor c = {e + 1, e + n, true};
	struct isa_reg_place r;
	struct text t = {0};
	char name[9];
	if (n < 2 || e[0] != OP_REGX || !f)
		return;
	size_t n_name = register_name(uleb(&c), name);
	size_t room = (size_t)(c.at - e);
	if (!c.ok || !isa_function_find_reg(f, name, n_name, pc, &r))
		return;
	put8(&t, OP_BREG7);
	put_sleb(&t, r.is_pred ? f->frame_bytes / LANES + r.ref : ISA_REF_OFFSET(r.ref) / LANES);
	while (t.n < room)
		put8(&t, OP_NOP);
	if (t.n == room)
		memcpy(e, t.s, room);
	text_free(&t);
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
	struct text *t = &o->bytes[OWN_LOC];
	struct cursor c = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true};
	uint32_t pc;
	while (c.ok && c.at < c.end) {
		uint64_t begin = fixed(&c, 8), end = fixed(&c, 8);
		if (!begin && !end)
			continue;
		uint64_t n = fixed(&c, 2);
		unsigned char *e = c.at;
		skip(&c, n);
		if (c.ok && index_of(o, begin, &pc))
			rewrite(o, e, n, pc);
	}
	return c.ok;
}

/* ---- entries ---- */

struct walk {
	struct own *o;
	struct cursor info;
	unsigned address_size;
	uint32_t pc; /* where the function begins whose entries are read */
	bool has_pc;
};

/* Attributes and forms of an abbreviation; false: there is none of that number. */
static bool find_abbrev(const struct own *o, uint64_t table, uint64_t code, struct cursor *attributes, uint64_t *tag)
{
	const struct text *t = &o->bytes[OWN_ABBREV];
	if (table < o->base[OWN_ABBREV] || table - o->base[OWN_ABBREV] > t->n)
		return false;
	struct cursor c = {(unsigned char *)t->s + (table - o->base[OWN_ABBREV]), (unsigned char *)t->s + t->n, true};
	while (c.ok && c.at < c.end) {
		uint64_t this = uleb(&c);
		if (!this)
			return false;
		*tag = uleb(&c);
		skip(&c, 1);
		*attributes = c;
		if (this == code)
			return c.ok;
		for (uint64_t a = 1, f = 1; c.ok && (a || f);) {
			a = uleb(&c);
			f = uleb(&c);
		}
	}
	return false;
}

/* Skips a value; *block and its length are set if it is one. */
static void attribute(struct walk *w, uint64_t form, unsigned char **block, uint64_t *n, uint64_t *value)
{
	struct cursor *c = &w->info;
	*block = NULL;
	*n = *value = 0;
	switch (form) {
	case 0x01: *value = fixed(c, w->address_size); return; /* addr */
	case 0x0b:					       /* data1 */
	case 0x0c:					       /* flag */
	case 0x11: fixed(c, 1); return;			       /* ref1 */
	case 0x05:					       /* data2 */
	case 0x12: fixed(c, 2); return;			       /* ref2 */
	case 0x06:					       /* data4 */
	case 0x0e:					       /* strp */
	case 0x13:					       /* ref4 */
	case 0x10:					       /* ref_addr */
	case 0x17: fixed(c, 4); return;			       /* sec_offset */
	case 0x07:					       /* data8 */
	case 0x14: fixed(c, 8); return;			       /* ref8 */
	case 0x0d:					       /* sdata */
	case 0x0f:					       /* udata */
	case 0x15: uleb(c); return;			       /* ref_udata */
	case 0x19: return;				       /* flag_present */
	case 0x08:					       /* string */
		while (fixed(c, 1))
			;
		return;
	case 0x0a: *n = fixed(c, 1); break; /* block1 */
	case 0x03: *n = fixed(c, 2); break; /* block2 */
	case 0x04: *n = fixed(c, 4); break; /* block4 */
	case 0x09:			    /* block */
	case 0x18: *n = uleb(c); break;	    /* exprloc */
	default: c->ok = false; return;
	}
	*block = c->at;
	skip(c, *n);
}

/* A unit's range is from its first function to its last, in the order of the text; ours is another one. */
static void widen(struct walk *w, bool is_high)
{
	const struct isa_program *p = stub_program(w->o->w->s);
	uint32_t first = UINT32_MAX, end = 0;
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (!f->is_defined || f->file != w->o->file || f->unloaded || f->first >= f->end)
			continue;
		first = f->first < first ? f->first : first;
		end = f->end > end ? f->end : end;
	}
	uint64_t address = dwarf_address(w->o->w, is_high ? end : first);
	if (end)
		memcpy(w->info.at - 8, &address, 8);
}

static void entry(struct walk *w, uint64_t tag, struct cursor attributes)
{
	unsigned char *block;
	uint64_t n, value;
	if (tag == TAG_SUBPROGRAM)
		w->has_pc = false;
	while (w->info.ok && attributes.ok) {
		uint64_t name = uleb(&attributes), form = uleb(&attributes);
		if (!name && !form)
			return;
		attribute(w, form, &block, &n, &value);
		if (!w->info.ok)
			return;
		if (tag == TAG_UNIT && form == 0x01 && value && w->address_size == 8)
			widen(w, name == AT_HIGH_PC);
		if (tag == TAG_SUBPROGRAM && name == AT_LOW_PC)
			w->has_pc = index_of(w->o, value, &w->pc);
		if (name == AT_LOCATION && block && w->has_pc)
			rewrite(w->o, block, n, w->pc);
	}
}

static bool walk_unit(struct walk *w)
{
	uint64_t length = fixed(&w->info, 4), tag = 0;
	if (!w->info.ok || length > (uint64_t)(w->info.end - w->info.at))
		return false;
	unsigned char *end = w->info.at + length;
	uint64_t version = fixed(&w->info, 2), table = fixed(&w->info, 4);
	w->address_size = (unsigned)fixed(&w->info, 1);
	if (version < 2 || version > 4 || (w->address_size != 8 && w->address_size != 4))
		return false;
	while (w->info.ok && w->info.at < end) {
		struct cursor attributes;
		uint64_t code = uleb(&w->info);
		if (!code)
			continue;
		if (!find_abbrev(w->o, table, code, &attributes, &tag))
			return false;
		entry(w, tag, attributes);
	}
	return w->info.ok;
}

bool own_walk(struct own *o)
{
	struct text *t = &o->bytes[OWN_INFO];
	struct walk w = {.o = o, .info = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true}};
	while (w.info.at < w.info.end)
		if (!walk_unit(&w))
			return false;
	return walk_lists(o);
}
