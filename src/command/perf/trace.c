/* The lines of PTX_SIM_DEBUG, in GPGPU-Sim's formats (GPGPU-Sim 3.2.2). */
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/format.h"
#include "command/state.h"
#include "command/perf/trace.h"
#include "debug/setup/launch.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "debug/program.h"
#include "isa/flow/cfg.h"
#include "isa/opcodes.h"

static bool traces(const struct debug *d, enum trace_level level) { return d->commands->perf.trace.level >= (int)level; }

void trace_set(struct debug *d, int level, uint64_t uid)
{
	d->commands->perf.trace.level = level;
	d->commands->perf.trace.uid = uid;
	debug_marks_changed(d);
}

void trace_set_log(struct debug *d, void (*write)(void *self, const char *s, size_t n), void *self, uint64_t uid)
{
	d->commands->perf.trace.write = write;
	d->commands->perf.trace.write_self = self;
	d->commands->perf.trace.write_uid = uid;
	debug_marks_changed(d);
}

static bool wants_instructions(const struct debug *d) { return traces(d, TRACE_INSTRUCTIONS) || d->commands->perf.trace.write; }

void trace_write_marks(struct debug *d, uint8_t *marks)
{
	const struct isa_program *p = debug_program(d);
	for (uint32_t pc = 0; wants_instructions(d) && pc < p->n_insns; pc++)
		marks[pc] |= MARK_TRACE;
	for (uint32_t i = 0; traces(d, TRACE_BLOCKS) && i < p->n_functions; i++)
		if (p->functions[i]->is_kernel && p->functions[i]->first < p->n_insns)
			marks[p->functions[i]->first] |= MARK_TRACE;
}

static void emit(struct debug *d, struct text *t)
{
	if (!debug_is_past(d))
		debug_print(d, t);
	text_free(t);
}

/* ---- registers ---- */

/* The register a word of the instruction's record means, and its name. */
static bool register_of(const struct isa_function *f, uint32_t word, struct isa_reg_place *out, struct text *name)
{
	uint32_t number;
	const struct isa_reg *r = isa_function_reg_of(f, word, &number);
	bool is_pred = ISA_RW_IS_PRED(word);
	if (!r)
		return false;
	*out = (struct isa_reg_place){
		.type = (enum isa_type)r->type, .is_pred = is_pred, .ref = is_pred ? ISA_RW_PRED_SLOT(word) : word};
	text_add(name, r->name);
	if (r->count)
		text_addf(name, "%u", number);
	return true;
}

static void read_register(struct debug *d, const struct debug_where *w, uint64_t frame, const struct isa_reg_place *r,
			  uint64_t bits[2])
{
	bits[0] = bits[1] = 0;
	if (r->is_pred)
		bits[0] = debug_pred_read(d, w, frame, r->ref);
	else
		debug_row_read(d, w, frame, r->ref, debug_reg_bytes(r->type), bits);
}

/* `        %r1   .u32 5 [0x00000005]` */
static void register_line(const char *name, enum isa_type t, const uint64_t bits[2], struct text *out)
{
	unsigned n = isa_type_bytes(t), shift = n < 8 ? 64 - 8 * n : 0;
	unsigned long long u = t == ISA_PRED ? bits[0] : bits[0] << shift >> shift;
	text_addf(out, "  %8s   .%-3s ", name, t == ISA_PRED ? "pred" : isa_type_info[t].name);
	if (t == ISA_PRED)
		text_addf(out, "%llu\n", u);
	else if (t == ISA_F64)
		text_addf(out, "%.15e [0x%016llx]\n", format_to_double(t, bits), u);
	else if (t == ISA_F32 || t == ISA_F16)
		text_addf(out, t == ISA_F32 ? "%.15f [0x%0*llx]\n" : "%f [0x%0*llx]\n", format_to_double(t, bits),
			  (int)(2 * n), u);
	else if (n == 16)
		text_addf(out, "0x%016llx%016llx\n", (unsigned long long)bits[1], u);
	else if (isa_type_info[t].cls == ISA_CLASS_UNSIGNED)
		text_addf(out, "%llu [0x%0*llx]\n", u, n == 8 ? 1 : (int)(2 * n), u);
	else if (isa_type_info[t].cls == ISA_CLASS_SIGNED)
		text_addf(out, "%lld\n", (long long)(bits[0] << shift) >> shift);
	else
		text_addf(out, "0x%0*llx\n", n == 8 ? 1 : (int)(2 * n), u);
}

/* Registers the instruction writes, or reads, as one thread has them; *last is the value of the last one. */
static void named_registers(struct debug *d, const struct debug_where *w, const struct trace_step *s, bool writes,
			    struct text *out, uint64_t *last)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_where *at = &p->where[s->hit.pc];
	const struct isa_function *f = isa_program_function_at(p, s->hit.pc);
	uint32_t first = writes ? 0 : at->n_writes, end = writes ? at->n_writes : (uint32_t)at->n_writes + at->n_reads;
	for (uint32_t k = first; f && k < end; k++) {
		struct isa_reg_place r;
		struct text name = {0};
		uint64_t bits[2];
		if (register_of(f, p->rw[at->rw + k], &r, &name)) {
			read_register(d, w, s->frame, &r, bits);
			*last = bits[0];
			if (out && !out->n)
				text_add(out, writes ? "Output Registers:\n" : "Input Registers:\n");
			if (out)
				register_line(text_str(&name), r.type, bits, out);
		}
		text_free(&name);
	}
}

static void all_registers(struct debug *d, const struct debug_where *w, const struct trace_step *s, struct text *out)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), s->hit.pc);
	text_add(out, "Register File Contents:\n");
	for (uint32_t k = 0; f && k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		struct isa_reg_place at = {.type = (enum isa_type)r->type, .is_pred = r->type == ISA_PRED};
		uint32_t step = at.is_pred ? 1 : isa_row_bytes(isa_type_bytes(at.type));
		for (uint32_t i = 0; i < (r->count ? r->count : 1); i++) {
			struct text name = {0};
			uint64_t bits[2];
			text_add(&name, r->name);
			if (r->count)
				text_addf(&name, "%u", i);
			at.ref = r->first + i * step;
			read_register(d, w, s->frame, &at, bits);
			register_line(text_str(&name), at.type, bits, out);
			text_free(&name);
		}
	}
}

/* ---- instructions ---- */

static bool lane_where(struct debug *d, const struct trace_step *s, unsigned lane, struct debug_where *w)
{
	struct debug_thread t = s->hit.thread;
	t.thread += lane;
	return debug_thread_where(d, &t, w);
}

static void block_line(struct debug *d, const struct debug_hit *h)
{
	struct text t = {0};
	uint32_t n = h->cta->n_warps ? gpu_exec(d->g)->warps_per_core / h->cta->n_warps : 0;
	if (h->warp || h->cta->warp[0].executed)
		return;
	text_addf(&t, "  <CTA alloc> : sm_idx=%u sid=%u max_cta_per_sm=%u\n", h->cta->core_slot, h->cta->core, n);
	emit(d, &t);
}

void trace_before(struct debug *d, const struct debug_hit *h, struct trace_step *s)
{
	*s = (struct trace_step){.hit = *h};
	if (traces(d, TRACE_BLOCKS))
		block_line(d, h);
	if (!wants_instructions(d))
		return;
	s->frame = exec_simt_top(gpu_exec(d->g), &h->cta->warp[h->warp])->frame;
	LANES_EACH (lane, h->active) {
		struct debug_where w;
		uint64_t ignored;
		if (!lane_where(d, s, lane, &w))
			continue;
		const bool printed = traces(d, TRACE_INSTRUCTIONS) && (!d->commands->perf.trace.uid || d->commands->perf.trace.uid == w.uid);
		const bool logged = d->commands->perf.trace.write && (!d->commands->perf.trace.write_uid || d->commands->perf.trace.write_uid == w.uid);
		s->lanes |= printed ? lanes_bit(lane) : 0;
		s->logged |= logged ? lanes_bit(lane) : 0;
		if (printed || logged)
			s->slot = (uint32_t)w.slot;
		if (((printed && traces(d, TRACE_REGISTERS)) || logged) && h->executing >> lane & 1)
			named_registers(d, &w, s, false, &s->inputs[lane], &ignored);
	}
	s->is_on = (s->lanes | s->logged) != 0;
}

static uint32_t count_instruction(struct debug *d, uint64_t uid)
{
	if (uid >= d->commands->perf.trace.cap) {
		size_t old = d->commands->perf.trace.cap;
		d->commands->perf.trace.executed = xgrow(d->commands->perf.trace.executed, &d->commands->perf.trace.cap, uid + 1, sizeof *d->commands->perf.trace.executed);
		memset(d->commands->perf.trace.executed + old, 0, (d->commands->perf.trace.cap - old) * sizeof *d->commands->perf.trace.executed);
	}
	return ++d->commands->perf.trace.executed[uid];
}

/* The running number counts the instructions of all threads, printed or not. */
static void instruction_line(struct debug *d, const struct trace_step *s, const struct debug_where *w, uint64_t value,
			     struct text *out)
{
	uint64_t number = d->commands->perf.trace.n + lanes_count(s->hit.active & (lanes_bit(w->lane) - 1));
	struct debug_position at = debug_ptx_position(d, s->hit.pc);
	text_addf(out, "%llu [thd=%llu][i=%u] : ctaid=(%u,%u,%u) tid=(%u,%u,%u) icount=%u [pc=%u] (%s:%u - ",
		  (unsigned long long)number, (unsigned long long)w->uid, s->hit.pc + 1, w->block_id[0], w->block_id[1],
		  w->block_id[2], w->thread_id[0], w->thread_id[1], w->thread_id[2], count_instruction(d, w->uid),
		  s->hit.pc * ISA_INSN_BYTES, debug_file_name(d, at.file), at.line);
	debug_insn_shown(d, s->hit.pc, out);
	text_addf(out, ")  [0x%llx]\n", (unsigned long long)value);
}

/* Rows are gone with their block, and what a call writes is written when it returns. */
static bool has_results(struct debug *d, const struct trace_step *s)
{
	uint8_t family = isa_opcode_info[debug_program(d)->insns[s->hit.pc].opcode].family;
	return gpu_cta(d->g, s->slot) == s->hit.cta && s->hit.cta->linear == s->hit.thread.cta &&
	       s->hit.cta->launch == s->hit.thread.launch && family != ISA_FAMILY_CALL && family != ISA_FAMILY_EXIT;
}

/* 3.2.2's file has the registers of every instruction. */
static void log_lane(struct debug *d, const struct trace_step *s, unsigned lane, bool results, struct text *out)
{
	struct debug_position at = debug_ptx_position(d, s->hit.pc);
	struct debug_where w;
	struct text outputs = {0};
	uint64_t ignored;
	lane_where(d, s, lane, &w);
	text_addf(out, "[thd=%llu] : (%s:%u - ", (unsigned long long)w.uid, debug_file_name(d, at.file), at.line);
	debug_insn_shown(d, s->hit.pc, out);
	text_add(out, ")\n");
	if (results && s->hit.executing >> lane & 1)
		named_registers(d, &w, s, true, &outputs, &ignored);
	text_add(out, text_str(&outputs));
	text_add(out, text_str(&s->inputs[lane]));
	if (results)
		all_registers(d, &w, s, out);
	text_free(&outputs);
}

static void log_lanes(struct debug *d, const struct trace_step *s, bool results)
{
	struct text out = {0};
	LANES_EACH (lane, s->logged)
		log_lane(d, s, lane, results, &out);
	if (out.n)
		d->commands->perf.trace.write(d->commands->perf.trace.write_self, out.s, out.n);
	text_free(&out);
}

void trace_after(struct debug *d, struct trace_step *s)
{
	struct text out = {0};
	bool results = s->is_on && has_results(d, s);
	LANES_EACH (lane, s->lanes) {
		struct debug_where w;
		struct text outputs = {0};
		uint64_t value = 0;
		bool ran = s->hit.executing >> lane & 1;
		lane_where(d, s, lane, &w);
		if (results && ran)
			named_registers(d, &w, s, true, traces(d, TRACE_REGISTERS) ? &outputs : NULL, &value);
		instruction_line(d, s, &w, value, &out);
		text_add(&out, text_str(&outputs));
		if (traces(d, TRACE_REGISTERS))
			text_add(&out, text_str(&s->inputs[lane]));
		if (results && traces(d, TRACE_ALL_REGISTERS))
			all_registers(d, &w, s, &out);
		text_free(&outputs);
	}
	log_lanes(d, s, results);
	d->commands->perf.trace.n += lanes_count(s->hit.active);
	trace_free(s);
	emit(d, &out);
}

void trace_free(struct trace_step *s)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		text_free(&s->inputs[lane]);
	s->lanes = s->logged = 0;
	s->is_on = false;
}

/* ---- memory, files ---- */

/* The lines are GPGPU-Sim's. */
void trace_memory(struct debug *d, const struct debug_memory_event *e)
{
	struct text t = {0};
	const unsigned long long bytes = e->bytes, to = e->to, from = e->from;
	if (!traces(d, TRACE_MEMORY))
		return;
	switch (e->kind) {
	case DEBUG_MEMORY_ALLOCATED: text_addf(&t, "GPGPU-Sim PTX: allocating %llu bytes on GPU starting at address 0x%llx\n", bytes, to); break;
	case DEBUG_MEMORY_FROM_HOST:
		text_addf(&t, "GPGPU-Sim PTX: copying %llu bytes ", bytes);
		if (from)
			text_addf(&t, "from CPU[0x%llx] ", from);
		text_addf(&t, "to GPU[0x%llx] ...  done.\n", to);
		break;
	case DEBUG_MEMORY_TO_HOST: text_addf(&t, "GPGPU-Sim PTX: copying %llu bytes from GPU[0x%llx] to CPU[0x%llx] ... done.\n", bytes, from, to); break;
	case DEBUG_MEMORY_WITHIN: text_addf(&t, "GPGPU-Sim PTX: copying %llu bytes from GPU[0x%llx] to GPU[0x%llx] ... done.\n", bytes, from, to); break;
	case DEBUG_MEMORY_FILLED:
		text_addf(&t, "GPGPU-Sim PTX: setting %llu bytes of memory to 0x%llx starting at 0x%llx...  done.\n", bytes, (unsigned long long)e->value, to);
		break;
	}
	emit(d, &t);
}

static void insn_line(struct debug *d, uint32_t pc, struct text *out)
{
	struct debug_position at = debug_ptx_position(d, pc);
	text_addf(out, " PC=0x%03x (%s:%u) ", pc * ISA_INSN_BYTES, debug_file_name(d, at.file), at.line);
	debug_insn_shown(d, pc, out);
	text_addc(out, '\n');
}

static void reconvergence(struct debug *d, const struct isa_function *f, struct text *out)
{
	const struct isa_program *p = debug_program(d);
	uint32_t n = 0;
	text_addf(out, "GPGPU-Sim PTX: reconvergence points for %s...\n", f->name);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		const struct isa_insn *b = &p->insns[pc];
		if (isa_opcode_info[b->opcode].family != ISA_FAMILY_BRANCH || b->guard == ISA_PRED_TRUE)
			continue;
		text_addf(out, "GPGPU-Sim PTX: %2u (potential) branch divergence @ ", ++n);
		insn_line(d, pc, out);
		text_add(out, "GPGPU-Sim PTX:    immediate post dominator      @ ");
		if (b->reconv == ISA_NO_RECONV)
			text_add(out, " exit\n");
		else
			insn_line(d, b->reconv, out);
	}
	text_addf(out, "GPGPU-Sim PTX: ... end of reconvergence points for %s\n", f->name);
}

/* What has been loaded: functions and files with these indices or higher, of one module only if `in_module`. */
struct loaded {
	uint32_t function, file, module;
	bool in_module;
};

static void print_loaded(struct debug *d, const struct loaded *l)
{
	const struct isa_program *p = debug_program(d);
	struct text out = {0};
	for (uint32_t i = l->file; traces(d, TRACE_TEXT) && i < p->n_files; i++)
		if (p->files[i].frontend && p->files[i].text && (!l->in_module || isa_program_module_of(p, i) == l->module))
			text_addn(&out, p->files[i].text, p->files[i].n_text);
	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t i = l->function; traces(d, pass ? TRACE_CONTROL_FLOW : TRACE_RECONVERGENCE) && i < p->n_functions; i++) {
			const struct isa_function *f = p->functions[i];
			if (!f->is_defined || (l->in_module && isa_program_module_of(p, f->file) != l->module))
				continue;
			if (pass)
				cfg_dot(p, f, &out);
			else
				reconvergence(d, f, &out);
		}
	emit(d, &out);
}

void trace_loaded(struct debug *d, uint32_t first_function, uint32_t first_file)
{
	print_loaded(d, &(struct loaded){.function = first_function, .file = first_file});
}

void trace_module(struct debug *d, uint32_t module) { print_loaded(d, &(struct loaded){.module = module, .in_module = true}); }
