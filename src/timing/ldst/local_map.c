/* Local memory seen by the memory system. Each thread has its own local memory; for caches and DRAM, word w of all threads of the
 * machine is one stretch, so that the same word of neighbouring threads lies together. Source: GPGPU-Sim -gpgpu_local_mem_map. */
#include "timing/ldst/coalesce.h"

#define WORD_BYTES 4u

uint64_t local_word_stride(const struct local_layout *l)
{
	uint64_t threads = l->by_cta ? (uint64_t)l->padded * l->max_ctas : l->threads_per_core;
	return threads * l->n_cores * WORD_BYTES;
}

uint64_t local_thread_base(const struct local_layout *l, uint32_t t)
{
	uint64_t place;
	if (l->by_cta) {
		/* CTAs first over cores, then over a core's slots */
		uint64_t cta = l->core + (uint64_t)l->n_cores * (t / l->padded);
		place = l->padded * cta + t % l->padded;
	} else {
		place = (uint64_t)l->threads_per_core * l->core + t;
	}
	return TIMING_LOCAL_BASE + place * WORD_BYTES;
}
