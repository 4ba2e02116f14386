/* Streams that wait for and write words of memory: single calls, batches, and nodes of graphs. */
#include "host/driver/driver.h"
#include "host/graph/graph.h"

static int enqueue_checked(const struct host_words_params *p, const void *stream)
{
	int error = words_check(p);
	if (!error)
		error = host_enter();
	if (!error && !capture_add(stream, &(struct host_work){.type = NODE_WORDS, .words = *p}, &error))
		error = words_enqueue(p, stream);
	return error;
}

/* ---- calls ---- */

static int enqueue_single(const void *stream, int operation, uint64_t address, uint64_t value, unsigned flags)
{
	struct host_word_op o = {.operation = operation, .address = address, .value = value, .flags = flags};
	return enqueue_checked(&(struct host_words_params){.n = 1, .op = &o}, stream);
}

#define ONE(name, operation, type) \
	DRIVER(name)(const void *stream, uint64_t address, type value, unsigned flags) \
	{ \
		return enqueue_single(stream, operation, address, value, flags); \
	}
ONE(cuStreamWaitValue32_v2, WORD_WAIT_32, uint32_t)
ONE(cuStreamWaitValue64_v2, WORD_WAIT_64, uint64_t)
ONE(cuStreamWriteValue32_v2, WORD_WRITE_32, uint32_t)
ONE(cuStreamWriteValue64_v2, WORD_WRITE_64, uint64_t)

DRIVER(cuStreamBatchMemOp_v2)(const void *stream, unsigned n, struct host_word_op *op, unsigned flags)
{
	return enqueue_checked(&(struct host_words_params){.n = n, .op = op, .flags = flags}, stream);
}

/* ---- nodes ---- */

DRIVER(cuGraphAddBatchMemOpNode)
(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
 const struct host_words_params *p)
{
	return p ? AS_DRIVER(graph_add_checked(to, g, before, n, &(struct host_work){.type = NODE_WORDS, .words = *p}))
		 : cudaErrorInvalidValue;
}

DRIVER(cuGraphBatchMemOpNodeSetParams)(struct host_node *node, const struct host_words_params *p)
{
	return p ? graph_change_work(node, &(struct host_work){.type = NODE_WORDS, .words = *p})
		 : cudaErrorInvalidValue;
}

DRIVER(cuGraphExecBatchMemOpNodeSetParams)
(struct host_graph *g, const struct host_node *node, const struct host_words_params *p)
{
	return ws_cuGraphBatchMemOpNodeSetParams(graph_clone_of_node(g, node), p);
}

DRIVER(cuGraphBatchMemOpNodeGetParams)(const struct host_node *node, struct host_words_params *p)
{
	if (!graph_node_lives(node) || !p || node->work.type != NODE_WORDS)
		return cudaErrorInvalidValue;
	*p = node->work.words;
	return 0;
}
