/* What keeps the first request of a queue from going on: the tests of the model (partition.c, dram_schedule.c, cluster.c) in words. */
#include <inttypes.h>

#include "command/why/why_internal.h"
#include "timing/cluster.h"

static void until(uint64_t ready, struct text *out) { text_addf(out, ", until cycle %" PRIu64, ready); }

static bool is_full(const struct timing *t, uint32_t sub, unsigned which, uint32_t size)
{
	return sub_partition_queue_length(t->partitions, sub, which) >= size;
}

/* In front of the L2. */
static const char *l2_refusal(const struct timing *t, const struct mem_request *m)
{
	const struct partition_config *cfg = &t->cfg->partition;
	const struct cache *l2 = sub_partition_l2(t->partitions, m->dram.sub_partition);
	if (is_full(t, m->dram.sub_partition, 2, cfg->l2_to_dram))
		return "the L2->DRAM queue is full";
	if (!l2 || (cfg->l2_texture_only && m->type != TEXTURE_ACC_R))
		return NULL;
	if (is_full(t, m->dram.sub_partition, 4, cfg->l2_to_icnt))
		return "the L2->ICNT queue is full";
	if (!cache_data_port_free(l2))
		return "the L2's data port is busy";
	return cache_refusal(l2, m->address, (enum access_type)m->type, m->is_write, m);
}

static const char *dram_refusal(const struct timing *t, const struct mem_request *m)
{
	if (dram_full(partition_dram(t->partitions, m->dram.channel)))
		return "the DRAM controller is full";
	return is_full(t, m->dram.sub_partition, 3, t->cfg->partition.dram_to_l2) ? "the DRAM->L2 queue is full" : NULL;
}

static void bank(const struct timing *t, uint32_t r, struct text *out)
{
	const struct mem_request *m = request_at(&t->requests, r);
	struct dram_bank_view b;
	if (partitions_memory(t->partitions)) {
		sdram_explain(partitions_memory(t->partitions), m->address, out);
		return;
	}
	dram_get_bank(partition_dram(t->partitions, m->dram.channel), m->dram.bank, &b);
	if (b.request && b.request != r)
		text_addf(out, "; request %" PRIu64 " has the bank, row 0x%03x",
			  request_at(&t->requests, b.request)->uid, b.row);
	else if (b.request == r && !b.transferred && b.active && b.row == m->dram.row)
		text_addf(out, "; its row 0x%03x is open", m->dram.row);
	else if (b.request == r && !b.transferred)
		text_addf(out, "; its row 0x%03x is to be opened", m->dram.row);
	else if (b.request == r)
		text_addf(out, "; %u of %u bytes transferred", b.transferred, m->size);
}

static const char *reply_refusal(const struct timing *t, const struct mem_request *m)
{
	const uint32_t device = t->cfg->core.n_clusters + m->dram.sub_partition;
	return t->icnt && !icnt_has_buffer(t->icnt, device, request_packet_bytes(m)) ? "the network has no room for it"
										     : NULL;
}

static const char *send_refusal(const struct timing *t, const struct mem_request *m)
{
	return cluster_can_inject(t, m->cluster, request_packet_bytes(m), m->is_write || m->is_atomic)
		       ? NULL
		       : "the network has no room for it";
}

void why_obstacle(struct timing *t, uint32_t r, struct text *out)
{
	const struct mem_request *m = request_at(&t->requests, r);
	const char *what = NULL;
	switch (m->status) {
	case REQUEST_IN_PARTITION_ROP_DELAY:
	case REQUEST_IN_PARTITION_DRAM_LATENCY_QUEUE: until(m->ready, out); return;
	case REQUEST_IN_PARTITION_ICNT_TO_L2_QUEUE: what = l2_refusal(t, m); break;
	case REQUEST_IN_PARTITION_L2_TO_DRAM_QUEUE: what = dram_refusal(t, m); break;
	case REQUEST_IN_PARTITION_MC_INTERFACE_QUEUE:
	case REQUEST_IN_PARTITION_MC_BANK_ARB_QUEUE:
	case REQUEST_IN_PARTITION_MC_INPUT_QUEUE:
	case REQUEST_IN_PARTITION_DRAM: bank(t, r, out); return;
	case REQUEST_IN_PARTITION_L2_TO_ICNT_QUEUE: what = reply_refusal(t, m); break;
	case REQUEST_IN_L1I_MISS_QUEUE:
	case REQUEST_IN_L1D_MISS_QUEUE:
	case REQUEST_IN_L1T_MISS_QUEUE:
	case REQUEST_IN_L1C_MISS_QUEUE: what = send_refusal(t, m); break;
	default: break;
	}
	if (what)
		text_addf(out, "; %s", what);
}
