/* One element of D, bit for bit, against what MMA-Sim computes (tests/tensor/README.md), for each generation, shape and type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/files.h"
#include "tensor_vectors.h"

#define VECTORS "../tensor/vectors.txt"

struct operands {
	uint32_t a[64], b[64], c;
	struct exec_tensor_scales sa, sb;
};

static void draw(struct vector_random *r, const struct isa_tensor *t, unsigned mode, struct operands *o)
{
	const unsigned k = t->k;
	for (unsigned i = 0; i < k; i++)
		o->a[i] = vector_element(r, (enum isa_element)t->element[ISA_MATRIX_A], mode);
	for (unsigned i = 0; i < k; i++)
		o->b[i] = vector_element(r, (enum isa_element)t->element[ISA_MATRIX_B], mode);
	o->c = vector_element(r, (enum isa_element)t->element[ISA_MATRIX_C], mode);
	for (unsigned i = 0; i < t->scale_vec; i++)
		o->sa.v[i] = vector_element(r, (enum isa_element)t->scale, mode);
	for (unsigned i = 0; i < t->scale_vec; i++)
		o->sb.v[i] = vector_element(r, (enum isa_element)t->scale, mode);
}

static uint32_t compute(const char *kind, enum exec_tensor generation, const struct isa_tensor *t, const struct operands *o)
{
	const struct exec_tensor_types types = {t->element[0], t->element[1], t->element[2], t->element[3]};
	struct exec_tensor_rules rules = exec_tensor_rules(generation, t);
	if (!strcmp(kind, "scaled"))
		return exec_tensor_scaled_dot(&(struct exec_tensor_element){t, o->a, o->b, t->k, (unsigned)t->k / t->scale_vec, o->c, o->sa, o->sb}, false);
	if (!strcmp(kind, "wgmma"))
		rules = exec_tensor_wgmma_rules(t);
	return exec_tensor_dot(&rules, &types, o->a, o->b, t->k, o->c, NULL);
}

/* A line: kind generation qualifier number count, then a result for each vector. */
static void check_line(char *line)
{
	char kind[16], generation[32], qualifier[64];
	unsigned number, count;
	int at;
	struct isa_tensor t;
	struct operands o;
	assert_int_equal(sscanf(line, "%15s %31s %63s %u %u%n", kind, generation, qualifier, &number, &count, &at), 5);
	struct vector_random r = {1000 + number};
	char *s = line + at;
	vector_tensor(qualifier, &t);
	const unsigned modes = strcmp(kind, "scaled") ? 4 : 3;
	for (unsigned v = 0; v < count; v++) {
		const uint32_t want = (uint32_t)strtoul(s, &s, 16);
		draw(&r, &t, v % modes, &o);
		const uint32_t have = compute(kind, vector_generation(generation), &t, &o);
		if (have != want)
			fail_msg("%s %s %s, vector %u: 0x%x, expected 0x%x", kind, generation, qualifier, v, have, want);
	}
}

static void vectors(void **state)
{
	size_t n;
	const char *path = getenv("TENSOR_VECTORS");
	unsigned lines = 0;
	(void)state;
	char *text = files_read(NULL, path ? path : VECTORS, FILES_READ, 1 << 28, &n);
	assert_non_null(text);
	for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), lines++)
		check_line(line);
	assert_true(lines >= 100);
	free(text);
}

/* Every f16, rounded from its own value and from those next to it. */
static void rounding_to_f16(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits < 0x7c00; bits++) {
		const double v = exec_tensor_value(ISA_EL_F16, bits), next = bits == 0x7bff ? 65536 : exec_tensor_value(ISA_EL_F16, bits + 1);
		assert_int_equal(exec_tensor_to_f16(v), bits);
		assert_int_equal(exec_tensor_to_f16(v + (next - v) * 0.25), bits);
		assert_int_equal(exec_tensor_to_f16(v + (next - v) * 0.5), bits + (bits & 1));
		assert_int_equal(exec_tensor_to_f16(-(v + (next - v) * 0.75)), 0x8000 | (bits + 1));
	}
}

/* The exact sum: what f64 or __float128 holds, and cancellation that they don't. */
static void exact_sums(void **state)
{
	const struct exec_tensor_types f32 = {ISA_EL_TF32, ISA_EL_TF32, ISA_EL_F32, ISA_EL_F32}, f16 = {ISA_EL_F16, ISA_EL_F16, ISA_EL_F16, ISA_EL_F16},
				       f64 = {ISA_EL_F64, ISA_EL_F64, ISA_EL_F64, ISA_EL_F64};
	(void)state;
	struct vector_random r = {7};
	for (unsigned n = 0; n < 2000; n++) {
		uint64_t a[8], b[8];
		double sum = exec_tensor_value(ISA_EL_F32, (uint32_t)(a[0] = vector_element(&r, ISA_EL_F32, 1)));
		const uint64_t c = a[0];
		for (unsigned k = 0; k < 8; k++) {
			a[k] = vector_element(&r, ISA_EL_TF32, 1);
			b[k] = vector_element(&r, ISA_EL_TF32, 1);
			sum += exec_tensor_value(ISA_EL_TF32, (uint32_t)a[k]) * exec_tensor_value(ISA_EL_TF32, (uint32_t)b[k]);
		}
		const float want = (float)sum; /* 22 bits of products from 2^-8 to 2^8: the f64 is exact */
		uint32_t bits;
		memcpy(&bits, &want, sizeof bits);
		assert_int_equal(exec_tensor_dot_exact(&f32, a, b, 8, c), bits);
	}
	const uint64_t huge[] = {0x7f000000, 0x7f000000, 0x3f800000}, factors[] = {0x7f000000, 0xff000000, 0x3f800000};
	assert_int_equal(exec_tensor_dot_exact(&f32, huge, factors, 3, 0x00000001), 0x3f800000); /* 2^254 - 2^254 + 1 + 2^-149 */
	assert_int_equal(exec_tensor_dot_exact(&f32, huge, factors, 1, 0), 0x7f800000);
	assert_int_equal(exec_tensor_dot_exact(&f32, huge, factors, 0, 0x80000001), 0x80000001);
	const uint64_t one = 0x3c00, small[] = {0x0001}, half[] = {0x3800};
	assert_int_equal(exec_tensor_dot_exact(&f16, small, half, 1, 0), 0); /* half of the least number: to even */
	assert_int_equal(exec_tensor_dot_exact(&f16, small, half, 1, 1), 2);
	assert_int_equal(exec_tensor_dot_exact(&f16, &(uint64_t){0x7bff}, &one, 1, 0x4c00), 0x7c00); /* 65504 + 16 */
	assert_int_equal(exec_tensor_dot_exact(&f16, &(uint64_t){0x7bff}, &one, 1, 0x4bff), 0x7bff);
	const uint64_t third = 0x3fd5555555555555, three = 0x4008000000000000, minus_one = 0xbff0000000000000;
	assert_int_equal(exec_tensor_dot_exact(&f64, &third, &three, 1, minus_one), 0xbc90000000000000); /* as fma: -2^-54 */
	const uint64_t least = 0x1;
	assert_int_equal(exec_tensor_dot_exact(&f64, &least, &three, 1, 0), 3);
	assert_int_equal(exec_tensor_dot_exact(&f64, &least, &least, 1, 0x8000000000000002), 0x8000000000000002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(vectors), cmocka_unit_test(rounding_to_f16), cmocka_unit_test(exact_sums)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
