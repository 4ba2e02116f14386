/* Operations on words of memory: checks, and enqueueing in streams. */
#include "host/driver/driver.h"
#include "host/graph/graph.h"

enum { HOWS = 3, FLUSHES = 1 << 30, NO_BARRIER = 1 }; /* CUstreamWaitValue_flags, CUstreamWriteValue_flags */
#define BATCH_MOST 256u

static bool is_wait(int operation) { return operation == WORD_WAIT_32 || operation == WORD_WAIT_64; }
static unsigned bytes_of(int operation) { return operation == WORD_WAIT_64 || operation == WORD_WRITE_64 ? 8 : 4; }

/* Returns 0 if an operation is valid, or an error. Memory is coherent, so flushes and barriers have no effect. */
static int check_operation(const struct host_word_op *o)
{
	bool ok = false;
	switch (o->operation) {
	case WORD_WAIT_32:
	case WORD_WAIT_64:
		ok = !(o->flags & ~(unsigned)(HOWS | FLUSHES)) && !(o->address % bytes_of(o->operation));
		break;
	case WORD_WRITE_32:
	case WORD_WRITE_64: ok = o->flags <= NO_BARRIER && !(o->address % bytes_of(o->operation)); break;
	case WORD_FLUSH: ok = !o->more; break;
	case WORD_BARRIER: ok = o->more <= 1; break;
	default: break;
	}
	return ok ? 0 : cudaErrorInvalidValue;
}

int words_check(const struct host_words_params *p)
{
	int error = !p->flags && p->n <= BATCH_MOST && (p->op || !p->n) ? 0 : cudaErrorInvalidValue;
	for (unsigned k = 0; k < p->n && !error; k++)
		error = check_operation(&p->op[k]);
	return error;
}

static int enqueue_operation(const struct host_word_op *o, const void *stream)
{
	const unsigned bytes = bytes_of(o->operation);
	if (o->operation == WORD_FLUSH || o->operation == WORD_BARRIER)
		return 0;
	if (is_wait(o->operation))
		return call_stream_poll(
			&(struct call_stream_poll){host_stream(stream), o->address, o->value, bytes, host_poll_how(o->flags & HOWS)},
			NULL, 0, NULL);
	return call_fill(&(struct call_fill){o->address, bytes, host_stream(stream), o->value, bytes, false}, NULL, 0,
			 NULL);
}

int words_enqueue(const struct host_words_params *p, const void *stream)
{
	int error = 0;
	for (unsigned k = 0; k < p->n && !error; k++)
		error = enqueue_operation(&p->op[k], stream);
	return error;
}
