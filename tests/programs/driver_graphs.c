/* The driver API's graphs: nodes of any kind, conditions, memory, and what is told of them. Layouts: cuda.h. */

#include "driver.h"

struct node {
	int type, reserved[3];
	union {
		struct {
			void *function;
			unsigned grid[3], block[3], shared;
			void **arguments, **extra, *kernel, *context;
		} kernel;
		struct {
			int flags, reserved;
			void *context;
			struct copy_3d params;
		} copy;
		struct {
			uint64_t handle;
			int type;
			unsigned n;
			void **graphs, *context;
		} condition;
		struct {
			int type, handles, location, device, pool[18];
			void *access;
			size_t n_access, bytes;
			ptr at;
		} alloc;
		long long all[29];
	};
	long long reserved2;
};
enum { HOST = 1, DEVICE, KERNEL = 0, COPY, ALLOC = 10, FREE, CONDITION = 13, INVALID_VALUE = 1 };

int cuStreamGetCaptureInfo_v3(void *, int *, uint64_t *, void **, void *const **, const uint64_t **, size_t *);
int cuStreamUpdateCaptureDependencies_v2(void *, void **, const void *, size_t, unsigned);
int cuGraphAddNode_v2(void **, void *, void *const *, const void *, size_t, struct node *), cuGraphConditionalHandleCreate(uint64_t *, void *, void *, unsigned, unsigned);
int cuGraphNodeSetParams(void *, struct node *), cuGraphExecNodeSetParams(void *, void *, struct node *), cuGraphMemcpyNodeGetParams(void *, struct copy_3d *);
int cuGraphNodeGetDependencies_v2(void *, void **, uint64_t *, size_t *);
int cuGraphAddMemFreeNode(void **, void *, void *const *, size_t, ptr), cuGraphMemFreeNodeGetParams(void *, ptr *), cuDeviceGetGraphMemAttribute(int, int, void *), cuDeviceGraphMemTrim(int);

static void *add;

static struct node kernel(void **arguments)
{
	return (struct node){.type = KERNEL, .kernel = {.grid = {1, 1, 1}, .block = {8, 1, 1}, .arguments = arguments, .kernel = add}};
}

static unsigned word(ptr p)
{
	unsigned value;
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, sizeof value));
	return value;
}

/* a kernel, then a copy, in an if; then changed */
static void kinds(void)
{
	void *graph, *exec, *node[3], *body, *before[2], *context;
	unsigned five = 5, nine = 9;
	uint64_t handle, edges[2] = {1, 1};
	size_t n = 2;
	struct copy_3d got;
	ptr p;
	RETURNS(0, cuMemAlloc_v2(&p, 64));
	RETURNS(0, cuMemsetD32_v2(p, 0, 16));
	RETURNS(0, cuCtxGetCurrent(&context));
	RETURNS(0, cuGraphCreate(&graph, 0));
	RETURNS(0, cuGraphConditionalHandleCreate(&handle, graph, context, 1, 1));
	struct node c = {.type = CONDITION, .condition = {.handle = handle, .n = 1, .context = context}};
	RETURNS(0, cuGraphAddNode_v2(&node[0], graph, NULL, NULL, 0, &c));
	body = c.condition.graphs[0];
	struct node k = kernel((void *[]){&p, &five});
	RETURNS(0, cuGraphAddNode_v2(&node[1], body, NULL, NULL, 0, &k));
	struct node m = {.type = COPY, .copy.params = {{.x = 4, .type = DEVICE, .device = p, .pitch = 32}, {.x = 8, .type = DEVICE, .device = p + 32, .pitch = 32}, 8, 1, 1}};
	RETURNS(0, cuGraphAddNode_v2(&node[2], body, &node[1], NULL, 1, &m));
	RETURNS(0, cuGraphNodeGetDependencies_v2(node[2], before, edges, &n));
	EXPECT(n == 1 && before[0] == node[1] && edges[0] == 0);
	RETURNS(0, cuGraphMemcpyNodeGetParams(node[2], &got));
	EXPECT(got.from.type == DEVICE && got.from.device + got.from.x == p + 4 && got.to.device + got.to.x == p + 40 && got.bytes == 8 && got.rows == 1 && got.slices == 1);
	RETURNS(INVALID_VALUE, cuGraphMemcpyNodeGetParams(node[1], &got));
	RETURNS(0, cuGraphInstantiateWithFlags(&exec, graph, 0));
	RETURNS(0, cuGraphLaunch(exec, NULL));
	EXPECT(word(p) == 5 && word(p + 36) == 0 && word(p + 40) == 5 && word(p + 44) == 5 && word(p + 48) == 0);
	k = kernel((void *[]){&p, &nine});
	RETURNS(0, cuGraphExecNodeSetParams(exec, node[1], &k));
	m.copy.params.to.x = 16;
	RETURNS(0, cuGraphExecNodeSetParams(exec, node[2], &m));
	RETURNS(0, cuGraphLaunch(exec, NULL));
	EXPECT(word(p) == 14 && word(p + 40) == 5 && word(p + 48) == 14);
}

static void memory(void)
{
	void *graph, *exec, *node, *end;
	uint64_t used = 9;
	ptr freed;
	int type;
	struct node a = {.type = ALLOC, .alloc = {.type = 1, .location = 1, .bytes = 4096}};
	RETURNS(0, cuGraphCreate(&graph, 0));
	RETURNS(0, cuGraphAddNode_v2(&node, graph, NULL, NULL, 0, &a));
	RETURNS(0, cuGraphAddMemFreeNode(&end, graph, &node, 1, a.alloc.at));
	RETURNS(0, cuGraphMemFreeNodeGetParams(end, &freed));
	RETURNS(0, cuGraphNodeGetType(node, &type));
	EXPECT(type == ALLOC && freed == a.alloc.at && freed);
	RETURNS(0, cuGraphInstantiateWithFlags(&exec, graph, 0));
	RETURNS(0, cuGraphLaunch(exec, NULL));
	RETURNS(0, cuCtxSynchronize());
	RETURNS(0, cuDeviceGetGraphMemAttribute(0, 2, &used));
	EXPECT(used == 4096);
	RETURNS(0, cuDeviceGraphMemTrim(0));
	RETURNS(0, cuDeviceGetGraphMemAttribute(0, 2, &used));
	EXPECT(used == 0);
}

static void captured(void)
{
	void *stream, *graph, *same, *const *before, *list[2];
	const uint64_t *edges;
	uint64_t id;
	size_t n = 9;
	int status;
	ptr p;
	RETURNS(0, cuMemAlloc_v2(&p, 64));
	RETURNS(0, cuStreamCreate(&stream, 0));
	RETURNS(0, cuStreamBeginCapture_v2(stream, 0));
	RETURNS(0, cuMemsetD32Async(p, 1, 4, stream));
	RETURNS(0, cuStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &before, &edges, &n));
	EXPECT(status == 1 && id && n == 1 && edges[0] == 0);
	RETURNS(0, cuStreamUpdateCaptureDependencies_v2(stream, NULL, NULL, 0, 1));
	RETURNS(0, cuMemsetD32Async(p, 1, 4, stream));
	RETURNS(0, cuStreamUpdateCaptureDependencies_v2(stream, (void *[]){before[0]}, NULL, 0, 0));
	RETURNS(0, cuGraphGetNodes(graph, list, (n = 2, &n)));
	RETURNS(0, cuStreamUpdateCaptureDependencies_v2(stream, list, NULL, 1, 0));
	RETURNS(0, cuStreamGetCaptureInfo_v3(stream, &status, NULL, &graph, &before, NULL, &n));
	EXPECT(n == 2);
	RETURNS(0, cuStreamEndCapture(stream, &same));
	EXPECT(same == graph);
	RETURNS(401, cuStreamUpdateCaptureDependencies_v2(stream, list, NULL, 1, 0));
}

int main(void)
{
	begin_driver();
	add = kernel_of("streams.ptx", "add");
	kinds();
	memory();
	captured();
	return verdict();
}
