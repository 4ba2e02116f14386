/* How many blocks of a kernel fit on a core at a time, and why not more: `occupancy`, `info occupancy`. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command/dump/dump_info.h"
#include "command/info.h"
#include "debug/ground/scan.h"
#include "debug/view/functions.h"
#include "gpu/config/capability.h"
#include "gpu/config/config.h"

static const char *const limit_names[ALLOCATION_LIMITS] = {
	[ALLOCATION_WARPS] = "warps", [ALLOCATION_REGISTERS] = "registers", [ALLOCATION_SHARED] = "shared memory", [ALLOCATION_BLOCKS] = "blocks"};

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

/* ---- occupancy KERNEL ---- */

struct question {
	const struct isa_function *kernel;
	uint32_t function, dynamic_shared;
	uint32_t threads; /* of a block; 0: each multiple of 32 */
	const struct capability *cc; /* NULL: the machine's own limits */
	uint32_t number; /* compute capability that is shown; 0: none */
	struct allocation_rules rules;
};

/* Reads `8.6` behind --cc. */
static bool take_capability(const char **s, struct question *q, struct text *why)
{
	char word[16] = "";
	const char *at = scan_blanks(*s);
	const size_t n = strcspn(at, " \t");
	if (n && n < sizeof word)
		memcpy(word, at, n);
	q->cc = capability_parse(word);
	*s = at + n;
	if (q->cc)
		return true;
	text_addf(why, "no compute capability '%.*s'; there are ", (int)n, at);
	capability_list(why);
	return false;
}

static bool take_number(const char **s, const char *what, uint64_t most, uint32_t *out, struct text *why)
{
	uint64_t v;
	*s = scan_blanks(*s);
	if (!scan_u64(s, &v) || v > most)
		return debug_fail(why, "%s is a number from 0 to %" PRIu64, what, most);
	*out = (uint32_t)v;
	return true;
}

static bool take_block(const char **s, struct question *q, struct text *why)
{
	uint32_t dims[3];
	unsigned n;
	uint64_t threads = 1;
	if (!scan_dim3(s, dims, &n, why))
		return false;
	for (unsigned k = 0; k < n && threads <= 65536; k++)
		threads *= dims[k];
	if (!threads || threads > 65536)
		return debug_fail(why, "a block has 1 thread or more, and at most 65536 here");
	q->threads = (uint32_t)threads;
	return true;
}

static bool parse(struct debug *d, const char *s, struct question *q, struct text *why)
{
	s = scan_blanks(s);
	const size_t n = strcspn(s, " \t");
	if (!n)
		return debug_fail(why, "usage: occupancy KERNEL [BLOCK] [--cc X.Y] [--shared N]");
	q->kernel = debug_find_kernel(d, s, n, why);
	if (!q->kernel)
		return false;
	q->function = isa_program_function_index(debug_program(d), q->kernel);
	for (s = scan_blanks(s + n); *s; s = scan_blanks(s)) {
		if (!strncmp(s, "--cc", 4)) {
			s += 4;
			if (!take_capability(&s, q, why))
				return false;
		} else if (!strncmp(s, "--shared", 8)) {
			s += 8;
			if (!take_number(&s, "--shared", 1 << 30, &q->dynamic_shared, why))
				return false;
		} else if (q->threads || !take_block(&s, q, why)) {
			return why->n ? false : debug_fail(why, "usage: occupancy KERNEL [BLOCK] [--cc X.Y] [--shared N]");
		}
	}
	q->number = q->cc ? q->cc->number : gpu_config(d->g) ? config_capability(gpu_config(d->g)) : 0;
	q->rules = q->cc ? q->cc->rules : gpu_allocation_rules(d->g, q->function);
	return true;
}

static void fit(struct debug *d, const struct question *q, uint32_t threads, struct block_needs *needs, struct block_fit *out)
{
	gpu_block_needs(d->g, q->function, threads, q->kernel->static_shared + q->dynamic_shared, needs);
	allocation_fit(&q->rules, needs, out);
}

static void limits_text(const struct block_fit *f, struct text *out)
{
	for (unsigned k = 0; k < ALLOCATION_LIMITS; k++)
		if (f->limit[k] == f->blocks)
			text_addf(out, "%s%s", out->n ? ", " : "", limit_names[k]);
}

static double share(const struct question *q, const struct block_fit *f) { return q->rules.warps ? (double)f->blocks * f->warps / q->rules.warps : 0; }

/* Adds the members of an answer for one size of blocks to the open object. */
static void describe(struct debug *d, const struct question *q, const struct block_needs *needs, const struct block_fit *f, struct report *answer)
{
	char cc[16], percent[16];
	snprintf(cc, sizeof cc, "%u.%u", q->number / 10, q->number % 10);
	snprintf(percent, sizeof percent, "%.1f %%", 100 * share(q, f));
	report_text(answer, "kernel", debug_function_name(d, q->kernel));
	if (q->number)
		report_text(answer, "cc", cc);
	else
		report_none(answer, "cc", "-");
	report_number(answer, "block", needs->threads);
	report_number(answer, "registers", needs->registers);
	report_number(answer, "shared_bytes", needs->shared_bytes);
	report_number(answer, "blocks_per_core", f->blocks);
	report_number(answer, "warps_per_core", (uint64_t)f->blocks * f->warps);
	report_number(answer, "max_warps", q->rules.warps);
	report_real(answer, "occupancy", share(q, f), percent);
	report_list(answer, "limited_by");
	for (unsigned k = 0; k < ALLOCATION_LIMITS; k++)
		if (f->limit[k] == f->blocks)
			report_text(answer, NULL, limit_names[k]);
	report_close(answer);
}

/* Says where the number of registers comes from. */
static void say_registers(const struct question *q, uint32_t registers, struct text *out)
{
	text_addf(out, "A thread has %u register%s", registers, plural(registers));
	if (registers == q->kernel->registers)
		text_add(out, ", as the program's machine code says.\n");
	else
		text_add(out, "; an estimate unless -gpgpu_kernel_registers says so.\n");
}

static void say_one(const struct question *q, const struct block_needs *needs, const struct block_fit *f, struct text *out)
{
	struct text limits = {0};
	limits_text(f, &limits);
	text_addf(out, "%u block%s of %u thread%s on a core", f->blocks, plural(f->blocks), needs->threads, plural(needs->threads));
	if (q->number)
		text_addf(out, " of compute capability %u.%u", q->number / 10, q->number % 10);
	text_addf(out, ": %u of %u warps, %.1f %%; limited by %s.\n", f->blocks * f->warps, q->rules.warps, 100 * share(q, f), text_str(&limits));
	text_free(&limits);
}

static void say_row(const struct question *q, const struct block_needs *needs, const struct block_fit *f, struct text *out)
{
	struct text limits = {0};
	limits_text(f, &limits);
	text_addf(out, "%5u %6u %5u %8.1f %%  %s\n", needs->threads, f->blocks, f->blocks * f->warps, 100 * share(q, f), text_str(&limits));
	text_free(&limits);
}

bool command_occupancy(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct question q = {0};
	struct block_needs needs;
	struct block_fit f;
	struct text lines = {0};
	if (!parse(d, args, &q, why))
		return false;
	if (q.threads) {
		fit(d, &q, q.threads, &needs, &f);
		describe(d, &q, &needs, &f, answer);
		say_one(&q, &needs, &f, &lines);
	} else {
		text_add(&lines, "Block Blocks Warps  Occupancy  Limited by\n");
		report_list(answer, NULL);
		for (uint32_t warp = q.rules.warp_threads, threads = warp; threads <= q.rules.block_threads && threads <= q.rules.warps * warp; threads += warp) {
			fit(d, &q, threads, &needs, &f);
			report_open(answer, NULL);
			describe(d, &q, &needs, &f, answer);
			report_close(answer);
			say_row(&q, &needs, &f, &lines);
		}
		report_close(answer);
	}
	say_registers(&q, needs.registers, &lines);
	text_add(report_prose(answer), text_str(&lines));
	text_free(&lines);
	return true;
}

/* ---- info occupancy ---- */

struct limit {
	const char *what;
	uint64_t needs, has, blocks;
};

static struct limit limit_of(const char *what, uint64_t needs, uint64_t has, uint32_t blocks)
{
	return (struct limit){what, needs, has, blocks == UINT32_MAX ? UINT64_MAX : blocks};
}

static void limits_of(struct debug *d, const struct exec_launch *l, struct limit out[4])
{
	struct gpu_launch_info info;
	struct block_needs needs;
	struct block_fit f;
	struct allocation_rules r = gpu_allocation_rules(d->g, l->function);
	if (gpu_config(d->g) && gpu_launch_get(d->g, l->id, &info)) {
		struct config_device dev;
		config_device(gpu_config(d->g), &dev);
		r.shared_bytes = config_shared_bytes(&dev, (enum config_cache)info.cache);
	}
	gpu_block_needs(d->g, l->function, l->threads_per_cta, l->shared_bytes, &needs);
	allocation_fit(&r, &needs, &f);
	out[0] = limit_of("block slots", 1, r.blocks, f.limit[ALLOCATION_BLOCKS]);
	out[1] = limit_of("threads", (uint64_t)f.warps * r.warp_threads, (uint64_t)r.warps * r.warp_threads, f.limit[ALLOCATION_WARPS]);
	out[2] = limit_of("shared memory", f.shared_bytes, r.shared_bytes, f.limit[ALLOCATION_SHARED]);
	out[3] = limit_of("registers", f.registers, r.registers, f.limit[ALLOCATION_REGISTERS]);
}

/* Blocks of a launch on a core at a time. */
static uint64_t blocks_of(const struct limit limits[4], const char **by)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < 4; i++)
		if (limits[i].blocks < best) {
			best = limits[i].blocks;
			*by = limits[i].what;
		}
	return best ? best : 1;
}

static void describe_fit(const struct debug *d, const struct exec_launch *l, const struct limit limits[4], struct report *answer)
{
	const char *by = "";
	const uint64_t blocks = blocks_of(limits, &by);
	report_number(answer, "blocks_per_core", blocks);
	report_text(answer, "limited_by", by);
	report_number(answer, "warps_per_core", blocks * l->warps_per_cta);
	report_number(answer, "warps_most", limits[1].has / gpu_exec(d->g)->warp_threads);
	report_line(answer, "{blocks_per_core} block{blocks_per_core|s} a core (limited by {limited_by}), {warps_per_core} of {warps_most} warps");
}

void info_occupancy_text(struct debug *d, const struct exec_launch *l, struct text *out)
{
	struct limit limits[4] = {0};
	struct report *fit = report_create();
	limits_of(d, l, limits);
	describe_fit(d, l, limits, fit);
	report_draw(fit, 0, out);
	report_destroy(fit);
}

bool info_occupancy(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Resource", "A block needs", "A core has", "Blocks"};
	struct gpu_launch_info info;
	struct limit limits[4] = {0};
	uint32_t n = gpu_launch_count(d->g);
	if (!scan_end(args, why))
		return false;
	if (!n || !gpu_launch_get(d->g, d->has_focus ? d->focus.launch : n - 1, &info))
		return debug_fail(why, "No kernel was launched yet.");
	limits_of(d, &info.launch, limits);
	report_number(answer, "launch", info.launch.id);
	report_text(answer, "kernel", debug_function_name(d, debug_program(d)->functions[info.launch.function]));
	report_line(answer, "Kernel {launch} {kernel}: ");
	describe_fit(d, &info.launch, limits, answer);
	report_line(answer, "\n");
	report_table(answer, "occupancy", titles, 4);
	for (int i = 0; i < 4; i++) {
		report_row(answer, false);
		report_text(answer, NULL, limits[i].what);
		report_number(answer, NULL, limits[i].needs);
		report_number(answer, NULL, limits[i].has);
		if (limits[i].blocks == UINT64_MAX)
			report_none(answer, NULL, "-");
		else
			report_number(answer, NULL, limits[i].blocks);
	}
	report_close(answer);
	if (gpu_is_performance(d->g))
		info_occupancy_performance(d, &info, answer);
	return true;
}
