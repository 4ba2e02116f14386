#include "timing/core/pipe_print.h"

#include <stdio.h>

#include "timing/core/units.h"

void pipe_name(const struct core_model *m, unsigned set, char out[PIPE_NAME_MAX])
{
	if (set == PIPE_WB)
		snprintf(out, PIPE_NAME_MAX, "EX_WB");
	else if (set >= PIPE_OUT(0))
		snprintf(out, PIPE_NAME_MAX, "OC_EX_%s", m->units[set - PIPE_OUT(0)].name);
	else
		snprintf(out, PIPE_NAME_MAX, "ID_OC_%s", m->units[set].name);
}

void inst_print_head(const struct core *c, uint32_t inst, struct text *out)
{
	if (!inst) {
		text_add(out, "bubble");
		return;
	}
	const struct inst *i = &c->inst[inst];
	text_addf(out, "0x%04x w%02u[", i->pc * (unsigned)ISA_INSN_BYTES, i->warp);
	for (unsigned lane = 0; lane < LANES; lane++)
		text_addc(out, i->active >> lane & 1 ? '1' : '0');
	text_add(out, "]: ");
}

void result_buses_print(const struct core *c, struct text *out)
{
	uint32_t n = 1;
	for (uint32_t bus = 0; bus < units_bus_count(c); bus++)
		for (uint32_t ahead = n; ahead < UNITS_LATENCY_MAX; ahead++)
			if (units_bus_busy(c, bus, ahead))
				n = ahead + 1;
	for (uint32_t bus = 0; bus < units_bus_count(c); bus++) {
		text_addf(out, "EX/WB sched[%u]= ", bus);
		for (uint32_t ahead = n; ahead--;)
			text_addc(out, units_bus_busy(c, bus, ahead) ? '1' : '0');
		text_addc(out, '\n');
	}
}
