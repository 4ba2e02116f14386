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
struct files;
struct icnt_config; /* values by name, with their place in the file */
/* Makes a configuration with every option at its default; icnt_config_free frees it. */
struct icnt_config *icnt_config_create(void);
/* Frees a configuration, and with it the paths that diagnostics of icnt_config_load borrow. */
void icnt_config_free(struct icnt_config *c);
/* Reads a file's values, by `files` (NULL: the host's), into the configuration. Adds errors (unknown name, bad value, unsupported value) to `diags` with file, line and column, and
 * returns false if there are any. */
bool icnt_config_load(struct icnt_config *c, const struct files *files, const char *path, struct diag_list *diags);
/* Sets one option from the text of its value. Returns false with the reason in `why` if the name is unknown or the value is bad. */
bool icnt_config_set(struct icnt_config *c, const char *name, const char *value, struct text *why);
/* Appends name and value of each option that is set, as strings of base/record.h. */
void icnt_config_record(const struct icnt_config *c, struct text *out);

struct icnt; /* a view; state in the arena */
/* Builds the two networks for `n_clusters` clusters and `n_sub_partitions` sub-partitions; their state goes into m's arena. Returns NULL with the reason
 * in `why` if the topology has too few nodes, options don't fit each other, or the arena has no room. */
struct icnt *icnt_create(struct timing_memory *m, struct requests *q, const struct icnt_config *cfg,
			 uint32_t n_clusters, uint32_t n_sub_partitions, struct text *why);
/* Frees the view of a network, not its state in the arena; does nothing if n is NULL. */
void icnt_destroy(struct icnt *n);
/* Sets time to 0 and clears the statistics for a new batch of kernels; packets in flight stay. */
void icnt_restart(struct icnt *n);
/* Clears the statistics for another kernel of the batch. */
void icnt_begin_kernel(struct icnt *n);

/* Returns whether the input queue of `device` has room for a packet of `bytes` bytes. */
bool icnt_has_buffer(const struct icnt *n, uint32_t device, uint32_t bytes);
/* Enters a packet of `bytes` bytes (request_packet_bytes) that carries a request between two devices. The caller has checked icnt_has_buffer. */
void icnt_push(struct icnt *n, uint32_t from, uint32_t to, uint32_t request, uint32_t bytes);
/* Removes one complete packet that has arrived at `device` and returns its request, or 0 if there is none. */
uint32_t icnt_pop(struct icnt *n, uint32_t device);
/* Returns an array with a bit for each device, 64 to a word: set if icnt_pop may return a packet for the device, clear if it returns 0. The array
 * lives as long as the network. */
const uint64_t *icnt_arrived(const struct icnt *n);
/* Returns the bit of one device in the words of icnt_arrived. */
static inline bool icnt_may_pop(const uint64_t *arrived, uint32_t device) { return arrived[device / 64] >> device % 64 & 1; }
/* Returns the size in bytes of the largest packet that fits into every buffer on its way; a larger one would never arrive. */
uint32_t icnt_packet_bytes_max(const struct icnt *n);
/* Sets the core cycle from which the latency of packets pushed into an ideal network counts. Call it when a tick begins. */
void icnt_set_core_cycle(struct icnt *n, uint64_t core_cycle);
/* Simulates one network cycle. Ideal networks take `core_cycle` as the time. */
void icnt_cycle(struct icnt *n, uint64_t core_cycle);
/* Returns whether a flit is under way or a packet has not been popped yet. */
bool icnt_busy(const struct icnt *n);

/* ---- statistics, and for observers ---- */
/* Appends the statistics that GPGPU-Sim 3.2.2 prints at a kernel's end, in its form. */
void icnt_print_stats(const struct icnt *n, struct text *out);
/* Adds the statistics since icnt_restart or icnt_begin_kernel to the averages over kernels. */
void icnt_close_kernel(struct icnt *n);
/* Clears the averages over kernels. */
void icnt_forget_kernels(struct icnt *n);
/* Appends the state of one node and its router, or of all if `node` is negative: input queue, buffers, virtual channels with state and credits, flits in
 * flight (command `dicnt`). Returns false if there is no such node. */
bool icnt_dump(const struct icnt *n, int64_t node, struct text *out);
/* Returns the network cycles since icnt_restart. */
uint64_t icnt_time(const struct icnt *n);
/* Returns the number of nodes of each network. */
uint32_t icnt_node_count(const struct icnt *n);
/* Packets and flits that have entered and left the networks since they were built. */
struct icnt_totals {
	uint64_t packets_in, packets_out, flits_in, flits_out;
};
/* Stores the totals of both networks. */
void icnt_get_totals(const struct icnt *n, struct icnt_totals *out);

struct timing_valid;
/* Returns true if the network's state is consistent, and claims the requests in it (timing/common/valid.h). */
bool icnt_is_valid(const struct icnt *n, struct timing_valid *v);

#endif
