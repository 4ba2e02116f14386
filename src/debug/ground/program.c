/* The program whose calls feed the machine, as commands see it. */
#include "debug/program.h"

#include "debug/ground/ground.h"
#include "debug/ground/scan.h"

void debug_program_attach(struct debug *d, const struct debug_program *p) { d->program = p; }
bool debug_program_is_there(const struct debug *d) { return d->program; }
bool debug_program_lives(const struct debug *d) { return d->program && d->program->lives(d->program->self); }

bool debug_program_is_over(const struct debug *d)
{
	return d->program && d->program->runs_once && !debug_program_lives(d);
}

void debug_program_kill(struct debug *d)
{
	if (debug_program_lives(d))
		d->program->kill(d->program->self);
	debug_changed(d);
}

bool debug_program_fail(struct debug *d)
{
	const enum debug_reason r = d->has_last ? d->last.reason : DEBUG_STOP_NONE;
	if (!debug_program_lives(d) || (r != DEBUG_STOP_EXCEPTION && r != DEBUG_STOP_DEADLOCK && r != DEBUG_STOP_LIMIT))
		return false;
	if (!d->has_failed)
		d->program->deliver(d->program->self, &d->last);
	d->has_failed = true;
	return true;
}

void debug_program_deliver(struct debug *d)
{
	debug_program_fail(d);
	d->deliveries += d->has_failed;
	d->has_failed = false;
}

uint64_t debug_program_deliveries(const struct debug *d) { return d->deliveries; }

bool debug_program_main_file(const struct debug *d, struct text *out)
{
	return d->program && d->program->main_file && d->program->main_file(d->program->self, out);
}

void debug_program_place(const struct debug *d, uint32_t context, uint64_t address, struct text *out)
{
	if (d->program && d->program->place)
		d->program->place(d->program->self, context, address, out);
}

long debug_process_of(const struct debug *d, uint32_t context)
{
	return d->program && d->program->pid ? d->program->pid(d->program->self, context) : 0;
}

long debug_launched_by(const struct debug *d, uint32_t launch)
{
	return d->program && d->program->launched_by ? d->program->launched_by(d->program->self, launch) : 0;
}

#define FAR_BYTES (UINT64_C(1) << 32) /* nearer to what the device has an address is the device's */

bool debug_is_host_memory(const struct debug *d, uint64_t address, struct text *out)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(d->g, address);
	const bool may_be = !a || (address > a->address && address - a->address - a->bytes >= FAR_BYTES);
	struct text what = {0};
	const bool is = may_be && debug_program_lives(d) && d->program->memory &&
			d->program->memory(d->program->self, gpu_exec(d->g)->context, address, &what);
	if (is)
		text_addf(out, " is host memory (%s), which kernels can't reach", text_str(&what));
	text_free(&what);
	return is;
}

uint32_t debug_program_line(const struct debug *d, uint32_t context, uint64_t address, struct text *file)
{
	return d->program && d->program->line ? d->program->line(d->program->self, context, address, file) : 0;
}

bool debug_launched_from(const struct debug *d, uint32_t launch, struct text *out)
{
	return d->program && d->program->launched_from && d->program->launched_from(d->program->self, launch, out);
}

bool debug_program_machine_code(const struct debug *d, uint32_t module, unsigned k, const void **elf, size_t *n)
{
	return d->program && d->program->machine_code && d->program->machine_code(d->program->self, module, k, elf, n);
}

bool debug_host_stack(struct debug *d, struct text *out, struct text *why)
{
	if (!debug_program_lives(d) && d->core.host_stack) {
		text_add(out, d->core.host_stack);
		return true;
	}
	if (!debug_program_lives(d))
		return debug_fail(why, "The program is not being run.");
	return d->program->stack(d->program->self, d->has_focus ? d->focus.launch : UINT32_MAX, out, why);
}
