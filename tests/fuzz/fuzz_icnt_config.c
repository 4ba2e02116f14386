/* Network configurations of any bytes: values or diagnostics with a place; and a network made of what was read delivers every packet
 * or is stuck, but never loses one. The first two bytes say how many clusters and memories the machine has. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "timing/icnt/icnt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_diags(const struct diag_list *diags, bool ok)
{
	assert(ok == !diags->n_errors);
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->v[i];
		assert(d->message && !strchr(d->message, '\n'));
		assert(!d->file || (d->line >= 1 && d->col >= 1));
	}
}

static void drive(struct icnt *n, struct requests *q, uint32_t clusters, uint32_t devices)
{
	uint32_t in = 0, out = 0, seed = 1;
	struct text dump = {0};
	struct icnt_totals totals;
	for (uint32_t cycle = 0; cycle < 300; cycle++) {
		icnt_set_core_cycle(n, cycle);
		for (uint32_t d = 0; d < devices && cycle < 150; d++) {
			seed = seed * 1664525 + 1013904223;
			uint32_t bytes = 8 + (seed >> 16) % 129,
				 to = d < clusters ? clusters + (seed >> 8) % (devices - clusters)
						   : (seed >> 8) % clusters;
			if (seed >> 31 || bytes > icnt_packet_bytes_max(n) || !icnt_has_buffer(n, d, bytes))
				continue;
			uint32_t r = request_new(q, cycle);
			request_at(q, r)->is_reply = d >= clusters;
			request_at(q, r)->is_write = seed >> 30 & 1;
			icnt_push(n, d, to, r, bytes);
			in++;
		}
		icnt_cycle(n, cycle);
		for (uint32_t d = 0; d < devices; d++) {
			uint32_t r = icnt_pop(n, d);
			if (r)
				request_free(q, r);
			out += r != 0;
		}
	}
	icnt_get_totals(n, &totals);
	assert(totals.packets_in == in && totals.packets_out == out && q->s->n_live == in - out);
	assert(icnt_busy(n) == (in != out));
	icnt_print_stats(n, &dump);
	assert(icnt_dump(n, -1, &dump));
	text_free(&dump);
}

static void build(const struct icnt_config *c, uint32_t clusters, uint32_t memories)
{
	struct arena arena;
	struct timing_memory memory;
	struct requests q = {0};
	struct text why = {0};
	arena_init(&arena);
	if (timing_memory_init(&memory, &arena, machine_limits_of_host()) && requests_init(&q, &arena, machine_limits_of_host())) {
		struct icnt *n = icnt_create(&memory, &q, c, clusters, memories, &why);
		assert((n != NULL) == !why.n);
		if (n)
			drive(n, &q, clusters, clusters + memories);
		icnt_destroy(n);
	}
	arena_free(&arena);
	text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	struct diag_list diags = {0};
	if (fd < 0) {
		fd = memfd_create("fuzz.icnt", 0);
		assert(fd >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	if (size < 2 || size > 8192)
		return 0;
	if (ftruncate(fd, 0) || pwrite(fd, data + 2, size - 2, 0) != (ssize_t)(size - 2))
		abort();
	struct icnt_config *c = icnt_config_create();
	bool ok = icnt_config_load(c, NULL, path, &diags);
	check_diags(&diags, ok);
	if (ok)
		build(c, 1 + data[0] % 16, 1 + data[1] % 16);
	icnt_config_free(c);
	diag_list_free(&diags);
	return 0;
}
