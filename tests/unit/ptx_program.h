/* Loading PTX text in a test and looking at what became of it. */
#ifndef TESTS_PTX_PROGRAM_H
#define TESTS_PTX_PROGRAM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "isa/address_map.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/print.h"
#include "isa/special.h"
#include "frontend/frontend.h"

#define HEAD ".version 8.3\n.target sm_90\n.address_size 64\n"

static struct isa_program p;
static struct diag_list diags;

static inline int setup(void **state)
{
	(void)state;
	isa_program_init(&p);
	diag_list_init(&diags);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	isa_program_free(&p);
	diag_list_free(&diags);
	return 0;
}

static inline bool load(const char *name, const char *text)
{
	bool ok = frontend_load_text(&p, 0, name, text, strlen(text), &diags);
	struct text t = {0};

	for (size_t i = 0; i < diags.n && !ok; i++)
		diag_format(&t, &diags.v[i]);
	if (!ok)
		print_message("%s", text_str(&t));
	text_free(&t);
	return ok;
}

/* Loads a kernel `k` around a body. */
static inline const struct isa_function *load_body(const char *declarations, const char *body)
{
	struct text t = {0};

	text_addf(&t, HEAD "%s.visible .entry k(.param .u64 p0, .param .u32 p1)\n{\n%s\n}\n", declarations, body);
	assert_true(load("t.ptx", text_str(&t)));
	text_free(&t);
	const struct isa_function *f = isa_program_find_function(&p, "k");
	assert_non_null(f);
	return f;
}

static inline const struct isa_insn *at(const struct isa_function *f, uint32_t k)
{
	assert_true(k < f->end - f->first);
	return &p.insns[f->first + k];
}

static inline const char *handler(const struct isa_insn *i) { return isa_handler_names[i->handler]; }

static inline struct isa_reg_place reg(const struct isa_function *f, const char *name, uint32_t k)
{
	struct isa_reg_place place;

	assert_true(isa_function_find_reg(f, name, strlen(name), f->first + k, &place));
	return place;
}

static inline uint64_t const_lane(uint32_t ref, unsigned bytes, unsigned lane)
{
	uint64_t v = 0;

	assert_int_equal(ISA_REF_BASE(ref), ISA_BASE_CONST);
	assert_true(ISA_REF_OFFSET(ref) + 32 * bytes <= p.n_consts);
	memcpy(&v, p.consts + ISA_REF_OFFSET(ref) + lane * bytes, bytes);
	return v;
}

/* A constant row: all lanes have the value. */
static inline void check_const(uint32_t ref, unsigned bytes, uint64_t want)
{
	for (unsigned lane = 0; lane < 32; lane++)
		assert_int_equal(const_lane(ref, bytes, lane), want);
}

/* The registers of an instruction as "writes | reads". */
static inline void check_rw(const struct isa_function *f, uint32_t k, const char *want)
{
	const struct isa_where *w = &p.where[f->first + k];
	struct text t = {0};
	char name[64];

	for (uint32_t i = 0; i < (uint32_t)w->n_writes + w->n_reads; i++) {
		if (i == w->n_writes)
			text_add(&t, "| ");
		assert_true(isa_function_reg_name(f, p.rw[w->rw + i], name, sizeof name));
		text_addf(&t, "%s ", name);
	}
	if (!w->n_reads)
		text_add(&t, "| ");
	assert_string_equal(text_str(&t), want);
	text_free(&t);
}

/* The listing of a function's instructions without their numbers. */
static inline void check_listing(const struct isa_function *f, const char *want)
{
	struct text t = {0};

	for (uint32_t i = f->first; i < f->end; i++) {
		isa_insn_print(&p, i, &t);
		text_addc(&t, '\n');
	}
	assert_string_equal(text_str(&t), want);
	text_free(&t);
}

#endif
