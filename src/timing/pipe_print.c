#include "timing/pipe_print.h"

#include "timing/collector.h"
#include "timing/units.h"

const char *const pipe_set_names[PIPE_SETS] = {"ID_OC_SP", "ID_OC_SFU", "ID_OC_MEM", "OC_EX_SP", "OC_EX_SFU", "OC_EX_MEM", "EX_WB"};

static void rule(const char *title, struct text *out) { text_addf(out, "-------------------------- %s\n", title); }

static void line(const struct core *c, uint32_t inst, const struct inst_printer *p, struct text *out)
{
	p->line(p->self, c, inst, out);
	text_addc(out, '\n');
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

/* ---- scoreboard ---- */

void scoreboard_print(const struct core *c, struct text *out)
{
	rule("Scoreboard", out);
	text_addf(out, "scoreboard contents (sid=%u): \n", c->id);
	for (uint32_t warp = 0; warp < c->cfg->n_warps; warp++) {
		if (!c->warp[warp].n_reserved)
			continue;
		text_addf(out, "  wid = %2u: ", warp);
		for (uint32_t word = 0; word < c->sb_words; word++)
			for (uint64_t left = c->reserved[warp * c->sb_words + word]; left; left &= left - 1)
				text_addf(out, "%u ", word * 64 + (unsigned)__builtin_ctzll(left));
		text_addc(out, '\n');
	}
}

/* ---- collector ---- */

void collector_print(const struct core *c, const struct inst_printer *p, struct text *out)
{
	rule("OP COL", out);
	text_add(out, "Operand Collector State:\n");
	for (uint32_t unit = 0; unit < collector_unit_count(c); unit++) {
		struct collector_unit_view v;
		collector_get_unit(c, unit, &v);
		text_addf(out, "   CU-%2u: ", unit);
		if (!v.inst) {
			text_add(out, "<free>\n");
			continue;
		}
		line(c, v.inst, p, out);
		for (uint32_t left = v.not_ready; left; left &= left - 1)
			text_addf(out, "    'R%d' not ready\n", core_insn(c, &c->inst[v.inst])->src_reg[__builtin_ctz(left)]);
	}
	collector_print_arbiter(c, out);
}

/* ---- pipeline registers ---- */

void pipe_set_print(const struct core *c, enum pipe_set_id set, const struct inst_printer *p, struct text *out)
{
	const struct pipe_set *s = &c->s->set[set];
	for (uint32_t k = 0; k < s->n; k++) {
		text_add(out, "     ");
		line(c, s->reg[k], p, out);
	}
}

void pipe_sets_print(const struct core *c, const struct inst_printer *p, struct text *out)
{
	rule("Pipe Regs", out);
	for (unsigned set = 0; set < PIPE_SETS; set++) {
		text_addf(out, "--- %s ---\n", pipe_set_names[set]);
		pipe_set_print(c, (enum pipe_set_id)set, p, out);
	}
}

/* ---- function units ---- */

void units_print(const struct core *c, const struct inst_printer *p, struct text *out)
{
	rule("Fu", out);
	for (uint32_t unit = 0; unit < units_count(c); unit++) {
		const char *name = unit_name(c, unit);
		text_addf(out, "%s dispatch= ", name);
		line(c, unit_dispatch(c, unit), p, out);
		for (uint32_t stage = unit_stages(c, unit); stage--;) {
			uint32_t inst = unit_stage(c, unit, stage);
			if (!inst)
				continue;
			text_addf(out, "      %s[%2u] ", name, stage);
			line(c, inst, p, out);
		}
	}
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
