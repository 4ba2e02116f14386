/* Graphs: nodes in the program's memory, which a launch makes into calls in streams. Handles of graphs and nodes are their addresses, as with
 * CUDA: there is nothing in them that the debugger would have to know. */
#ifndef HOST_GRAPH_H
#define HOST_GRAPH_H

#include "host/attributes.h"
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

/* As the toolkit's headers have them. */
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
struct host_condition_params { /* cudaConditionalNodeParams */
	uint64_t handle;
	int type;
	unsigned n;
	struct host_graph **graphs;
};
_Static_assert(sizeof(struct host_alloc_params) == 120, "as cudaMemAllocNodeParams");

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

/* What a node does; which one says its type. */
struct host_work {
	enum host_node_type type;
	union {
		struct host_kernel_params kernel;
		struct host_copy_params copy;
		struct host_fill_params fill;
		struct host_function_params call;
		struct host_graph *graph; /* the node's own */
		void *event;
		struct host_alloc_params alloc;
		void *freed; /* the address */
		struct host_condition_params condition;
		struct host_words_params words;
	};
	bool moves;			  /* of a graph: the node takes it over instead of a copy */
	bool cooperative;		  /* of a kernel that was captured */
	const void *caller;		  /* of a kernel: where it was added */
	struct host_graph_memory *memory; /* of an allocation */
	void *kept;			  /* what the kernel's arguments point to; the operations on words */
};

struct host_node {
	struct host_graph *graph;
	struct host_node *next;
	const struct host_node *origin; /* of a clone's node: the one it was made from */
	struct host_node **before;	/* what it waits for */
	size_t n_before, place;		/* place: in the graph, 0 the first; valid after graph_places */
	bool disabled;
	struct host_work work;
	struct host_attributes attributes; /* of a kernel, which the program has set */
};

struct host_graph {
	struct host_node *first, **end;
	size_t n;
	struct host_graph *known;      /* the next of all there are */
	unsigned long long id, origin; /* origin: of one that can be launched: what it was made of */
	unsigned long long flags;      /* of its instantiation */
	/* of one that can be launched (graph_launch.c) */
	bool is_ready;
	struct host_node **order;
	struct host_lanes *lanes;
	void *last_stream; /* it was launched in; the next launch comes after that one */
	bool was_launched;
	/* of a node: the program can't destroy it */
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
struct host_graph *graph_make(void);
bool graph_lives(const struct host_graph *g);
bool graph_node_lives(const struct host_node *n);
void graph_free(struct host_graph *g);
/* With the memory of its allocation nodes. */
struct host_graph *graph_clone(const struct host_graph *g, int *error);
void graph_places(struct host_graph *g);
/* A node that waits for others; takes a copy of the work. NULL: *error says why. */
struct host_node *graph_add(struct host_graph *g, struct host_node *const *before, size_t n, const struct host_work *w,
			    int *error);
void graph_free_node(struct host_node *n);
/* The node of a graph that was made of another one's, in its parts, too; NULL: none was. */
struct host_node *graph_twin_of(const struct host_graph *g, const struct host_node *n);
int graph_work_ready(const struct host_work *w); /* graph_make_ready of what it holds */
/* The same as a call of the program: a new node of its graph. */
int graph_add_call(struct host_node **to, struct host_graph *g, struct host_node *const *before, size_t n,
		   const struct host_work *w);
bool graph_wait_for(struct host_node *n, struct host_node *before);
/* Replaces what a node does by a copy; 0 or an error. */
int graph_set_work(struct host_node *n, const struct host_work *w);
/* The same by the program: what it does stays of the same kind. */
bool graph_can_do(const struct host_work *w); /* what it says makes sense */
int graph_change(struct host_node *n, const struct host_work *w);

/* ---- graph_nodes.c ---- */
/* May the program add such a node? */
int graph_may_have(struct host_graph *g, const struct host_work *w);
bool graph_any(const struct host_graph *g, bool (*is)(const struct host_work *w)); /* in its parts, too */
bool graph_has_memory(const struct host_graph *g);
bool graph_is_single(const struct host_graph *g); /* it can't be copied, and be launched only in one instance */
bool graph_may_be_child(const struct host_graph *g, bool moves);

/* ---- graph_condition.c ---- */
int graph_condition_may_be(const struct host_graph *g, const struct host_condition_params *p);
/* Its graphs: copies of those it has, or new ones. */
int graph_condition_keep(struct host_condition_params *p);
void graph_condition_drop(struct host_condition_params *p);
void graph_conditions_forget(unsigned long long graph); /* which has ended */
int graph_conditions_begin(const struct host_graph *g,
			   const void *stream); /* a launch: those that have one get their first value */
int graph_condition_do(const struct host_condition_params *p, void *stream);

/* ---- user_objects.c ---- */
void graph_objects_copy(struct host_graph *to, const struct host_graph *from);
void graph_objects_drop(struct host_graph *g);

/* Can it be launched already, made of this one? */
bool graph_is_instantiated(const struct host_graph *g);

/* ---- graph_memory.c ---- */
struct host_graph_memory;
struct host_graph_memory *graph_memory_make(size_t bytes, const void *caller, int *error);
struct host_graph_memory *graph_memory_keep(struct host_graph_memory *m);
void graph_memory_drop(struct host_graph_memory *m); /* NULL is ignored */
void *graph_memory_at(const struct host_graph_memory *m);
/* A new node of `g` may allocate so, or free that; and is known to. */
int graph_memory_is_made(struct host_graph *g, const struct host_work *w);
/* Before a launch: nothing that it allocates is allocated yet. */
int graph_memory_ready(const struct host_graph *g, bool frees, const void *stream);
int graph_memory_do(const struct host_work *w, const void *stream);

/* ---- stream_words.c ---- */
int words_check(const struct host_words_params *p);
int words_do(const struct host_words_params *p, const void *stream);

/* ---- graph_launch.c ---- */
int graph_make_ready(struct host_graph *g); /* an order to do it in; an error: its nodes wait in a circle */
void graph_free_lanes(struct host_graph *g);
int graph_launch(struct host_graph *g, void *stream);

/* ---- capture.c ---- */
/* A call in a stream that is being captured becomes a node. False: it isn't, the call is to be made. */
bool capture_takes(const void *stream, const struct host_work *w, int *error);
bool capture_is_on(const void *stream);
/* Waiting is not possible in such a stream: the capture is void. */
bool capture_refuses(const void *stream, int *error);
/* Before what uses the legacy stream, what may wait for other streams (allocating, freeing), what waits for all of them: true, if a capture forbids it,
 * which then is void. */
bool capture_excludes(const void *stream, int *error);
bool capture_forbids(int *error);
bool capture_forbids_waiting(int *error);
/* An event that was recorded in a captured stream can't be asked. */
bool capture_has_event(const void *event, int *error);
bool capture_record(void *event, const void *stream, int *error);
bool capture_wait(const void *stream, void *event, int *error);

#endif
