#include "isa/plus.h"

#include <string.h>

#include "isa/handlers.h"
#include "isa/program.h"

const struct isa_condition_info isa_condition_info[ISA_CONDITIONS] = {
#define CONDITION(id, sass, code, truth) {#id, sass, code, truth},
#include "isa/plus_conditions.def"
};

enum isa_condition isa_condition_find(const char *s, size_t n)
{
	unsigned k = 0;
	if (n == 5 && !memcmp(s, "false", 5)) /* as the converter writes it */
		return ISA_CONDITION_fl;
	while (k < ISA_CONDITIONS && (strlen(isa_condition_info[k].name) != n || memcmp(isa_condition_info[k].name, s, n)))
		k++;
	return (enum isa_condition)k;
}

bool isa_insn_has_plus(const struct isa_insn *i)
{
	return i->handler == ISA_H_plus || i->handler == ISA_H_plus_brx;
}

const struct isa_plus *isa_plus_of(const struct isa_program *p, const struct isa_insn *i)
{
	return (const struct isa_plus *)(const void *)&p->aux[i->handler == ISA_H_plus_brx ? i->d : i->aux];
}

uint32_t isa_plus_at(const struct isa_program *p, uint32_t first, uint32_t end, uint32_t offset)
{
	uint32_t at = 0, k = first;
	while (k < end && at < offset)
		at += isa_insn_bytes(&p->insns[k++]);
	return k < end && at == offset ? k : ISA_NO_TARGET;
}

uint32_t isa_plus_find(const uint32_t *addresses, uint32_t first, uint32_t offset)
{
	const uint32_t n = addresses[0], *at = addresses + 1;
	uint32_t low = 0, high = n;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (at[middle] < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && at[low] == offset ? first + low : ISA_NO_TARGET;
}
