/* Operations of streams on words of memory, as cuda.h has them (CUstreamBatchMemOpParams). */
#ifndef WORDS_H
#define WORDS_H

#include "driver.h"

struct op {
	int operation;
	unsigned more;
	ptr address;
	uint64_t value;
	unsigned flags;
	uint64_t unused[2];
};
enum { GEQ, EQ, AND, NOR, FLUSH = 1 << 30, WAIT_32 = 1, WRITE_32, FLUSH_WRITES, WAIT_64, WRITE_64, BARRIER };

#endif
