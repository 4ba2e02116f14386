/* GPGPU-Sim's macros about programs, as commands: ptxdis_func, ptx_tids2pcs (manual, "Debugging"). */
#include <stdio.h>

#include "command/dump/dump_internal.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/inspect.h"

/* The warp a hardware thread of a core is in; its next instruction, or the last one if it has exited. */
static bool thread_pc(const struct core *c, uint32_t thread, uint32_t *pc)
{
	const struct exec_warp *e = dump_exec_warp(c, exec_warp_of(c->t->exec, thread));
	if (!e || !(e->lanes >> exec_lane_of(c->t->exec, thread) & 1))
		return false;
	const struct exec_simt *s = e->n_simt && e->state != EXEC_WARP_DONE ? exec_simt_of_lane(c->t->exec, e, exec_lane_of(c->t->exec, thread)) : NULL;
	*pc = s ? s->pc : e->last_pc;
	return true;
}

bool command_ptxdis_func(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "ptxdis_func", why);
	uint32_t core, thread, pc;
	if (!t || !dump_number(&args, "core", t->cfg->core.n_cores, &core, why) ||
	    !dump_number(&args, "hardware thread", t->cfg->core.n_warps * t->cfg->core.warp_threads, &thread, why) || !scan_end(args, why))
		return false;
	if (!thread_pc(&t->core[core], thread, &pc))
		return debug_fail(why, "no thread runs as hardware thread %u of core %u now", thread, core);
	const struct isa_function *f = isa_program_function_at(debug_program(d), pc);
	char range[64];
	if (!f)
		return debug_fail(why, "the thread is in no function");
	report_text(answer, "function", debug_function_name(d, f));
	report_say(answer, "disassembly of function %s (min pc = 0x%x, max pc = 0x%x):\n", debug_function_name(d, f),
		   f->first * (unsigned)ISA_INSN_BYTES, (f->end - 1) * (unsigned)ISA_INSN_BYTES);
	snprintf(range, sizeof range, "0x%x 0x%x", f->first * (unsigned)ISA_INSN_BYTES, (f->end - 1) * (unsigned)ISA_INSN_BYTES);
	return command_ptxdis(d, range, answer, why);
}

#define TIDS_MAX 64u

/* {1,2,3} or 1,2,3: at most as many as a core has threads are of use. */
static bool take_tids(const char **s, uint32_t most, uint32_t tids[TIDS_MAX], uint32_t *n, struct text *why)
{
	const char *at = scan_blanks(*s);
	const bool braces = *at == '{';
	at += braces;
	*n = 0;
	do {
		at += *n && *at == ',';
		if (*n == TIDS_MAX)
			return debug_fail(why, "at most %u threads at a time", TIDS_MAX);
		if (!dump_number(&at, "hardware thread", most, &tids[(*n)++], why))
			return false;
		at = braces ? scan_blanks(at) : at;
	} while (*at == ',');
	if (braces && *at++ != '}')
		return debug_fail(why, "a } is missing after the threads");
	*s = at;
	return true;
}

bool command_ptx_tids2pcs(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct timing *t = observer_timing(d, "ptx_tids2pcs", why);
	uint32_t tids[TIDS_MAX], n, core, pc, second;
	if (!t || !take_tids(&args, t->cfg->core.n_warps * t->cfg->core.warp_threads, tids, &n, why))
		return false;
	if (!*scan_blanks(args))
		return dump_number(&args, "core", t->cfg->core.n_cores, &core, why);
	if (!dump_number(&args, "core", t->cfg->core.n_cores > TIDS_MAX ? t->cfg->core.n_cores : TIDS_MAX + 1, &core,
			 why))
		return false;
	if (*scan_blanks(args)) { /* TIDS LEN CORE */
		if (core > n)
			return debug_fail(why, "there are %u threads in the list, not %u", n, core);
		n = core;
		if (!dump_number(&args, "core", t->cfg->core.n_cores, &second, why) || !scan_end(args, why))
			return false;
		core = second;
	}
	if (core >= t->cfg->core.n_cores)
		return debug_fail(why, "there is no core %u: they are 0 to %u", core, t->cfg->core.n_cores - 1);
	report_list(answer, "threads");
	for (uint32_t k = 0; k < n; k++) {
		const bool is_there = thread_pc(&t->core[core], tids[k], &pc);
		report_open(answer, NULL);
		report_number(answer, "index", k);
		report_number(answer, "tid", tids[k]);
		if (is_there)
			report_number(answer, "pc", pc * (unsigned)ISA_INSN_BYTES);
		report_line(answer, is_there ? "{index:2} : tid = {tid:3}  => pc = {pc}\n" : "{index:2} : tid = {tid:3}  => no thread\n");
		report_close(answer);
	}
	report_close(answer);
	return true;
}
