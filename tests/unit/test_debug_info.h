/* Debug information made by hand, for the tests of who reads it. */
#ifndef TEST_DEBUG_INFO_H
#define TEST_DEBUG_INFO_H

#include "test_debug_fixture.h"

#include "base/text.h"

enum {
	UNIT = 1,
	BASE,
	VARIABLE,
	STRUCT,
	MEMBER,
	POINTER,
	TYPEDEF,
	ARRAY,
	COUNT,
	BITS,
	ENUM,
	ENUMERATOR,
	UNION,
	REFERENCE,
	FAR_BITS,
	LISTED,
	SHARED_NAME,
	WIDE_STRUCT,
	FUNCTION,
	PLACED,
	SHARED_CONSTANT,
	UNNAMED_CONSTANT
};

/* code, tag, has children, then name and form of each attribute */
/* clang-format off */
static const unsigned char abbrevs[] = {
	UNIT, 0x11, 1, 0, 0,
	BASE, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0, /* name, byte_size, encoding */
	VARIABLE, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x0a, 0, 0, /* name, type, location */
	STRUCT, 0x13, 1, 0x03, 0x08, 0x0b, 0x06, 0, 0, /* name, byte_size */
	MEMBER, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b, 0, 0, /* name, type, data_member_location */
	POINTER, 0x0f, 0, 0x49, 0x13, 0, 0,
	TYPEDEF, 0x16, 0, 0x03, 0x08, 0x49, 0x13, 0, 0,
	ARRAY, 0x01, 1, 0x49, 0x13, 0, 0,
	COUNT, 0x21, 0, 0x37, 0x07, 0, 0,
	BITS, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x0d, 0x0b, 0x6b, 0x0b, 0, 0, /* name, type, bit_size, data_bit_offset */
	ENUM, 0x04, 1, 0x03, 0x08, 0x0b, 0x0b, 0, 0,
	ENUMERATOR, 0x28, 0, 0x03, 0x08, 0x1c, 0x0d, 0, 0, /* name, const_value as sdata */
	UNION, 0x17, 1, 0x03, 0x08, 0x0b, 0x06, 0, 0,
	REFERENCE, 0x10, 0, 0x49, 0x13, 0, 0,
	FAR_BITS, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x07, 0x0d, 0x0b, 0, 0, /* ..., data_member_location, bit_size */
	LISTED, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x06, 0, 0,
	SHARED_NAME, 0x16, 0, 0x03, 0x0e, 0x49, 0x13, 0, 0, /* name in .debug_str, type */
	WIDE_STRUCT, 0x13, 0, 0x03, 0x08, 0x0b, 0x07, 0, 0, /* name, byte_size in eight bytes */
	FUNCTION, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x0b, 0, 0, /* name, low_pc, high_pc as a length */
	PLACED, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0, /* name, type, location of any length */
	SHARED_CONSTANT, 0x28, 0, 0x03, 0x0e, 0x1c, 0x0d, 0, 0, /* name in .debug_str, const_value */
	UNNAMED_CONSTANT, 0x28, 0, 0x1c, 0x0d, 0, 0,
	0
};
/* clang-format on */

#define ADDRESS_MARK '\xee' /* eight bytes that stand for the address of `data` */
#define CODE_MARK '\xef'    /* and of `kernel` */

struct info {
	struct text t;
};

static inline void put(struct info *i, uint64_t v, unsigned bytes) { text_addn(&i->t, (const char *)&v, bytes); }

static inline void name(struct info *i, const char *s) { text_addn(&i->t, s, strlen(s) + 1); }

static inline struct info begin(void)
{
	struct info i = {0};
	put(&i, 0, 4); /* its length, in the end */
	put(&i, 2, 2);
	put(&i, 0, 4);
	put(&i, 8, 1);
	put(&i, UNIT, 1);
	return i;
}

/* An entry begins; its place in the unit. */
static inline uint32_t entry(struct info *i, unsigned code, const char *called)
{
	uint32_t at = (uint32_t)i->t.n;
	put(i, code, 1);
	if (called)
		name(i, called);
	return at;
}

static inline uint32_t base(struct info *i, const char *called, unsigned bytes, unsigned encoding)
{
	uint32_t at = entry(i, BASE, called);
	put(i, bytes, 1);
	put(i, encoding, 1);
	return at;
}

static inline uint32_t with_type(struct info *i, unsigned code, const char *called, uint32_t type)
{
	uint32_t at = entry(i, code, called);
	put(i, type, 4);
	return at;
}

static inline uint32_t structure(struct info *i, unsigned code, const char *called, uint32_t bytes)
{
	uint32_t at = entry(i, code, called);
	put(i, bytes, 4);
	return at;
}

static inline void member(struct info *i, const char *called, uint32_t type, unsigned offset)
{
	with_type(i, MEMBER, called, type);
	put(i, offset, 1);
}

static inline uint32_t array(struct info *i, uint32_t type, uint64_t count)
{
	uint32_t at = with_type(i, ARRAY, NULL, type);
	put(i, COUNT, 1);
	put(i, count, 8);
	put(i, 0, 1);
	return at;
}

static inline void variable(struct info *i, const char *called, uint32_t type)
{
	with_type(i, VARIABLE, called, type);
	put(i, 9, 1);
	put(i, 0x03, 1);
	text_addc(&i->t, ADDRESS_MARK);
	put(i, 0, 7);
}

static inline void patch(struct info *i, uint32_t at, uint32_t v) { memcpy(i->t.s + at, &v, 4); }

static inline void end(struct info *i)
{
	put(i, 0, 1);
	patch(i, 0, (uint32_t)i->t.n - 4);
}

static const char program[] =
	".version 8.3\n.target sm_80\n.address_size 64\n"
	".const .align 8 .b8 data[32] = {1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 0, 0, 128, 63, 104, 105};\n"
	".visible .entry kernel()\n{\n\tret;\n}\n";

static inline void section(struct text *out, const char *called, const unsigned char *p, size_t n)
{
	text_addf(out, ".section %s\n{\n", called);
	for (size_t i = 0; i < n; i++)
		if ((p[i] == (unsigned char)ADDRESS_MARK || p[i] == (unsigned char)CODE_MARK) && n - i >= 8) {
			text_addf(out, ".b64 %s\n", p[i] == (unsigned char)CODE_MARK ? "kernel" : "data");
			i += 7;
		} else {
			text_addf(out, ".b8 %u\n", p[i]);
		}
	text_add(out, "}\n");
}

static inline void load_with(struct fixture *f, const char *code, const char *info, size_t n, const char *more)
{
	struct text ptx = {0};
	text_add(&ptx, code);
	section(&ptx, ".debug_info", (const unsigned char *)info, n);
	section(&ptx, ".debug_abbrev", abbrevs, sizeof abbrevs);
	text_add(&ptx, more);
	fixture_begin(f, "k.ptx", text_str(&ptx));
	text_free(&ptx);
}

/* `more`: sections that are added. */
static inline void load(struct fixture *f, const char *info, size_t n, const char *more)
{
	load_with(f, program, info, n, more);
}

static inline void loaded_with(struct fixture *f, const char *code, struct info *i)
{
	end(i);
	load_with(f, code, i->t.s, i->t.n, "");
	text_free(&i->t);
}

static inline void loaded(struct fixture *f, struct info *i) { loaded_with(f, program, i); }

#endif
