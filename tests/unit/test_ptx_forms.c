/* The table of forms: every opcode seen in real programs is known, modifiers decode, mistakes are explained. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/forms.h"
#include "ptx/opcode.h"

static struct ptx_module module;

static const struct ptx_opcode *intern(const char *text)
{
	return ptx_opcode_intern(&module, (struct ptx_slice){text, (uint32_t)strlen(text)});
}

static int setup(void **state)
{
	(void)state;
	module = (struct ptx_module){.address_size = 64};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	hash_map_free(&module.opcodes);
	pool_free(&module.pool);
	return 0;
}

static void opcodes_are_sorted(void **state)
{
	(void)state;
	for (unsigned i = 2; i < ISA_OPCODE_COUNT; i++)
		assert_true(strcmp(isa_opcode_info[i - 1].name, isa_opcode_info[i].name) < 0);
	for (unsigned i = 1; i < ISA_OPCODE_COUNT; i++)
		assert_int_equal(isa_opcode_find(isa_opcode_info[i].name, (unsigned)strlen(isa_opcode_info[i].name)),
				 i);
	assert_int_equal(isa_opcode_find("ad", 2), ISA_OP_NONE);
	assert_int_equal(isa_opcode_find("adds", 4), ISA_OP_NONE);
	assert_int_equal(isa_opcode_find("", 0), ISA_OP_NONE);
}

/* Each mnemonic has a form, and each form's patterns parse for whatever types. */
static void table_is_sound(void **state)
{
	static const uint8_t types[4] = {ISA_U32, ISA_U32, ISA_U32, ISA_U32};

	(void)state;
	for (unsigned i = 1; i < ISA_OPCODE_COUNT; i++) {
		bool found = isa_op_is_plus(i); /* those have none */

		for (unsigned k = 0; k < ptx_form_count; k++)
			found |= ptx_form_is_for(&ptx_forms[k], isa_opcode_info[i].name,
						 (unsigned)strlen(isa_opcode_info[i].name));
		if (!found)
			fail_msg("no form for %s", isa_opcode_info[i].name);
	}
	for (unsigned k = 0; k < ptx_form_count; k++) {
		struct ptx_rule rules[PTX_MAX_RULES];
		struct ptx_form_group g;
		const char *at = NULL;

		while (ptx_form_next_group(&ptx_forms[k], &at, &g)) {
			struct ptx_form_words it;
			struct ptx_form_word w;

			ptx_form_words_init(&it, &g);
			while (ptx_form_next_word(&it, &w))
				assert_true(w.n > 0);
		}
		assert_true(ptx_form_rules(&ptx_forms[k], types, 4, 64, true, rules) <= PTX_MAX_RULES);
	}
}

/* tests/ptx/opcodes-seen.txt: what nvcc 13.0 wrote for 846 real CUDA files. */
static void all_opcodes_seen_are_known(void **state)
{
	static char lines[1000][100];
	unsigned n = 0, bad = 0;
	FILE *f = fopen("../ptx/opcodes-seen.txt", "r"); /* tests run in tests/unit */

	(void)state;
	assert_non_null(f);
	while (n < 1000 && fgets(lines[n], sizeof(lines[n]), f)) {
		lines[n][strcspn(lines[n], "\n")] = 0;
		const struct ptx_opcode *op = intern(lines[n++]);

		if (!op->form) {
			print_error("%s: %s\n", op->text.s, op->error);
			bad++;
		}
	}
	fclose(f);
	assert_true(n >= 738);
	assert_int_equal(bad, 0);
}

struct decoded {
	const char *text, *canonical;
	uint8_t type, type2, rnd, cmp, boolop, atom, space, vec;
	uint32_t flags;
};

static const struct decoded decoded_rows[] = {
	{"fma.rn.ftz.sat.f32", "fma_rn_ftz_sat_f32", ISA_F32, 0, ISA_RND_RN, 0, 0, 0, 0, 1, ISA_F_FTZ | ISA_F_SAT},
	{"fma.ftz.rn.f32", "fma_rn_ftz_f32", ISA_F32, 0, ISA_RND_RN, 0, 0, 0, 0, 1, ISA_F_FTZ},
	{"setp.lo.and.u32", "setp_lo_and_u32", ISA_U32, 0, 0, ISA_CMP_LO, ISA_BOOL_AND, 0, 0, 1, 0},
	{"setp.hi.u32", "setp_hi_u32", ISA_U32, 0, 0, ISA_CMP_HI, 0, 0, 0, 1, 0},
	{"set.nan.f32.f32", "set_nan_f32_f32", ISA_F32, ISA_F32, 0, ISA_CMP_NAN, 0, 0, 0, 1, 0},
	{"ld.volatile.global.v4.u32", "ld_global_v4_u32", ISA_U32, 0, 0, 0, 0, 0, ISA_SPACE_GLOBAL, 4, 0},
	{"ld.global.volatile.u32", "ld_global_u32", ISA_U32, 0, 0, 0, 0, 0, ISA_SPACE_GLOBAL, 1, 0},
	{"ld.global.nc.L1::no_allocate.L2::128B.v2.f32", "ld_global_v2_f32", ISA_F32, 0, 0, 0, 0, 0, ISA_SPACE_GLOBAL,
	 2, 0},
	{"ld.acquire.gpu.u32", "ld_u32", ISA_U32, 0, 0, 0, 0, 0, 0, 1, 0},
	{"ld.shared::cta.u8", "ld_shared_u8", ISA_U8, 0, 0, 0, 0, 0, ISA_SPACE_SHARED, 1, 0},
	{"st.wb.shared.b64", "st_shared_b64", ISA_B64, 0, 0, 0, 0, 0, ISA_SPACE_SHARED, 1, 0},
	{"atom.or.acq_rel.cta.b32", "atom_or_b32", ISA_B32, 0, 0, 0, 0, ISA_ATOM_OR, 0, 1, 0},
	{"atom.global.add.noftz.f16x2", "atom_global_add_noftz_f16x2", ISA_F16X2, 0, 0, 0, 0, ISA_ATOM_ADD,
	 ISA_SPACE_GLOBAL, 1, 0},
	{"red.shared.max.s32", "red_shared_max_s32", ISA_S32, 0, 0, 0, 0, ISA_ATOM_MAX, ISA_SPACE_SHARED, 1, 0},
	{"vote.ballot.sync.b32", "vote_sync_ballot_b32", ISA_B32, 0, 0, 0, 0, 0, 0, 1, 0},
	{"vote.sync.uni.pred", "vote_sync_uni_pred", ISA_PRED, 0, 0, 0, 0, 0, 0, 1, 0},
	{"bar.red.popc.u32", "bar_red_popc_u32", ISA_U32, 0, 0, 0, ISA_BOOL_POPC, 0, 0, 1, 0},
	{"barrier.cta.red.or.aligned.pred", "barrier_red_or_pred", ISA_PRED, 0, 0, 0, ISA_BOOL_OR, 0, 0, 1, 0},
	{"bra.uni", "bra", 0, 0, 0, 0, 0, 0, 0, 1, 0},
	{"cvta.to.global.u64", "cvta_to_global_u64", ISA_U64, 0, 0, 0, 0, 0, ISA_SPACE_GLOBAL, 1, 0},
	{"cvt.rzi.sat.u8.f32", "cvt_rzi_sat_u8_f32", ISA_U8, ISA_F32, ISA_RND_RZI, 0, 0, 0, 0, 1, ISA_F_SAT},
	{"max.NaN.xorsign.abs.f32", "max_NaN_xorsign_abs_f32", ISA_F32, 0, 0, 0, 0, ISA_ATOM_NONE, 0, 1,
	 ISA_F_NAN | ISA_F_XORSIGN | ISA_F_ABS},
	{"mad.lo.cc.u32", "mad_lo_cc_u32", ISA_U32, 0, 0, 0, 0, 0, 0, 1, ISA_F_LO | ISA_F_CC},
	{"redux.sync.min.s32", "redux_sync_min_s32", ISA_S32, 0, 0, 0, 0, ISA_ATOM_MIN, 0, 1, 0},
	{"lop3.or.b32", "lop3_or_b32", ISA_B32, 0, 0, 0, ISA_BOOL_OR, 0, 0, 1, 0},
};

static void modifiers_decode(void **state)
{

	(void)state;
	for (size_t i = 0; i < sizeof(decoded_rows) / sizeof(*decoded_rows); i++) {
		const struct ptx_opcode *op = intern(decoded_rows[i].text);

		if (!op->form)
			fail_msg("%s: %s", decoded_rows[i].text, op->error);
		assert_string_equal(op->canonical, decoded_rows[i].canonical);
		assert_int_equal(op->types[0], decoded_rows[i].type);
		assert_int_equal(op->types[1], decoded_rows[i].type2);
		assert_int_equal(op->rnd, decoded_rows[i].rnd);
		assert_int_equal(op->cmp, decoded_rows[i].cmp);
		assert_int_equal(op->boolop, decoded_rows[i].boolop);
		assert_int_equal(op->atom, decoded_rows[i].atom);
		assert_int_equal(op->space, decoded_rows[i].space);
		assert_int_equal(op->vec, decoded_rows[i].vec);
		assert_int_equal(op->flags, decoded_rows[i].flags);
	}
	assert_ptr_equal(intern("bra.uni"), intern("bra.uni"));
}

static void mistakes_are_explained(void **state)
{
	static const struct {
		const char *text;
		uint32_t col;
		const char *says;
	} rows[] = {
		{"adds.u32", 0, "'adds' is not a PTX instruction; did you mean 'add'?"},
		{"ld.volatil.u32", 2, "did you mean '.volatile'?"},
		{"frobnicate.u32", 0, "'frobnicate' is not a PTX instruction"},
		{"add.foo.u32", 3, "has no modifier '.foo'"},
		{"add.sat.u32", 3, "'.sat' does not go with"},
		{"add.sat.u32", 3, "goes with .s32 .f32 .f16 .f16x2"},
		{"fma.f32", 0, "expected .rn .rz .rm .rp"},
		{"add.rn.rz.f32", 6, "'.rz' does not go with"},
		{"cvt.rn.f32", 0, "lacks a modifier"},
		{"exit.now", 4, "it takes none"},
		{"ld.global", 0, "expected .b8"},
		{"", 0, "not a PTX instruction"},
		{".u32", 0, "not a PTX instruction"},
		{"add.", 3, "has no modifier '.'"},
		{"add..u32", 3, "has no modifier '.'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct ptx_opcode *op = intern(rows[i].text);

		assert_null(op->form);
		if (!strstr(op->error, rows[i].says))
			fail_msg("%s: %s", rows[i].text, op->error);
		assert_int_equal(op->error_col, rows[i].col);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes_are_sorted),
		cmocka_unit_test(table_is_sound),
		cmocka_unit_test_setup_teardown(all_opcodes_seen_are_known, setup, teardown),
		cmocka_unit_test_setup_teardown(modifiers_decode, setup, teardown),
		cmocka_unit_test_setup_teardown(mistakes_are_explained, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
