/* Streams that wait for words of memory and write them, one by one, in batches, and as nodes of graphs. */
#include "host/driver.h"
#include "host/graph.h"

enum { WAIT_32 = 1, WRITE_32, FLUSH, WAIT_64, WRITE_64, BARRIER }; /* CUstreamBatchMemOpType */
enum { HOWS = 3, FLUSHES = 1 << 30, NO_BARRIER = 1 }; /* CUstreamWaitValue_flags, CUstreamWriteValue_flags */
#define BATCH_MOST 256u

static bool is_wait(int operation) { return operation == WAIT_32 || operation == WAIT_64; }
static unsigned bytes_of(int operation) { return operation == WAIT_64 || operation == WRITE_64 ? 8 : 4; }

/* Memory is the same for all here, and what was written is seen: flushes and barriers have nothing to do. */
static int check(const struct host_word_op *o)
{
	bool ok = false;
	switch (o->operation) {
	case WAIT_32:
	case WAIT_64: ok = !(o->flags & ~(unsigned)(HOWS | FLUSHES)) && !(o->address % bytes_of(o->operation)); break;
	case WRITE_32:
	case WRITE_64: ok = o->flags <= NO_BARRIER && !(o->address % bytes_of(o->operation)); break;
	case FLUSH: ok = !o->more; break;
	case BARRIER: ok = o->more <= 1; break;
	default: break;
	}
	return ok ? 0 : cudaErrorInvalidValue;
}

int words_check(const struct host_words_params *p)
{
	int error = !p->flags && p->n <= BATCH_MOST && (p->op || !p->n) ? 0 : cudaErrorInvalidValue;
	for (unsigned k = 0; k < p->n && !error; k++)
		error = check(&p->op[k]);
	return error;
}

static int do_one(const struct host_word_op *o, const void *stream)
{
	const unsigned bytes = bytes_of(o->operation);
	if (o->operation == FLUSH || o->operation == BARRIER)
		return 0;
	if (is_wait(o->operation))
		return call_stream_poll(
			&(struct call_stream_poll){host_stream(stream), o->address, o->value, bytes, o->flags & HOWS},
			NULL, 0, NULL);
	return call_fill(&(struct call_fill){o->address, bytes, host_stream(stream), o->value, bytes, false}, NULL, 0,
			 NULL);
}

int words_do(const struct host_words_params *p, const void *stream)
{
	int error = 0;
	for (unsigned k = 0; k < p->n && !error; k++)
		error = do_one(&p->op[k], stream);
	return error;
}

static int queue(const struct host_words_params *p, const void *stream)
{
	int error = words_check(p);
	if (!error)
		error = host_enter();
	if (!error && !capture_takes(stream, &(struct host_work){.type = NODE_WORDS, .words = *p}, &error))
		error = words_do(p, stream);
	return error;
}

/* ---- the calls; stream 0 is the thread's own in those of the second row ---- */

static int queue_one(const void *stream, int operation, uint64_t address, uint64_t value, unsigned flags)
{
	struct host_word_op o = {.operation = operation, .address = address, .value = value, .flags = flags};
	return queue(&(struct host_words_params){.n = 1, .op = &o}, stream);
}

#define ONE(name, operation, type) \
	DRIVER(name)(const void *stream, uint64_t address, type value, unsigned flags) \
	{ \
		return queue_one(stream, operation, address, value, flags); \
	}
ONE(cuStreamWaitValue32_v2, WAIT_32, uint32_t)
ONE(cuStreamWaitValue64_v2, WAIT_64, uint64_t)
ONE(cuStreamWriteValue32_v2, WRITE_32, uint32_t)
ONE(cuStreamWriteValue64_v2, WRITE_64, uint64_t)

DRIVER(cuStreamBatchMemOp_v2)(const void *stream, unsigned n, struct host_word_op *op, unsigned flags)
{
	return queue(&(struct host_words_params){.n = n, .op = op, .flags = flags}, stream);
}

/* ---- nodes ---- */

DRIVER(cuGraphAddBatchMemOpNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
 const struct host_words_params *p)
{
	return p ? AS_DRIVER(graph_add_call(to, g, before, n, &(struct host_work){.type = NODE_WORDS, .words = *p}))
		 : cudaErrorInvalidValue;
}

DRIVER(cuGraphBatchMemOpNodeSetParams)(struct host_node *node, const struct host_words_params *p)
{
	return p ? graph_change(node, &(struct host_work){.type = NODE_WORDS, .words = *p}) : cudaErrorInvalidValue;
}

DRIVER(cuGraphExecBatchMemOpNodeSetParams)
(struct host_graph *g, const struct host_node *node, const struct host_words_params *p)
{
	return ws_cuGraphBatchMemOpNodeSetParams(graph_twin_of(g, node), p);
}

DRIVER(cuGraphBatchMemOpNodeGetParams)(const struct host_node *node, struct host_words_params *p)
{
	if (!graph_node_lives(node) || !p || node->work.type != NODE_WORDS)
		return cudaErrorInvalidValue;
	*p = node->work.words;
	return 0;
}
