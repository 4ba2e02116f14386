/* Stops as text, and what every stop does to the session. */
#include <stdlib.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/describe.h"
#include "debug/ground/ground.h"
#include "debug/findings/findings.h"
#include "debug/setup/buffer.h"
#include "debug/view/functions.h"
#include "debug/stop/room.h"
#include "debug/stop/stop.h"
#include "debug/view/address.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"
#include "debug/view/view.h"

void debug_stop_report(struct debug *d, const struct debug_stop *s, struct text *out)
{
	struct debug_where w;
	if (s->reason == DEBUG_STOP_NONE)
		return;
	text_add(out, text_str(&s->text));
	if (s->reason == DEBUG_STOP_ENDED)
		return;
	debug_focus_line(d, out);
	if (debug_focus_where(d, &w) && w.state != DEBUG_THREAD_EXITED)
		debug_source_of(d, &w, out);
	if (s->has_thread)
		debug_source_hint(d, s->pc);
}

void debug_failure_text(struct debug *d, const struct debug_stop *s, struct text *out)
{
	struct gpu_launch_info l;
	const char *const text = text_str(&s->text);
	const bool is_exception = s->reason == DEBUG_STOP_EXCEPTION;
	const uint32_t launch = is_exception ? s->launch : d->has_focus ? d->focus.launch : UINT32_MAX;
	const bool has_kernel = gpu_launch_get(d->g, launch, &l);
	if (has_kernel)
		text_addf(out, "kernel %u %s failed with ", launch, debug_function_name(d, debug_program(d)->functions[l.launch.function]));
	if (!is_exception || !has_kernel) {
		text_addn(out, text, strcspn(text, "\n"));
		return;
	}
	text_addf(out, "%s at ", stop_exception_name(s->fault));
	debug_place_text(d, s->pc, out);
}

static const char *const reason_names[] = {
	[DEBUG_STOP_NONE] = "none",
	[DEBUG_STOP_LAUNCHED] = "launched",
	[DEBUG_STOP_BREAKPOINT] = "breakpoint",
	[DEBUG_STOP_WATCHPOINT] = "watchpoint",
	[DEBUG_STOP_CATCHPOINT] = "catchpoint",
	[DEBUG_STOP_STEPPED] = "stepped",
	[DEBUG_STOP_CYCLE] = "cycle",
	[DEBUG_STOP_KERNEL_DONE] = "kernel_done",
	[DEBUG_STOP_EXCEPTION] = "exception",
	[DEBUG_STOP_DEADLOCK] = "deadlock",
	[DEBUG_STOP_LIMIT] = "limit",
	[DEBUG_STOP_INTERRUPTED] = "interrupted",
	[DEBUG_STOP_BEGINNING] = "beginning",
	[DEBUG_STOP_CHECKER] = "checker",
	[DEBUG_STOP_EXITING] = "exiting",
	[DEBUG_STOP_ENDED] = "ended",
};

void debug_stop_describe(struct debug *d, const struct debug_stop *s, struct report *r)
{
	struct text said = {0};
	report_text(r, "reason", reason_names[s->reason]);
	if (s->n_hits)
		report_number(r, "number", s->hits[0]);
	if (s->n_hits > 1) {
		report_list(r, "numbers");
		for (uint32_t k = 0; k < s->n_hits; k++)
			report_number(r, NULL, s->hits[k]);
		report_close(r);
	}
	if (s->temporary)
		report_flag(r, "temporary", true);
	if (s->reason == DEBUG_STOP_EXCEPTION)
		report_text(r, "exception", stop_exception_name(s->fault));
	if (s->reason == DEBUG_STOP_WATCHPOINT && s->address)
		report_hex(r, "address", s->address);
	if (s->reason == DEBUG_STOP_ENDED)
		report_signed(r, "exit_status", s->program_status);
	report_number(r, "cycle", gpu_cycle(d->g));
	if (s->details)
		report_copy(r, s->details);
	debug_stop_report(d, s, &said);
	report_text(r, "text", text_str(&said));
	text_free(&said);
	if (s->reason != DEBUG_STOP_ENDED)
		describe_focus(d, r);
}

/* Appends what people read of a part to the stop's text. Returns the report that the part's cells are to be moved to. */
static struct report *draw_part(struct debug_stop *stop, const struct report *part)
{
	report_draw(part, 0, &stop->text);
	return debug_stop_details(stop);
}

void stop_add_part(struct debug_stop *stop, const char *list, struct report *part)
{
	report_append(draw_part(stop, part), list, part);
	report_destroy(part);
}

void stop_set_part(struct debug_stop *stop, const char *name, struct report *part)
{
	report_move(draw_part(stop, part), name, part);
	report_destroy(part);
}

void stop_add_kernel(struct debug *d, uint32_t launch, const char *event, struct debug_stop *stop)
{
	struct gpu_launch_info info;
	if (!gpu_launch_get(d->g, launch, &info))
		return;
	struct report *part = report_create();
	report_number(part, "launch", launch);
	report_text(part, "kernel", debug_function_name(d, debug_program(d)->functions[info.launch.function]));
	report_text(part, "event", event);
	report_line(part, "Kernel {launch} {kernel} {event}\n");
	stop_add_part(stop, "kernels", part);
}

/* No warp can run: finds the warps that wait at a barrier or spin. */
static bool focus_on_resident(struct debug *d)
{
	struct gpu_event ev = {0};
	struct debug_hit h;
	for (uint32_t s = 0; s < gpu_cta_slots(d->g); s++) {
		ev.cta_slot = s;
		const struct exec_cta *cta = gpu_cta(d->g, s);
		for (ev.warp = 0; cta && ev.warp < cta->n_warps; ev.warp++)
			if (cta->warp[ev.warp].state != EXEC_WARP_DONE && debug_hit_of(d, &ev, &h)) {
				debug_focus_on(d, &h, h.active);
				return true;
			}
	}
	return false;
}

static void focus_on_waiting(struct debug *d)
{
	struct gpu_launch_info info;
	for (uint32_t id = 0, n = gpu_launch_count(d->g); id < n; id++) {
		gpu_launch_get(d->g, n - 1 - id, &info);
		if (info.state != GPU_LAUNCH_DONE && info.state != GPU_LAUNCH_KILLED &&
		    info.ctas_started < info.launch.n_ctas)
			debug_focus_set(d, &(struct debug_thread){.launch = n - 1 - id, .cta = info.ctas_started});
	}
}

/* A focus on a finished thread shows nothing: go to who runs next, else to who is there, else to the first thread that is waiting for its launch. */
static void revive_focus(struct debug *d)
{
	struct debug_where w;
	struct gpu_event ev = {0};
	struct debug_hit h;
	if (debug_focus_where(d, &w) && w.state != DEBUG_THREAD_EXITED)
		return;
	debug_focus_clear(d);
	if (gpu_next_warp(d->g, &ev.cta_slot, &ev.warp) && debug_hit_of(d, &ev, &h))
		debug_focus_on(d, &h, h.active);
	else if (!focus_on_resident(d))
		focus_on_waiting(d);
}

void stop_stepped(struct debug *d, struct debug_stop *stop)
{
	struct debug_where w;
	revive_focus(d);
	stop->reason = DEBUG_STOP_STEPPED;
	if (!debug_focus_where(d, &w) || w.state == DEBUG_THREAD_EXITED)
		text_addf(&stop->text, "Reached cycle %llu\n", (unsigned long long)gpu_cycle(d->g));
	else {
		text_add(&stop->text, "Stepped to ");
		debug_position_text(d, debug_shown_position(d, &w), &stop->text);
		text_addc(&stop->text, '\n');
	}
}

/* From now on a line without a file is one of this file, also when no thread is there any more. */
static void remember_file(struct debug *d)
{
	struct debug_position at;
	if (!debug_selected_position(d, &at))
		return;
	view_stopped_in(d, at.file);
}

/* Once: GPGPU-Sim would stand still there. */
static void say_split(struct debug *d)
{
	struct text place = {0};
	uint32_t pc;
	if (d->stop->reported_split || !gpu_load_never_completes(d->g, &pc))
		return;
	d->stop->reported_split = true;
	debug_position_text(d, debug_ptx_position(d, pc), &place);
	debug_note(d,
		   "%s loads two registers of one bank, which GPGPU-Sim 3.2.2 never writes; they are written in parts "
		   "(-gpgpu_writeback_in_parts 0 waits as it does)",
		   text_str(&place));
	text_free(&place);
}

void debug_flush_output(struct debug *d)
{
	struct text *output = gpu_output(d->g);
	if (output->n && d->host.output)
		d->host.output(d->host.self, output->s, output->n);
	text_clear(output);
	debug_print(d, gpu_log(d->g));
	text_clear(gpu_log(d->g));
}

static void flush_printf(struct debug *d, uint32_t context)
{
	const uint64_t lost = gpu_flush_printf(d->g, context);
	debug_flush_output(d);
	if (lost)
		debug_note(
			d,
			"printf: the output of %llu call%s was lost, the oldest first: the buffer has %llu bytes (set "
			"printf-fifo-size)",
			(unsigned long long)lost, lost == 1 ? "" : "s",
			(unsigned long long)gpu_get_limit(d->g, context, GPU_LIMIT_PRINTF_FIFO));
}

void debug_flush_printf(struct debug *d, uint32_t context)
{
	for (uint32_t k = 0; k < GPU_CONTEXTS; k++)
		if (context == GPU_EVERY_CONTEXT || context == k)
			flush_printf(d, k);
}

/* Where nothing more is printed for now, as when a host waits for the device. */
static bool is_flush(enum debug_reason reason)
{
	return reason == DEBUG_STOP_KERNEL_DONE || reason == DEBUG_STOP_EXCEPTION || reason == DEBUG_STOP_DEADLOCK ||
	       reason == DEBUG_STOP_LIMIT;
}

/* Sets $_exitcode when a kernel or the program has ended, and $_exitsignal to the signal that ended the program. */
static void note_exit_status(struct debug *d, const struct debug_stop *stop)
{
	const bool has_ended = stop->reason == DEBUG_STOP_ENDED;
	struct expr_value v;
	if (!has_ended && stop->reason != DEBUG_STOP_KERNEL_DONE && stop->reason != DEBUG_STOP_EXCEPTION)
		return;
	value_int(&v, ISA_S32, (uint64_t)(has_ended ? stop->program_status : stop->status));
	debug_variable_set(d, "_exitcode", &v);
	debug_variable_forget(d, "_exitsignal");
	if (!has_ended || !stop->is_signalled)
		return;
	value_int(&v, ISA_S32, (uint64_t)(stop->program_status - 128));
	debug_variable_set(d, "_exitsignal", &v);
}

void stop_finish(struct debug *d, struct debug_stop *stop)
{
	struct debug_where w;
	if (stop->reason == DEBUG_STOP_DEADLOCK && d->stop->direction == RUN_JUDGE && !debug_is_past(d))
		DEBUG_HOOK(d, deadlock, stop);
	say_split(d);
	if (gpu_holds_printf(d->g) && is_flush(stop->reason))
		debug_flush_printf(d, GPU_EVERY_CONTEXT);
	debug_flush_output(d);
	if (is_flush(stop->reason))
		findings_tell(d);
	d->list_goes_on = false;
	poke_apply(d);
	debug_changed(d);
	revive_focus(d);
	debug_select_innermost(d);
	stop->cycle = gpu_cycle(d->g);
	stop->changes = gpu_changes(d->g);
	remember_file(d);
	stop->has_thread = debug_focus_where(d, &w);
	if (stop->has_thread) {
		stop->launch = w.thread.launch;
		stop->uid = w.uid;
		stop->pc = w.pc;
	}
	stop->status = stop->reason == DEBUG_STOP_EXCEPTION					 ? 3
		       : stop->reason == DEBUG_STOP_DEADLOCK || stop->reason == DEBUG_STOP_LIMIT ? 4
												 : 0;
	debug_stop_free(&d->last);
	d->last = *stop;
	d->last.text = (struct text){0};
	d->last.details = NULL;
	text_add(&d->last.text, text_str(&stop->text));
	if (stop->details)
		report_copy(debug_stop_details(&d->last), stop->details);
	d->has_last = true;
	if (stop->reason != DEBUG_STOP_CHECKER || stop->has_thread)
		d->host_use = 0;
	d->has_failed &= !stop->status;
	note_exit_status(d, stop);
}

/* ---- device exceptions ---- */

const char *stop_exception_name(enum exec_fault_kind kind)
{
	switch (kind) {
	case EXEC_FAULT_LANE_ILLEGAL_ADDRESS: return "Lane Illegal Address";
	case EXEC_FAULT_STACK_OVERFLOW: return "Lane User Stack Overflow";
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW: return "Device Hardware Stack Overflow";
	case EXEC_FAULT_ILLEGAL_INSTRUCTION: return "Warp Illegal Instruction";
	case EXEC_FAULT_OUT_OF_RANGE: return "Warp Out-of-range Address";
	case EXEC_FAULT_MISALIGNED: return "Warp Misaligned Address";
	case EXEC_FAULT_INVALID_ADDRESS_SPACE: return "Warp Invalid Address Space";
	case EXEC_FAULT_INVALID_PC: return "Warp Invalid PC";
	case EXEC_FAULT_ASSERT: return "Warp Assert";
	case EXEC_FAULT_ILLEGAL_ADDRESS: return "Warp Illegal Address";
	case EXEC_FAULT_TRAP: return "Warp Trap";
	case EXEC_FAULT_BARRIER: return "Warp Invalid Barrier";
	default: return "Warp Exception";
	}
}

static const char *what_happened(enum exec_fault_kind kind)
{
	switch (kind) {
	case EXEC_FAULT_STACK_OVERFLOW:
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW: return "Stack overflow";
	case EXEC_FAULT_ILLEGAL_INSTRUCTION: return "Illegal instruction";
	case EXEC_FAULT_INVALID_PC: return "Invalid program counter";
	case EXEC_FAULT_INVALID_ADDRESS_SPACE: return "Invalid address space";
	case EXEC_FAULT_ASSERT: return "Assertion failed";
	case EXEC_FAULT_TRAP: return "Trap instruction";
	case EXEC_FAULT_BARRIER: return "Invalid use of a barrier";
	default: return "Exception";
	}
}

/* thread (65,0,0) in block (0,0,0), uid 66, at vecadd.ptx:41 (vecadd.cu:7) */
static void add_failed_thread(struct debug *d, const struct debug_where *w, uint32_t pc, struct report *part)
{
	struct debug_position cuda = debug_cuda_position(d, pc);
	report_number(part, "uid", w->uid);
	report_triple(part, "thread", w->thread_id);
	report_triple(part, "block", w->block_id);
	describe_position(d, part, "ptx", debug_ptx_position(d, pc));
	describe_position(d, part, "source", cuda);
	report_line(part, "thread {thread} in block {block}, uid {uid}, at {ptx}[ ({source})]");
	debug_called_from_text(d, w, cuda, report_prose(part));
	report_say(part, "\n");
}

/* Adds the allocation that the text of an address names, as the member `nearest`. `offset` is from its beginning. */
static void describe_nearest(struct report *part, const struct debug_address *a)
{
	report_open(part, "nearest");
	if (*a->nearest->name)
		report_text(part, "name", a->nearest->name);
	report_hex(part, "address", a->nearest->address);
	report_number(part, "size_bytes", a->nearest->bytes);
	report_signed(part, "offset", (int64_t)(a->address - a->nearest->address));
	report_close(part);
}

static void add_failed_access(struct debug *d, const struct debug_where *w, const struct exec_fault *f, uint32_t pc, struct report *part)
{
	const bool global = f->space == ISA_SPACE_GLOBAL || f->space == ISA_SPACE_GENERIC;
	struct debug_address address;
	report_text(part, "access", f->is_atomic ? "atomic" : f->is_write ? "write" : "read");
	report_text(part, "space", global ? "global" : debug_space_name((enum isa_space)f->space));
	report_number(part, "size_bytes", f->size);
	report_line(part, "Invalid __{space}__ {access} of size {size_bytes} bytes by ");
	add_failed_thread(d, w, pc, part);
	report_hex(part, "address", f->address);
	report_line(part, "Address {address}");
	debug_address_fill(d, &w->launch, (enum isa_space)f->space, f->address, f->size, &address);
	address.is_misaligned = f->kind == EXEC_FAULT_MISALIGNED;
	if (debug_address_text(d, &address, report_prose(part)))
		describe_nearest(part, &address);
	report_line(part, "; ");
}

/* `Kernel 0 vecadd, launched from main.cu:52` */
void stop_launched_from(struct debug *d, uint32_t launch, struct text *out)
{
	const size_t before = out->n;
	if (!debug_launch_text(d, launch, out))
		return;
	out->s[before] = 'K';
	text_addc(out, '\n');
}

/* Appends the place of a lane of the warp that stands at an instruction. */
static void add_place_in_warp(struct debug *d, const struct debug_where *w, uint32_t pc, struct text *out)
{
	LANES_EACH (lane, w->w ? w->w->lanes & ~w->w->exited : 0) {
		const struct exec_simt *const e = exec_simt_of_lane(gpu_exec(d->g), w->w, lane);
		if (e && (e->pc == pc || (w->w->barrier_lanes >> lane & 1 && w->w->barrier_pc == pc))) {
			debug_lane_place_text(d, w->w, lane, pc, out);
			return;
		}
	}
	debug_place_text(d, pc, out);
}

/* Appends a fault's detail, in which `pc 0x48` becomes the place of that instruction. */
static void add_places(struct debug *d, const struct debug_where *w, const char *detail, struct text *out)
{
	for (const char *pc; (pc = strstr(detail, "pc 0x"));) {
		char *end;
		const unsigned long at = strtoul(pc + strlen("pc "), &end, 16);
		text_addn(out, detail, (size_t)(pc - detail));
		text_add(out, "at ");
		add_place_in_warp(d, w, (uint32_t)at / ISA_INSN_BYTES, out);
		detail = end;
	}
	text_add(out, detail);
}

/* Before the lanes. A whole sentence keeps its line to itself, as the message of an assertion does: its lowest lane's, however long. */
static void add_detail(struct debug *d, const struct debug_where *w, const struct exec_fault *f, struct text *out)
{
	const size_t n = strlen(f->detail);
	if (f->kind == EXEC_FAULT_ASSERT) {
		const char *const lines = gpu_assert_lines(d->g);
		text_addf(out, "%.*s\n", (int)strcspn(lines, "\n"), lines);
	} else if (n) {
		add_places(d, w, f->detail, out);
		text_add(out, f->detail[n - 1] == '.' ? "\n" : "; ");
	}
}

static void add_failure(struct debug *d, const struct debug_where *w, const struct exec_fault *f, uint32_t pc, struct debug_stop *stop)
{
	struct report *part = report_create();
	if (f->size) {
		add_failed_access(d, w, f, pc, part);
	} else {
		const char *texture = stop_texture_mistake(d, pc);
		report_text(part, "mistake", texture ? texture : what_happened(f->kind));
		report_line(part, "{mistake} in ");
		add_failed_thread(d, w, pc, part);
		add_detail(d, w, f, report_prose(part));
	}
	report_lanes(part, "lanes", f->lanes);
	report_line(part, "lanes {lanes}\n");
	stop_set_part(stop, "failure", part);
}

/* Replaces the text by that of a checkpoint file if it is about the same exception: the file's names callers in the program, whose symbols are gone. */
static void tell_as_file(const struct debug *d, struct debug_stop *stop)
{
	const char *told = d->core.report, *text = text_str(&stop->text), *second = strchr(text, '\n');
	const char *end = second ? strchr(second + 1, '\n') : NULL;
	if (!told || !end || strncmp(told, text, (size_t)(end - text)))
		return;
	text_clear(&stop->text);
	text_add(&stop->text, told);
}

void stop_exception(struct debug *d, const struct gpu_event *ev, struct debug_stop *stop)
{
	const struct exec_fault *f = &gpu_exec(d->g)->fault;
	struct debug_hit h;
	struct debug_where w;
	stop->reason = f->kind == EXEC_FAULT_BREAKPOINT ? DEBUG_STOP_BREAKPOINT : DEBUG_STOP_EXCEPTION;
	stop->fault = f->kind;
	if (!debug_hit_of(d, ev, &h)) {
		text_addf(&stop->text, "CUDA Exception: %s\n", stop_exception_name(f->kind));
		return;
	}
	/* the address reported is the lowest lane's: so is the focus */
	debug_focus_on(d, &h, f->lanes ? lanes_bit(lanes_first(f->lanes)) : h.active);
	debug_focus_where(d, &w);
	if (f->kind == EXEC_FAULT_BREAKPOINT) {
		text_addf(&stop->text, "Breakpoint instruction, thread uid %llu at ", (unsigned long long)w.uid);
		debug_position_text(d, debug_position_at(d, h.pc), &stop->text);
		text_addc(&stop->text, '\n');
		return;
	}
	text_addf(&stop->text, "CUDA Exception: %s\n", stop_exception_name(f->kind));
	add_failure(d, &w, f, h.pc, stop);
	stop_textures(d, &w, h.pc, &stop->text);
	debug_launch_parents(d, ev->launch, &stop->text);
	stop_launched_from(d, h.thread.launch, &stop->text);
	tell_as_file(d, stop);
}
