/* Random operands of tensor instructions, the same as those of tests/tensor/vectors.txt. Include after cmocka.h. */
#ifndef TESTS_TENSOR_VECTORS_H
#define TESTS_TENSOR_VECTORS_H

#include <stdio.h>
#include <string.h>

#include "exec/tensor.h"

struct vector_random {
	uint64_t z; /* splitmix64 */
};

static inline uint64_t vector_next(struct vector_random *r)
{
	uint64_t z = r->z += UINT64_C(0x9E3779B97F4A7C15);
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/* An element: mode 0 any finite number, 1 of about the size of 1, 2 with zeros and subnormal numbers, 3 with infinities and NaN, too. */
static inline uint32_t vector_element(struct vector_random *random, enum isa_element e, unsigned mode)
{
	const struct isa_element_info *f = &isa_element_info[e];
	const unsigned fraction_bits = e == ISA_EL_TF32 ? 23 : f->fraction;
	const uint64_t r = vector_next(random), s = r >> 40;
	const int all = (1 << f->exponent) - 1, bias = all >> 1;
	uint32_t fraction = (uint32_t)(r >> 1) & ((1u << fraction_bits) - 1);
	int exponent;
	if (e == ISA_EL_UE8M0)
		return (uint32_t)(mode ? 119 + s % 17 : 100 + s % 54);
	if (mode == 0) {
		exponent = (int)(s % (uint64_t)all);
	} else if (mode == 1) {
		exponent = bias - 3 + (int)(s % 7);
	} else {
		exponent = bias - 8 + (int)((s >> 4) % 17);
		if (s % 8 == 0)
			fraction = 0;
		if (s % 8 <= 1)
			exponent = 0;
		else if (mode == 3 && s % 8 == 2)
			exponent = all;
	}
	exponent = exponent < 0 ? 0 : exponent > all ? all : exponent;
	if (exponent == all && mode != 3 && f->exponent > 2)
		exponent = all - 1;
	if (e == ISA_EL_TF32 && exponent == all) /* bits that the hardware doesn't read make no NaN of an infinity */
		fraction &= ~UINT32_C(0x1fff);
	const uint32_t sign = e == ISA_EL_UE4M3 ? 0 : (uint32_t)(r & 1);
	return sign << (f->exponent + fraction_bits) | (uint32_t)exponent << fraction_bits | fraction;
}

/* Reads m16n8k16.f32.f16.f16.f32, or without the last type. */
static inline void vector_tensor(const char *qualifier, struct isa_tensor *t)
{
	unsigned m, n, k;
	char name[6][16] = {{0}};
	static const enum isa_matrix order[] = {ISA_MATRIX_D, ISA_MATRIX_A, ISA_MATRIX_B, ISA_MATRIX_C};
	*t = (struct isa_tensor){.kind = ISA_TENSOR_MMA};
	const int names = sscanf(qualifier, "m%un%uk%u.%15[^.].%15[^.].%15[^.].%15[^.].%15[^.].%15[^.]", &m, &n, &k, name[0], name[1], name[2], name[3], name[4], name[5]) - 3;
	const int skip = !strncmp(name[0], "block", 5);
	t->m = (uint16_t)m;
	t->n = (uint16_t)n;
	t->k = (uint16_t)k;
	for (int i = 0; i < 4; i++)
		t->element[order[i]] = (uint8_t)isa_element_find(name[i + skip], strlen(name[i + skip]));
	if (names - skip < 4)
		t->element[ISA_MATRIX_C] = t->element[ISA_MATRIX_D];
	if (!skip)
		return;
	t->flags = ISA_TENSOR_SCALED;
	t->scale = (uint8_t)isa_element_find(name[5], strlen(name[5]));
	t->scale_vec = (uint8_t)(k / (unsigned)(10 * (name[0][5] - '0') + name[0][6] - '0'));
}

static inline enum exec_tensor vector_generation(const char *name)
{
	static const char *const names[] = {"", "Volta", "Turing", "Ampere", "Ada_Lovelace", "Hopper", "Blackwell"};
	for (unsigned k = 1; k < EXEC_TENSORS; k++)
		if (!strcmp(names[k], name))
			return (enum exec_tensor)k;
	return EXEC_TENSOR_BLACKWELL;
}

#endif
