/* Address decoding: device address to channel, sub-partition, bank, row, column. Source: GPGPU-Sim's -gpgpu_mem_addr_mapping and
 * -gpgpu_mem_address_mask, behaviour of 3.2.2. */
#ifndef TIMING_ADDRESS_H
#define TIMING_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "timing/common/request.h"

struct address_map {
	uint32_t channels, subs; /* subs: per channel, a power of two */
	uint32_t gap;		 /* channels above the largest power of two in it; 0: power of two */
	uint32_t channel_bit;	 /* first channel bit, for gap > 0 and dramid@ */
	uint64_t channel_mask, bank_mask, row_mask, column_mask, burst_mask;
	uint64_t sub_mask;	 /* the bank bits that choose the sub-partition */
	uint64_t keep_mask;	 /* bits of the partition address */
};

/* Builds the map for `channels` channels of `subs` sub-partitions from the text of -gpgpu_mem_addr_mapping, or from mask number `mask` if the text is NULL
 * or "NULL". Returns false with the reason in `why` if the mapping is malformed. */
bool address_map_init(struct address_map *m, uint32_t channels, uint32_t subs, const char *mapping, int64_t mask, struct text *why);
/* Stores the DRAM place of a device address. */
void address_decode(const struct address_map *m, uint64_t address, struct dram_place *out);
/* Checks that no two addresses of the first 16 MiB share a place (-gpgpu_mem_addr_test). Returns false with the pair in `why` otherwise. */
bool address_map_test(const struct address_map *m, struct text *why);

#endif
