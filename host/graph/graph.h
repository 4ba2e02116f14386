/* Graphs: nodes in the program's memory, which a launch turns into calls in streams. Handles of graphs and nodes are their addresses, as with CUDA;
 * the debugger doesn't know them. */
#ifndef HOST_GRAPH_H
#define HOST_GRAPH_H

#include "host/stream/attributes.h"
#include "host/host.h"

enum host_node_type { /* numbers of cudaGraphNodeType */
		      NODE_KERNEL,
		      NODE_COPY,
		      NODE_FILL,
		      NODE_HOST,
		      NODE_GRAPH,
		      NODE_EMPTY,
		      NODE_WAIT,
		      NODE_RECORD,
		      NODE_ALLOC = 10,
		      NODE_FREE,
		      NODE_WORDS, /* operations on words of memory */
		      NODE_CONDITION
};

/* Parameters of nodes, as in the toolkit's headers. */
struct host_kernel_params {
	const void *function;
	struct host_dim grid, block;
	unsigned shared;
	void **arguments, **extra;
};
struct host_pitched {
	void *at;
	size_t pitch, width, height;
};
struct host_copy_params {
	void *from_array;
	size_t from_place[3];
	struct host_pitched from;
	void *to_array;
	size_t to_place[3];
	struct host_pitched to;
	size_t extent[3];
	int kind;
};
struct host_fill_params {
	void *to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};
struct host_function_params {
	void (*function)(void *);
	void *data;
};
struct host_alloc_params {
	int properties[22]; /* cudaMemPoolProps: type of allocation, of handles, of location, which device */
	const void *access;
	size_t n_access, bytes;
	void *at;
};
enum { CONDITION_IF, CONDITION_WHILE, CONDITION_SWITCH }; /* cudaGraphConditionalNodeType */
struct host_condition_params {				  /* cudaConditionalNodeParams */
	uint64_t handle;
	int type;
	unsigned n;
	struct host_graph **graphs;
};
_Static_assert(sizeof(struct host_alloc_params) == 120, "as cudaMemAllocNodeParams");

enum {
	WORD_WAIT_32 = 1,
	WORD_WRITE_32,
	WORD_FLUSH,
	WORD_WAIT_64,
	WORD_WRITE_64,
	WORD_BARRIER
};		      /* CUstreamBatchMemOpType */
struct host_word_op { /* CUstreamBatchMemOpParams */
	int operation;
	unsigned more; /* flags of an operation without an address */
	uint64_t address, value;
	unsigned flags;
	uint64_t alias, unused;
};
_Static_assert(sizeof(struct host_word_op) == 48, "as cuda.h has it");
struct host_words_params { /* CUDA_BATCH_MEM_OP_NODE_PARAMS */
	void *context;
	unsigned n;
	struct host_word_op *op;
	unsigned flags;
};

/* What a node does, by type. */
struct host_work {
	enum host_node_type type;
	union {
		struct host_kernel_params kernel;
		struct host_copy_params copy;
		struct host_fill_params fill;
		struct host_function_params call;
		struct host_graph *graph; /* the child graph, which the node owns */
		void *event;
		struct host_alloc_params alloc;
		void *freed; /* freed address */
		struct host_condition_params condition;
		struct host_words_params words;
	};
	bool moves;			  /* of a child graph: the node takes ownership instead of copying it */
	bool cooperative;		  /* of a captured kernel: it was launched cooperatively */
	const void *caller;		  /* of a kernel: return address of the call that added it */
	struct host_graph_memory *memory; /* memory of an allocation node */
	void *owned; /* memory owned by the node: the kernel's arguments, the operations on words */
};

struct host_node {
	struct host_graph *graph;
	struct host_node *next;
	const struct host_node *origin; /* of a node of a clone: the original node */
	struct host_node **before;	/* nodes it depends on */
	size_t n_before, place;		/* place: index in the graph, valid after graph_number_nodes */
	bool disabled;
	struct host_work work;
	struct host_attributes attributes; /* attributes of a kernel node set by the program */
};

/* Functions of graph_launch.c, for graphs that were prepared. */
struct host_graph_operations {
	int (*prepare)(struct host_graph *g);
	void (*free_lanes)(struct host_graph *g);
};

struct host_graph {
	const struct host_graph_operations *operations; /* NULL: never prepared */
	struct host_node *first, **end;
	size_t n;
	struct host_graph *known;      /* next of all graphs */
	unsigned long long id, origin; /* origin: of an instantiated graph: id of the graph it was made from */
	unsigned long long flags;      /* flags of the instantiation */
	/* of an instantiated graph (graph_launch.c): */
	bool is_ready;
	struct host_node **order;
	struct host_lanes *lanes;
	void *last_stream; /* stream of the last launch; the next launch is ordered after it */
	bool was_launched;
	/* owned by a node: the program can't destroy it; body: of a conditional node */
	bool is_part, is_body;
	struct host_object_use *objects;
};
#define GRAPH_AUTO_FREE 1u /* cudaGraphInstantiateFlagAutoFreeOnLaunch */

#define GRAPH_COPY_1D(to_, from_, bytes_, kind_) \
	{ \
		.type = NODE_COPY, .copy = { \
			.from = {(void *)(uintptr_t)(from_), bytes_, bytes_, 1}, \
			.to = {to_, bytes_, bytes_, 1}, \
			.extent = {bytes_, 1, 1}, \
			.kind = kind_ \
		} \
	}

/* ---- graph.c ---- */
/* Creates an empty graph with an id of its own, which the caller frees with graph_free. Returns NULL if there isn't enough memory. */
struct host_graph *graph_create(void);
/* Returns whether `g`, which may be any pointer, is a graph that hasn't been freed; executable and child graphs are graphs, too. */
bool graph_lives(const struct host_graph *g);
/* Returns whether `n`, which may be any pointer, is a node that hasn't been freed. */
bool graph_node_lives(const struct host_node *n);
/* Frees a graph, executable or not, with its nodes and what they own, and its streams and events for launches. Releases its references to conditions
 * and user objects. */
void graph_free(struct host_graph *g);
/* Returns a new graph, which graph_free frees, with copies of the nodes, dependencies and child graphs of `g`, with *error 0; each copy's `origin` is
 * its original. Copies share allocated memory, conditions and user objects with the original. Returns NULL with *error if `g` is no graph or a copy
 * fails. */
struct host_graph *graph_clone(const struct host_graph *g, int *error);
/* Sets the `place` of each node to its index in the graph's list of nodes, from 0. */
void graph_number_nodes(struct host_graph *g);
/* Adds to `g` a node with a copy of work `w`, after the n nodes in `before`, without checking whether `g` may have the work; sets *error to 0. With
 * w->moves, takes ownership of the child graph instead of copying it. Returns NULL with *error if `g` is no graph, a node in `before` isn't one of
 * `g`, or a copy fails. */
struct host_node *graph_add(struct host_graph *g, struct host_node *const *before, size_t n, const struct host_work *w,
			    int *error);
/* Frees a node that is linked in no graph, with the attributes, the work and what the work owns. */
void graph_free_node(struct host_node *n);
/* Returns the node whose `origin` is `n` in `g`, its child graphs or its conditional bodies. Returns NULL if there is none, `n` is NULL, or `g` is no
 * graph. */
struct host_node *graph_clone_of_node(const struct host_graph *g, const struct host_node *n);
/* Prepares for launches what work `w` contains, a child graph or the bodies of a condition, with the `prepare` function of executable graph `g`. Does
 * nothing for other work. Returns 0 or the first error. */
int graph_prepare_work(const struct host_graph *g, const struct host_work *w);
/* Adds to `g` a node with a copy of `w`, after the n nodes in `before`, for a program's call; *to gets the node. Checks the work first, and whether
 * `g` may have it. Returns 0 or an error, which it also logs and stores for cudaGetLastError. */
int graph_add_checked(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		      const struct host_work *w);
/* Makes node `n` depend on node `before` of the same graph, even if it does already. Returns false, with `n` unchanged, if there isn't enough
 * memory. */
bool graph_add_dependency(struct host_node *n, struct host_node *before);
/* Replaces the work of a node by a copy of `w`, or with w->moves by the child graph itself, and frees the old work. In an executable graph also
 * prepares the copy for launches. Returns 0, or an error with the old work unchanged. */
int graph_set_work(struct host_node *n, const struct host_work *w);
/* Returns false for a fill with an impossible element size, address, extent or pitch, and for a host function that is NULL. Returns true for all
 * other work. */
bool graph_work_is_valid(const struct host_work *w);
/* Replaces the work of a node by a copy of `w`, for a program's call. Returns cudaErrorInvalidValue if the node or `w` is invalid, the type differs,
 * or a child graph is gone or has memory or conditional nodes. Returns another error if the copy fails, else 0. */
int graph_change_work(struct host_node *n, const struct host_work *w);

/* ---- graph_nodes.c ---- */
/* Returns 0 if `g` may have work `w`, and notes that `g` owns or frees its memory, or that its condition is used. Returns cudaErrorNotSupported for a
 * type that a conditional body can't have. Returns cudaErrorInvalidValue if `g` is no graph, is executable, or can't have that child graph, memory or
 * condition. */
int graph_check_node(struct host_graph *g, const struct host_work *w);
/* Returns whether the graph, a child graph of it or a conditional body has a node that allocates or frees memory. */
bool graph_has_memory(const struct host_graph *g);
/* Returns whether the graph, a child graph of it or a conditional body has memory or conditional nodes. The program can't clone such a graph, and can
 * instantiate it only once at a time. */
bool graph_is_single(const struct host_graph *g);

/* ---- graph_condition.c ---- */
/* Marks the condition with handle p->handle as used by a node of graph `g`. Returns 0, or cudaErrorInvalidValue if there is none, it is of another
 * graph or used already, or p->n doesn't suit p->type. */
int graph_condition_claim(const struct host_graph *g, const struct host_condition_params *p);
/* Replaces p->graphs by a new array of p->n body graphs: copies of the given ones, or empty graphs if p->graphs is NULL. Adds a reference to the
 * condition of p->handle, if it exists. Returns 0, or an error after undoing that; p->graphs is invalid then. */
int graph_condition_copy(struct host_condition_params *p);
/* Frees the p->n body graphs and their array p->graphs, and releases a reference to the condition of p->handle; the last one frees the condition. */
void graph_condition_free(struct host_condition_params *p);
/* Releases the references of the graph with id `graph` to its conditions, as the graph is freed. A condition without other references is freed, with
 * its device memory. */
void graph_conditions_release(unsigned long long graph);
/* Enqueues in `stream` writes of the initial value of each condition that a node of `g` uses, if the condition was created with one. Skips nodes of
 * child graphs and bodies. Returns 0 or the first error. */
int graph_conditions_reset(const struct host_graph *g, const void *stream);

/* ---- user_objects.c ---- */
/* Adds to graph `to` one reference to each user object that graph `from` has references to. */
void graph_objects_copy(struct host_graph *to, const struct host_graph *from);
/* Releases all references of a graph to user objects. The last reference to an object calls the program's destructor for it. */
void graph_objects_release(struct host_graph *g);

/* Returns whether an executable graph that was instantiated from `g` exists now. */
bool graph_is_instantiated(const struct host_graph *g);

/* ---- graph_memory.c ---- */
struct host_graph_memory;
/* Reserves device addresses of `bytes` bytes for an allocation node; allocates no memory there. Returns an object with one reference, which
 * graph_memory_release releases, and *error 0, or NULL with *error. caller: return address of the program's call. */
struct host_graph_memory *graph_memory_make(size_t bytes, const void *caller, int *error);
/* Adds a reference to `m` and returns `m`. Returns NULL for NULL. */
struct host_graph_memory *graph_memory_retain(struct host_graph_memory *m);
/* Releases a reference to `m`. The last one releases the reserved addresses in the debugger and frees `m`. NULL is ignored. */
void graph_memory_release(struct host_graph_memory *m);
/* Returns the first device address reserved for the allocation node's memory `m`, which mustn't be NULL; memory needn't be allocated there. */
void *graph_memory_address(const struct host_graph_memory *m);
/* Makes `g` the owner of an allocation node's memory, or records that `g` frees w->freed; returns 0, also for other work. Returns
 * cudaErrorInvalidValue if w->freed is no allocation node's address, or `g` was the last graph to get a node that frees it. Returns that also if both
 * the owner and another graph would have such a node. */
int graph_memory_check_node(struct host_graph *g, const struct host_work *w);
/* Checks that the memory of allocation nodes in `g` and its child graphs isn't allocated now. If some is, enqueues its free in `stream` with `frees`,
 * else returns cudaErrorInvalidValue. Returns 0 or the first error. */
int graph_memory_check_free(const struct host_graph *g, bool frees, const void *stream);
/* Enqueues in `stream` the free of w->freed for a free node, the allocation of w->memory for an allocation node. Returns 0 or an error. */
int graph_memory_run(const struct host_work *w, const void *stream);

/* ---- stream_words.c ---- */
/* Returns 0, or cudaErrorInvalidValue if p->flags isn't 0, the list is missing or has more than 256 operations, or an operation is wrong. An
 * operation is wrong if its type or flags are unknown or its address is misaligned. */
int words_check(const struct host_words_params *p);
/* Enqueues checked operations in the stream, in order: waits for words and writes of words; flushes and barriers do nothing. Returns 0, or the first
 * error, with the rest left out. */
int words_enqueue(const struct host_words_params *p, const void *stream);

/* ---- graph_launch.c ---- */
/* Makes `g` executable: sorts the nodes, prepares child graphs and bodies, and creates the streams and events of launches. Returns 0 or an error:
 * cudaErrorInvalidValue if the dependencies have a cycle. */
int graph_prepare(struct host_graph *g);

/* ---- capture.c ---- */
/* Adds work `w` as a node to the capture of `stream`, if any, sets *error to 0 or the node's error, and returns true. Also returns true with *error
 * in a signal handler that interrupted this code, or if using the legacy default stream invalidates a capture. Otherwise returns false: the caller
 * makes the call. */
bool capture_add(const void *stream, const struct host_work *w, int *error);
/* Returns whether `stream` is being captured, even if the capture is invalid. Returns false while the calling thread launches a graph. */
bool capture_is_active(const void *stream);
/* Invalidates the capture of `stream`, if there is one, because the call waits, and returns true with *error. Also returns true with *error in a
 * signal handler that interrupted this code, or if using the legacy default stream invalidates a capture. Otherwise returns false: the caller makes
 * the call. */
bool capture_reject(const void *stream, int *error);
/* Invalidates all captures that include a blocking stream, if `stream` is the legacy default stream. Returns true with *error if there are any, or in
 * a signal handler that interrupted this code: the call must not be made. Returns false otherwise, also while the thread launches a graph. */
bool capture_check_legacy(const void *stream, int *error);
/* Invalidates the captures that forbid the calling thread calls such as cudaMalloc, by the capture modes of both. Returns true with *error if there
 * are any, or in a signal handler that interrupted this code: the call must not be made. Returns false otherwise, also while the thread launches a
 * graph. */
bool capture_check_unsafe(int *error);
/* Invalidates all captures of the process, because the call waits for all streams. Returns true with *error if there are any, or in a signal handler
 * that interrupted this code: the call must not be made. Returns false otherwise, also while the thread launches a graph. */
bool capture_check_wait_all(int *error);
/* Invalidates the capture in which `event` was last recorded, if there is one, because the call queries the event. Returns true with *error then, or
 * in a signal handler that interrupted this code: the call must not be made. Returns false otherwise, also while the thread launches a graph. */
bool capture_check_event(const void *event, int *error);
/* Records `event` after the last nodes of `stream` in the stream's capture, if any, sets *error to 0 or an error, and returns true. Also returns true
 * with *error in a signal handler that interrupted this code, or if using the legacy default stream invalidates a capture. Otherwise removes the
 * event's record in a capture, unless the thread launches a graph, and returns false: the caller makes the call. */
bool capture_record(void *event, const void *stream, int *error);
/* Makes the next node in `stream` depend on `event`, if the event was recorded in a capture; an uncaptured stream joins that capture. If the captured
 * stream waits for an event outside of its capture, the capture becomes invalid, with *error. Returns true if the stream is captured now: the call
 * must not be made. Also returns true with *error in a signal handler that interrupted this code, or if using the legacy default stream invalidates a
 * capture. */
bool capture_wait(const void *stream, void *event, int *error);

#endif
