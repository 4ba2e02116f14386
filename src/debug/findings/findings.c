/* Checkers switched on and off; what they found told: as stops, when kernels end, at the end. */
#include "debug/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/rooms.h"
#include "debug/buffers/buffers.h"
#include "debug/ground/scan.h"

bool debug_check(struct debug *d, const char *list, bool on, struct text *why)
{
	uint32_t set;
	if (!d->check)
		return debug_fail(why, "this host has no room for checkers");
	return check_list_parse(list, &set, why) && check_set(d->check, set, on, why);
}

bool debug_check_was_on(const struct debug *d) { return d->check && check_was_on(d->check); }
uint32_t debug_finding_errors(const struct debug *d) { return d->check ? check_errors(d->check) : 0; }

uint32_t debug_finding_notes(const struct debug *d) { return d->check ? check_notes(d->check) : 0; }

void findings_forget_launches(struct debug *d)
{
	if (d->check)
		check_reset(d->check);
}

static bool is_host_use(const struct check_finding *f)
{
	return check_of_kind((enum check_kind)f->kind) == CHECK_INIT && !f->access.has_thread;
}

/* Counts what the host's reads have found; each new one makes it larger. */
static uint64_t count_host_uses(const struct debug *d, uint64_t address, uint64_t n, uint32_t *last)
{
	uint64_t count = 0;
	for (uint32_t k = 0; k < check_count(d->check); k++) {
		const struct check_finding *f = check_at(d->check, k);
		if (!is_host_use(f) || f->access.address - address >= n)
			continue;
		count += f->count;
		*last = k + 1;
	}
	return count;
}

void debug_result_read(struct debug *d, uint64_t address, uint64_t n)
{
	uint32_t last = 0;
	if (!d->check || !check_on(d->check))
		return;
	const uint64_t before = count_host_uses(d, address, n, &last);
	check_host_read(d->check, address, n);
	if (count_host_uses(d, address, n, &last) > before)
		d->host_use = last;
	findings_drop_host_stop(d);
	findings_tell(d);
}

void debug_host_found(struct debug *d)
{
	const uint32_t n = d->check ? check_count(d->check) : 0;
	const struct check_finding *f = n ? check_at(d->check, n - 1) : NULL;
	if (f && f->access.by_host && !f->printed_launch && !check_settings(d->check)->stops)
		findings_tell(d);
}

void debug_findings_report(struct debug *d)
{
	if (d->check && !check_settings(d->check)->stops)
		findings_tell(d);
}

bool debug_host_stops(const struct debug *d) { return d->check && check_host_stops(d->check); }

void debug_wrong_free(struct debug *d, const struct check_free *wrong)
{
	if (d->check && wrong->address)
		check_host_free(d->check, wrong);
}

bool debug_checks_memory(const struct debug *d) { return d->check && check_on(d->check) >> CHECK_MEMORY & 1; }

bool debug_checks_races(const struct debug *d) { return d->check && check_on(d->check) >> CHECK_RACE & 1; }

void debug_refused_call(struct debug *d, const struct check_call *call)
{
	if (!d->check)
		return;
	check_host_call(d->check, call);
	debug_host_found(d);
}

void debug_program_leaks(struct debug *d, uint32_t contexts)
{
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(d->g, &n);
	if (!debug_checks_memory(d) || !check_settings(d->check)->leaks)
		return;
	for (size_t k = 0; k < n; k++) {
		const struct debug_buffer *b = a[k].name[0] ? debug_buffer_find(d, a[k].name, strlen(a[k].name)) : NULL;
		if (a[k].live && contexts >> a[k].context & 1 && b && b->kind && b->address == a[k].address)
			check_leak(d->check, &a[k]);
	}
}

/* ---- telling ---- */

static void mark_reported(struct debug *d, uint32_t n) { check_finding_edit(d->check, n)->printed_launch = 1; }

static void mark_told(struct debug *d, uint32_t n)
{
	mark_reported(d, n);
	check_tell(d->check, n);
}

void debug_findings_way_parts(struct debug *d)
{
	if (d->check)
		check_way_parts(d->check);
}

uint32_t debug_finding_count(const struct debug *d) { return d->check ? check_count(d->check) : 0; }

uint8_t *debug_findings_told(const struct debug *d, uint32_t *n)
{
	*n = debug_finding_count(d);
	uint8_t *told = xcalloc(*n + 1u, 1);
	for (uint32_t k = 0; k < *n; k++)
		told[k] = check_at(d->check, k)->printed_launch != 0;
	return told;
}

void debug_findings_recall(struct debug *d, uint8_t *told, uint32_t n)
{
	for (uint32_t k = 0; d->check && k < n && k < check_count(d->check); k++)
		check_finding_edit(d->check, k)->printed_launch = told[k];
	free(told);
}

static void unreported(struct debug *d, struct text *out)
{
	for (uint32_t n = 0; d->check && n < check_count(d->check); n++) {
		const struct check_finding *f = check_at(d->check, n);
		if (f->printed_launch || f->suppressed)
			continue;
		if (!check_was_told(d->check, n))
			DEBUG_HOOK(d, finding_lines, f, true, out);
		mark_told(d, n);
	}
}

void findings_tell(struct debug *d)
{
	struct text t = {0};
	if (!d->check || !check_count(d->check) || debug_is_past(d))
		return;
	unreported(d, &t);
	if (t.n && d->host.report)
		d->host.report(d->host.self, text_str(&t));
	text_free(&t);
}

void debug_findings_summary(struct debug *d, struct text *out)
{
	unreported(d, out);
	const uint32_t notes = debug_finding_notes(d);
	if (notes)
		text_addf(out, "========= NOTE SUMMARY: %u note%s\n", notes, notes == 1 ? "" : "s");
	text_addf(out, "========= ERROR SUMMARY: %u errors\n", debug_finding_errors(d));
}

void findings_drop_host_stop(struct debug *d)
{
	if (d->check)
		check_take_stop(d->check, true);
}

bool findings_stop(struct debug *d, bool by_host, struct debug_stop *stop)
{
	const uint32_t n = d->check ? check_take_stop(d->check, by_host) : UINT32_MAX;
	if (n == UINT32_MAX)
		return false;
	const struct check_finding *f = check_at(d->check, n);
	const struct check_access *a = &f->access;
	stop->reason = DEBUG_STOP_CHECKER;
	if (by_host)
		d->host_use = n + 1;
	if (a->has_thread)
		debug_focus_set(d, &(struct debug_thread){.launch = a->launch, .cta = a->cta, .thread = a->in_block});
	text_addf(&stop->text, "Checker %s: ", checker_name(check_of_kind((enum check_kind)f->kind)));
	DEBUG_HOOK(d, finding_lines, f, false, &stop->text);
	mark_told(d, n);
	return true;
}

void debug_pass_finding(struct debug *d, bool seen)
{
	const uint32_t n = d->check ? check_take_stop(d->check, false) : UINT32_MAX;
	if (n != UINT32_MAX && seen)
		mark_reported(d, n);
}

/* What the stop is at was told then, and others at the same instruction weren't yet. */
bool debug_race_other(const struct debug *d, struct check_access *other)
{
	const struct debug_stop *last = debug_last_stop(d);
	if (!d->check || !last || last->reason != DEBUG_STOP_CHECKER)
		return false;
	for (uint32_t n = check_count(d->check); n-- > 0;) {
		const struct check_finding *f = check_at(d->check, n);
		const struct check_access *a = &f->access;
		if (check_of_kind((enum check_kind)f->kind) != CHECK_RACE || !f->printed_launch ||
		    a->launch != last->launch || a->uid != last->uid || a->pc != last->pc)
			continue;
		*other = f->other;
		return f->has_other && other->has_thread && other->has_pc && other->has_address;
	}
	return false;
}

static bool is_of_stop(const struct check_access *a, const struct debug_stop *last)
{
	return a->has_thread && a->launch == last->launch && a->uid == last->uid && a->pc == last->pc;
}

uint32_t debug_host_use(const struct debug *d) { return d->host_use; }

void debug_host_use_is(struct debug *d, uint32_t finding)
{
	findings_drop_host_stop(d);
	d->host_use = finding;
}

bool debug_init_finding(const struct debug *d, struct check_finding *out)
{
	if (d->check && d->host_use && d->host_use <= check_count(d->check)) {
		*out = *check_at(d->check, d->host_use - 1);
		return is_host_use(out);
	}
	const struct debug_stop *last = debug_last_stop(d);
	if (!d->check || !last || last->reason != DEBUG_STOP_CHECKER)
		return false;
	for (uint32_t n = check_count(d->check); n-- > 0;) {
		const struct check_finding *f = check_at(d->check, n);
		if (check_of_kind((enum check_kind)f->kind) != CHECK_INIT || !f->printed_launch || !is_of_stop(&f->access, last))
			continue;
		*out = *f;
		return true;
	}
	return false;
}

bool debug_stop_finding(const struct debug *d, uint32_t *number)
{
	const struct debug_stop *last = debug_last_stop(d);
	if (!d->check || !last || last->reason != DEBUG_STOP_CHECKER)
		return false;
	if (d->host_use && d->host_use <= check_count(d->check)) {
		*number = d->host_use - 1;
		return true;
	}
	for (uint32_t n = check_count(d->check); n-- > 0;) {
		const struct check_finding *f = check_at(d->check, n);
		if (f->printed_launch && (is_of_stop(&f->access, last) || (f->has_other && is_of_stop(&f->other, last)))) {
			*number = n;
			return true;
		}
	}
	return false;
}

void debug_init_origin_text(struct debug *d, const struct check_finding *f, bool at_begin, bool before, struct text *out)
{
	DEBUG_HOOK(d, finding_origin, f, at_begin, before, out);
}

void debug_race_other_text(struct debug *d, const struct check_access *other, struct text *out)
{
	DEBUG_HOOK(d, finding_other, other, out);
}
