/* `dm`: all that is in a memory partition, for a reader. */
#include <inttypes.h>

#include "timing/cache/cache_print.h"
#include "timing/partition/partition_internal.h"

/* ---- one queue ---- */

static const struct fifo *fifo_number(const struct sub_partition *s, unsigned which)
{
	switch (which) {
	case 1: return s->icnt_to_l2;
	case 2: return s->l2_to_dram;
	case 3: return s->dram_to_l2;
	case 4: return s->l2_to_icnt;
	default: return NULL;
	}
}

uint32_t sub_partition_queue_length(const struct partitions *p, uint32_t sub, unsigned which)
{
	const struct fifo *f = fifo_number(&p->sub[sub], which);
	return f ? f->n : which ? 0 : p->sub[sub].s->rop.n;
}

uint32_t sub_partition_queue_at(const struct partitions *p, uint32_t sub, unsigned which, uint32_t k)
{
	if (k >= sub_partition_queue_length(p, sub, which))
		return 0;
	if (which)
		return fifo_peek(fifo_number(&p->sub[sub], which), k);
	uint32_t r = p->sub[sub].s->rop.head;
	while (k--)
		r = request_at(p->q, r)->next;
	return r;
}

uint32_t partition_latency_at(const struct partitions *p, uint32_t partition, uint32_t k)
{
	const struct request_list *l = &p->partition[partition].s->latency;
	uint32_t r = k < l->n ? l->head : 0;
	while (r && k--)
		r = request_at(p->q, r)->next;
	return r;
}

/* ---- printing ---- */

static void describe(const struct partitions *p, uint32_t r, const char *indent, struct text *out)
{
	text_add(out, indent);
	request_describe(p->q, r, out);
}

static void add_ready(const struct mem_request *m, uint64_t now, struct text *out)
{
	if (m->ready > now)
		text_addf(out, "  ready in %" PRIu64 " cycle%s\n", m->ready - now, m->ready - now == 1 ? "" : "s");
	else
		text_add(out, "  ready\n");
}

/* A delay queue without a limit. */
static void dump_delay(const struct partitions *p, const char *name, const struct request_list *l, uint64_t now,
		       struct text *out)
{
	text_addf(out, "  %-16s %u\n", name, l->n);
	for (uint32_t r = l->n ? l->head : 0; r; r = request_at(p->q, r)->next) {
		describe(p, r, "    ", out);
		add_ready(request_at(p->q, r), now, out);
	}
}

static void dump_fifo(const struct partitions *p, const char *name, const struct fifo *f, struct text *out)
{
	text_addf(out, "  %-16s %u of %u%s\n", name, f->n, f->cap, fifo_full(f) ? " (full)" : "");
	for (uint32_t k = 0; k < f->n; k++) {
		describe(p, fifo_peek(f, k), "    ", out);
		text_addc(out, '\n');
	}
}

static void dump_mshrs(const struct sub_partition *s, struct text *out)
{
	const struct partitions *p = s->all;
	struct cache_mshr_view v;
	for (uint32_t k = 0; k < cache_mshr_used(s->l2) && cache_mshr_get(s->l2, k, &v); k++) {
		text_addf(out, "    line 0x%08" PRIx64 ": %s%s\n", v.block,
			  v.ready ? "filled, being answered" : "waits", v.has_atomic ? ", has an atomic" : "");
		for (uint32_t r = v.first; r; r = request_at(p->q, r)->mshr_next[REQUEST_L2]) {
			describe(p, r, "      ", out);
			text_addc(out, '\n');
		}
	}
}

static void dump_l2(const struct sub_partition *s, struct text *out)
{
	const struct cache_config *c = cache_get_config(s->l2);
	text_addf(out, "  %-16s data port %s, fill port %s\n", "L2", cache_data_port_free(s->l2) ? "free" : "busy",
		  cache_fill_port_free(s->l2) ? "free" : "busy");
	text_addf(out, "  %-16s %u of %u\n", "L2 MSHRs", cache_mshr_used(s->l2), c->mshr_entries);
	dump_mshrs(s, out);
	text_addf(out, "  %-16s %u of %u\n", "L2 miss queue", cache_miss_queue_length(s->l2), c->miss_queue);
	for (uint32_t k = 0; k < cache_miss_queue_length(s->l2); k++) {
		describe(s->all, cache_miss_queue_at(s->l2, k), "    ", out);
		text_addc(out, '\n');
	}
}

static void dump_sub(const struct partitions *p, uint32_t sub, bool tags, uint64_t now, struct text *out)
{
	const struct sub_partition *s = &p->sub[sub];
	text_addf(out, "\nSub-partition %u: %u request%s to be answered\n", sub, s->s->tracked,
		  s->s->tracked == 1 ? "" : "s");
	dump_delay(p, "ROP delay", &s->s->rop, now, out);
	dump_fifo(p, "network to L2", s->icnt_to_l2, out);
	if (s->l2)
		dump_l2(s, out);
	else
		text_addf(out, "  %-16s none\n", "L2");
	if (s->l2 && tags)
		cache_print_lines("L2", s->l2, out);
	dump_fifo(p, "L2 to DRAM", s->l2_to_dram, out);
	dump_fifo(p, "DRAM to L2", s->dram_to_l2, out);
	dump_fifo(p, "L2 to network", s->l2_to_icnt, out);
}

static void dump_credits(const struct partition *part, uint32_t first, struct text *out)
{
	const struct partitions *p = part->all;
	text_addf(out, "  %-16s", "credits in use");
	for (uint32_t i = 0; i < p->cfg->subs_per_partition; i++)
		text_addf(out, " sub-partition %u: %u of %u;", first + i, *part->sub[i].private_credits,
			  PRIVATE_CREDITS);
	text_addf(out, " shared: %u of ", part->s->shared_credits);
	if (p->shared_limit)
		text_addf(out, "%u\n", p->shared_limit);
	else
		text_add(out, "any number\n");
}

void partition_dump(const struct partitions *p, uint32_t partition, bool tags, uint64_t now, struct text *out)
{
	const struct partition *part = &p->partition[partition];
	uint32_t n = p->cfg->subs_per_partition, first = partition * n;
	partition_count(p, partition);
	text_addf(out, "Memory partition %u at cycle %" PRIu64 "\n", partition, now);
	for (uint32_t i = 0; i < n; i++)
		dump_sub(p, first + i, tags, now, out);
	if (part->port) {
		text_addf(out, "\nWay to the memory\n");
		dump_credits(part, first, out);
		dump_delay(p, "DRAM latency", &part->s->latency, now, out);
		partition_port_dump(part, out);
		return;
	}
	text_addf(out, "\nDRAM controller %u at DRAM cycle %" PRIu64 ", %s\n", partition,
		  dram_get_stats(part->dram)->n.cmd,
		  dram_scheduler_name(p->cfg->dram.scheduler));
	dump_credits(part, first, out);
	dump_delay(p, "DRAM latency", &part->s->latency, now, out);
	dram_dump(part->dram, out);
}
