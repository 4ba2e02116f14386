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
/* Creates an empty graph. Returns NULL if there isn't enough memory. */
struct host_graph *graph_create(void);
/* Returns whether `g` is a graph that hasn't been destroyed. */
bool graph_lives(const struct host_graph *g);
/* Returns whether `n` is a node that hasn't been destroyed. */
bool graph_node_lives(const struct host_node *n);
/* Frees a graph with its nodes and what they own. */
void graph_free(struct host_graph *g);
/* Returns a copy of a graph; allocation nodes share their memory with the original. Returns NULL with *error. */
struct host_graph *graph_clone(const struct host_graph *g, int *error);
/* Sets the index (`place`) of each node. */
void graph_number_nodes(struct host_graph *g);
/* Adds a node that depends on the n nodes in `before`; copies the work. Returns NULL with *error. */
struct host_node *graph_add(struct host_graph *g, struct host_node *const *before, size_t n, const struct host_work *w,
			    int *error);
/* Frees a node that is linked in no graph, with what it owns. */
void graph_free_node(struct host_node *n);
/* Returns the node of a cloned graph, child graphs included, whose original is `n`; NULL if there is none. */
struct host_node *graph_clone_of_node(const struct host_graph *g, const struct host_node *n);
/* Prepares the child graphs of a node's work for launches, with the operations of `g`. Returns 0 or an error. */
int graph_prepare_work(const struct host_graph *g, const struct host_work *w);
/* Adds a node for a call of the program, after checking that the graph may have it. Returns 0 or an error. */
int graph_add_checked(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		      const struct host_work *w);
/* Makes node `n` depend on node `before`. Returns false if there isn't enough memory. */
bool graph_add_dependency(struct host_node *n, struct host_node *before);
/* Replaces a node's work by a copy of `w`. Returns 0 or an error. */
int graph_set_work(struct host_node *n, const struct host_work *w);
/* Returns whether the parameters of the work are valid by themselves. */
bool graph_work_is_valid(const struct host_work *w);
/* Replaces a node's work for a call of the program; the type must stay the same. Returns 0 or an error. */
int graph_change_work(struct host_node *n, const struct host_work *w);

/* ---- graph_nodes.c ---- */
/* Returns 0 if the program may add a node with that work to the graph, or an error. Registers memory and conditions with the graph. */
int graph_check_node(struct host_graph *g, const struct host_work *w);
/* Returns whether the graph has allocation or free nodes, child graphs included. */
bool graph_has_memory(const struct host_graph *g);
/* Returns whether the graph can't be copied and can have one instance only: it has memory or conditional nodes. */
bool graph_is_single(const struct host_graph *g);

/* ---- graph_condition.c ---- */
/* Marks a condition as used by a node of the graph. Returns 0, or an error if it is of another graph, already used, or has a wrong size. */
int graph_condition_claim(const struct host_graph *g, const struct host_condition_params *p);
/* Gives a conditional node its own body graphs, copies of p->graphs or new ones if that is NULL, and retains its condition. Returns 0 or an error. */
int graph_condition_copy(struct host_condition_params *p);
/* Frees the body graphs of a conditional node and releases its condition. */
void graph_condition_free(struct host_condition_params *p);
/* Releases the conditions of a graph that is freed, by its id. */
void graph_conditions_release(unsigned long long graph);
/* Writes the initial values of a graph's conditions, if they have one, at a launch in `stream`. Returns 0 or an error. */
int graph_conditions_reset(const struct host_graph *g, const void *stream);

/* ---- user_objects.c ---- */
/* Adds references to the user objects of `from` for a cloned graph. */
void graph_objects_copy(struct host_graph *to, const struct host_graph *from);
/* Releases the graph's references to user objects. */
void graph_objects_release(struct host_graph *g);

/* Returns whether an executable graph made from this graph exists. */
bool graph_is_instantiated(const struct host_graph *g);

/* ---- graph_memory.c ---- */
struct host_graph_memory;
/* Reserves an address for an allocation node. caller: return address of the program's call. Returns NULL with *error. */
struct host_graph_memory *graph_memory_make(size_t bytes, const void *caller, int *error);
/* Adds a reference to `m`, which it returns; NULL is accepted. */
struct host_graph_memory *graph_memory_retain(struct host_graph_memory *m);
/* Releases a reference; the last one releases the address. NULL is ignored. */
void graph_memory_release(struct host_graph_memory *m);
/* Returns the reserved address. */
void *graph_memory_address(const struct host_graph_memory *m);
/* Returns 0 if a new node of `g` may allocate or free that memory, and records it; other work always may. Else returns an error. */
int graph_memory_check_node(struct host_graph *g, const struct host_work *w);
/* Returns an error if memory that the graph allocates is still allocated; with `frees` it frees that memory in `stream` instead. */
int graph_memory_check_free(const struct host_graph *g, bool frees, const void *stream);
/* Enqueues the allocation or free of a memory node in the stream. Returns 0 or an error. */
int graph_memory_run(const struct host_work *w, const void *stream);

/* ---- stream_words.c ---- */
/* Returns 0 if the operations on words are valid, or an error. */
int words_check(const struct host_words_params *p);
/* Enqueues the operations on words in the stream. Returns 0 or an error. */
int words_enqueue(const struct host_words_params *p, const void *stream);

/* ---- graph_launch.c ---- */
/* Sorts the nodes and creates streams and events for launches. Returns an error if the dependencies have a cycle. */
int graph_prepare(struct host_graph *g);

/* ---- capture.c ---- */
/* Adds the work of a call in a captured stream to the captured graph. Returns false if the stream isn't captured: the call is then made. *error: the
 * call's error. */
bool capture_add(const void *stream, const struct host_work *w, int *error);
/* Returns whether the stream is being captured. */
bool capture_is_active(const void *stream);
/* Invalidates the capture of a stream because the call waits. Returns true, with *error, if the call must not be made. */
bool capture_reject(const void *stream, int *error);
/* Invalidates captures that exclude the use of the legacy stream. Returns true, with *error, if the call must not be made; other streams are never
 * excluded. */
bool capture_check_legacy(const void *stream, int *error);
/* Invalidates captures that forbid this thread to wait for other streams (allocating, freeing). Returns true, with *error, if the call must not be
 * made. */
bool capture_check_unsafe(int *error);
/* Invalidates all captures because the call waits for all streams. Returns true, with *error, if the call must not be made. */
bool capture_check_wait_all(int *error);
/* Invalidates the capture in which `event` was recorded, because the call queries the event. Returns true, with *error, if the call must not be
 * made. */
bool capture_check_event(const void *event, int *error);
/* Records an event in a captured stream. Returns true if the call must not be made: the event was recorded in the capture, or *error is set. */
bool capture_record(void *event, const void *stream, int *error);
/* Lets a stream wait for an event of a capture, which captures the stream, too. Returns true if the call must not be made; *error: its error. Returns
 * false if neither is captured. */
bool capture_wait(const void *stream, void *event, int *error);

#endif
