/* Stream buffers (-gpgpu_stream_buffers): `ld.shared` reads the next element of a stream of global memory, `st.shared` appends to one; an address is a stream's
 * number. A block's streams begin at its start, where the kernel's parameters say. Source: the Mondrian simulator. */
#ifndef EXEC_STREAMS_H
#define EXEC_STREAMS_H

#include "exec/exec.h"

enum exec_stream_kind { EXEC_STREAM_READS, EXEC_STREAM_WRITES, EXEC_STREAM_KINDS };

/* The streams of a block, in section STREAMS at its slot. */
struct exec_streams {
	uint32_t n[EXEC_STREAM_KINDS];
	uint32_t length;		       /* elements of each read stream */
	uint32_t write_length;		       /* elements of each write stream */
	uint32_t start[EXEC_STREAM_KINDS][LANES]; /* device addresses */
	uint32_t next[EXEC_STREAM_KINDS][LANES];  /* element that is next */
};

/* Makes `ld` and `st` with .shared access streams whose elements lie `step` bytes apart. Returns false if there is no memory. */
bool exec_streams_on(struct exec *x, uint32_t step);
/* Returns false with the reason in `why` if a kernel's parameters don't describe streams: up to `most` of each kind. */
bool exec_streams_check(const struct isa_program *p, uint32_t function, const void *params, uint32_t most, struct text *why);
/* Sets up the streams of a block that starts in a slot. Returns false if there is no room. */
bool exec_streams_start(struct exec *x, uint32_t cta_slot, const struct exec_launch *l);
/* Returns the streams of the block in a slot, which has started. */
static inline struct exec_streams *exec_streams_of(const struct exec *x, uint32_t cta_slot)
{
	return (struct exec_streams *)arena_at(x->arena, x->sec_streams, 0) + cta_slot;
}
/* Returns the elements of a stream of a kind. */
static inline uint32_t exec_stream_length(const struct exec_streams *s, unsigned kind) { return kind == EXEC_STREAM_READS ? s->length : s->write_length; }
/* Returns true if the state of all streams is consistent, after a restore that may hold anything. */
bool exec_streams_are_valid(const struct exec *x);

#endif
