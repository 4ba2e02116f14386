/* The interconnection network: two identical networks, requests and replies, simulated flit by flit (booksim's model as GPGPU-Sim
 * 3.2.2 uses it).
 *
 * Devices: clusters 0 .. C-1, then sub-partitions C .. C+M-1. Packets are request indices. Source: GPGPU-Sim manual
 * "Interconnection network", booksim's router description. */
#ifndef TIMING_ICNT_H
#define TIMING_ICNT_H

#include "base/diag.h"
#include "base/text.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"

/* ---- configuration: booksim's `name = value;` file ---- */
struct icnt_config; /* values by name, with their place in the file */
struct icnt_config *icnt_config_create(void);
void icnt_config_free(struct icnt_config *c);
/* Errors (unknown name, bad value, unsupported value) go to diags with file:line:col. */
bool icnt_config_load(struct icnt_config *c, const char *path, struct diag_list *diags);
/* One `name = value` text, for tests and overrides. */
bool icnt_config_set(struct icnt_config *c, const char *name, const char *value, struct text *why);
/* Names and values of what is set, in base/record.h's strings. */
void icnt_config_record(const struct icnt_config *c, struct text *out);
/* Every name, value, default, where set, help. */
void icnt_config_print(const struct icnt_config *c, const char *name, struct text *out);

struct icnt; /* a view; state in the arena */
/* NULL with a message in `why`: the topology's node count does not fit, an unsupported combination, no room. */
struct icnt *icnt_create(struct timing_memory *m, struct requests *q, const struct icnt_config *cfg,
			 uint32_t n_clusters, uint32_t n_sub_partitions, struct text *why);
void icnt_destroy(struct icnt *n);
/* A new batch of kernels: time 0, statistics cleared (packets in flight stay). */
void icnt_restart(struct icnt *n);

/* Is there room for a packet of so many bytes in the input queue of `device`? */
bool icnt_has_buffer(const struct icnt *n, uint32_t device, uint32_t bytes);
/* Enters a packet; the caller has asked icnt_has_buffer. Kind and size come from the request (request_packet_bytes). */
void icnt_push(struct icnt *n, uint32_t from, uint32_t to, uint32_t request, uint32_t bytes);
/* One whole packet that has arrived at `device`, 0: none. */
uint32_t icnt_pop(struct icnt *n, uint32_t device);
/* Devices for which icnt_pop may have one, a bit each, 64 to a word; for all others it has none. Stands there as long as the network does. */
const uint64_t *icnt_arrived(const struct icnt *n);
static inline bool icnt_may_pop(const uint64_t *arrived, uint32_t device) { return arrived[device / 64] >> device % 64 & 1; }
/* The largest packet that fits into every buffer on its way: larger ones would stay for ever. */
uint32_t icnt_packet_bytes_max(const struct icnt *n);
/* Tells an ideal network the core cycle of the tick that begins: packets pushed in it count from there. */
void icnt_set_core_cycle(struct icnt *n, uint64_t core_cycle);
/* One network cycle. `core_cycle` is what the ideal networks count in. */
void icnt_cycle(struct icnt *n, uint64_t core_cycle);
/* Any flit under way or packet not yet popped. */
bool icnt_busy(const struct icnt *n);
/* icnt_cycle would change nothing but the time: nothing is anywhere in the network. Then icnt_skip does n cycles. */
bool icnt_quiet(const struct icnt *n);
void icnt_skip(struct icnt *n, uint64_t cycles);

/* ---- statistics, and for observers ---- */
/* The block of the kernel's end, in GPGPU-Sim's form; and closes a kernel for the overall averages. */
void icnt_print_stats(const struct icnt *n, struct text *out);
void icnt_close_kernel(struct icnt *n);
void icnt_forget_kernels(struct icnt *n);
/* `dicnt`: per node and router: input queue, buffers, VCs with state and credits, flits in flight. node < 0: all. False: no such node. */
bool icnt_dump(const struct icnt *n, int64_t node, struct text *out);
/* The node map and its reverse, as GPGPU-Sim prints them at the start. */
void icnt_print_map(const struct icnt *n, struct text *out);
/* How often no flit arrived for deadlock_warn_timeout cycles while some were under way. */
uint32_t icnt_deadlock_warnings(const struct icnt *n);
uint64_t icnt_time(const struct icnt *n);
uint32_t icnt_node_count(const struct icnt *n);
/* Counters for the conservation laws: packets and flits entered, delivered. */
struct icnt_totals {
	uint64_t packets_in, packets_out, flits_in, flits_out;
};
void icnt_get_totals(const struct icnt *n, struct icnt_totals *out);

#endif
