// When copies that are queued in a stream read their source: `turns WAY...`, all of them without arguments. The expected bytes are CUDA's documentation
// ("API synchronization behavior", cudaMemcpySrcAccessOrder): page-locked and managed memory is read when the copy's turn comes, pageable memory during the
// call, and what is to be read during the call likewise.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

enum { N = 4096, W = 64, H = 8, D = 8, OLD = 1, NEW = 2 }; // N = W * H * D bytes
static int failures;
#define CHECK(call) \
	do { \
		const int error_ = (int)(call); \
		if (error_) \
			printf("%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, error_), exit(9); \
	} while (0)

__constant__ char constants[N];
__device__ char variable[N];
__global__ void write(char *p, char value)
{
	for (int k = threadIdx.x; k < N; k += blockDim.x)
		p[k] = value;
}
__global__ void work(int *p, int n)
{
	for (int k = 0; k < n; k++)
		atomicAdd(p, 1);
}

static cudaStream_t s, other;
static cudaEvent_t event;
static char *device, *busy, back[N];
static cudaArray_t array, box_array;

// Each way brings N bytes from `from` to the device; its target is read back by `fetch_...`.
static void fetch_device(char *to) { CHECK(cudaMemcpy(to, device, N, cudaMemcpyDeviceToHost)); }
static void fetch_constants(char *to) { CHECK(cudaMemcpyFromSymbol(to, constants, N)); }
static void fetch_variable(char *to) { CHECK(cudaMemcpyFromSymbol(to, variable, N)); }
static void fetch_array(char *to) { CHECK(cudaMemcpy2DFromArray(to, W, array, 0, 0, W, H * D, cudaMemcpyDeviceToHost)); }
static void fetch_box(char *to)
{
	cudaMemcpy3DParms p = {};
	p.srcArray = box_array;
	p.dstPtr = make_cudaPitchedPtr(to, W, W, H);
	p.extent = make_cudaExtent(W, H, D);
	p.kind = cudaMemcpyDeviceToHost;
	CHECK(cudaMemcpy3D(&p));
}

static void one(char *from) { CHECK(cudaMemcpyAsync(device, from, N, cudaMemcpyHostToDevice, s)); }
static void by_address(char *from) { CHECK(cudaMemcpyAsync(device, from, N, cudaMemcpyDefault, s)); }
static void rows(char *from)
{
	for (int x = 0; x < W; x += W / 2)
		CHECK(cudaMemcpy2DAsync(device + x, W, from + x, W, W / 2, N / W, cudaMemcpyHostToDevice, s));
}
static void box(char *from)
{
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(from, W, W, H);
	p.dstPtr = make_cudaPitchedPtr(device, W, W, H);
	p.extent = make_cudaExtent(W, H, D);
	p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3DAsync(&p, s));
}
static void box_to_array(char *from)
{
	cudaMemcpy3DParms p = {};
	p.srcPtr = make_cudaPitchedPtr(from, W, W, H);
	p.dstArray = box_array;
	p.extent = make_cudaExtent(W, H, D);
	p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3DAsync(&p, s));
}
static void peer(char *from) { CHECK(cudaMemcpyPeerAsync(device, 0, from, 0, N, s)); }
static void peer_box(char *from)
{
	cudaMemcpy3DPeerParms p = {};
	p.srcPtr = make_cudaPitchedPtr(from, W, W, H);
	p.dstPtr = make_cudaPitchedPtr(device, W, W, H);
	p.extent = make_cudaExtent(W, H, D);
	CHECK(cudaMemcpy3DPeerAsync(&p, s));
}
static void to_constants(char *from) { CHECK(cudaMemcpyToSymbolAsync(constants, from, N, 0, cudaMemcpyHostToDevice, s)); }
static void to_variable(char *from) { CHECK(cudaMemcpyToSymbolAsync(variable, from, N, 0, cudaMemcpyHostToDevice, s)); }
static void to_array(char *from) { CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, from, W, W, H * D, cudaMemcpyHostToDevice, s)); }
static void batch_of(char *from, cudaMemcpySrcAccessOrder order)
{
	void *to[] = {device, device + 100};
	const void *source[] = {from, from + 100};
	const size_t bytes[] = {100, N - 100}, first = 0;
	cudaMemcpyAttributes a = {};
	a.srcAccessOrder = order;
	CHECK(cudaMemcpyBatchAsync(to, source, bytes, 2, &a, (size_t *)&first, 1, s));
}
static void batch(char *from) { batch_of(from, cudaMemcpySrcAccessOrderStream); }
static void batch_during_call(char *from) { batch_of(from, cudaMemcpySrcAccessOrderDuringApiCall); }
static void boxes_of(char *from, cudaMemcpySrcAccessOrder order)
{
	cudaMemcpy3DBatchOp op = {};
	op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
	op.src.op.ptr.ptr = from;
	op.dst.op.ptr.ptr = device;
	op.extent = make_cudaExtent(W, H, D);
	op.srcAccessOrder = order;
	CHECK(cudaMemcpy3DBatchAsync(1, &op, 0, s));
}
static void boxes(char *from) { boxes_of(from, cudaMemcpySrcAccessOrderStream); }
static void boxes_during_call(char *from) { boxes_of(from, cudaMemcpySrcAccessOrderDuringApiCall); }
static void launch(cudaGraph_t g)
{
	cudaGraphExec_t e;
	CHECK(cudaGraphInstantiate(&e, g, 0));
	CHECK(cudaGraphLaunch(e, s));
}
static void node(char *from)
{
	cudaGraph_t g;
	cudaGraphNode_t n;
	CHECK(cudaGraphCreate(&g, 0));
	CHECK(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, device, from, N, cudaMemcpyHostToDevice));
	launch(g);
}
static void captured(char *from)
{
	cudaGraph_t g;
	CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	one(from);
	CHECK(cudaStreamEndCapture(s, &g));
	launch(g);
}
static void to_pool(char *from)
{
	char *p;
	CHECK(cudaMallocAsync(&p, N, s));
	CHECK(cudaMemcpyAsync(p, from, N, cudaMemcpyHostToDevice, s));
	CHECK(cudaMemcpyAsync(device, p, N, cudaMemcpyDeviceToDevice, s));
	CHECK(cudaFreeAsync(p, s));
}
static void driver(char *from) { CHECK(cuMemcpyHtoDAsync((CUdeviceptr)device, from, N, s)); }
static void driver_by_address(char *from) { CHECK(cuMemcpyAsync((CUdeviceptr)device, (CUdeviceptr)from, N, s)); }
static void driver_rows(char *from)
{
	CUDA_MEMCPY2D p = {};
	p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = from, p.srcPitch = W;
	p.dstMemoryType = CU_MEMORYTYPE_DEVICE, p.dstDevice = (CUdeviceptr)device, p.dstPitch = W;
	p.WidthInBytes = W, p.Height = N / W;
	CHECK(cuMemcpy2DAsync(&p, s));
}
static void driver_box(char *from)
{
	CUDA_MEMCPY3D p = {};
	p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = from, p.srcPitch = W, p.srcHeight = H;
	p.dstMemoryType = CU_MEMORYTYPE_ARRAY, p.dstArray = (CUarray)box_array;
	p.WidthInBytes = W, p.Height = H, p.Depth = D;
	CHECK(cuMemcpy3DAsync(&p, s));
}
static void driver_array(char *from)
{
	for (int k = 0; k < H * D; k++) {
		CUDA_MEMCPY2D p = {};
		p.srcMemoryType = CU_MEMORYTYPE_HOST, p.srcHost = from + k * W, p.srcPitch = W;
		p.dstMemoryType = CU_MEMORYTYPE_ARRAY, p.dstArray = (CUarray)array, p.dstY = k;
		p.WidthInBytes = W, p.Height = 1;
		CHECK(cuMemcpy2DAsync(&p, s));
	}
}
static void within_host(char *from)
{
	static char *pinned;
	if (!pinned)
		CHECK(cudaMallocHost(&pinned, N));
	CHECK(cudaMemcpyAsync(pinned, from, N, cudaMemcpyHostToHost, s)); // the call waits
	CHECK(cudaMemcpyAsync(device, pinned, N, cudaMemcpyHostToDevice, s));
}

static const struct {
	const char *name;
	void (*copy)(char *from), (*fetch)(char *to);
	bool during_call, in_host; // in_host: only of page-locked memory
} ways[] = {{"one", one, fetch_device},
	    {"by_address", by_address, fetch_device},
	    {"rows", rows, fetch_device},
	    {"box", box, fetch_device},
	    {"box_to_array", box_to_array, fetch_box},
	    {"peer", peer, fetch_device, false, true},
	    {"peer_box", peer_box, fetch_device, false, true},
	    {"to_constants", to_constants, fetch_constants},
	    {"to_variable", to_variable, fetch_variable},
	    {"to_array", to_array, fetch_array},
	    {"batch", batch, fetch_device},
	    {"batch_during_call", batch_during_call, fetch_device, true},
	    {"boxes", boxes, fetch_device},
	    {"boxes_during_call", boxes_during_call, fetch_device, true},
	    {"node", node, fetch_device},
	    {"captured", captured, fetch_device},
	    {"to_pool", to_pool, fetch_device},
	    {"driver", driver, fetch_device},
	    {"driver_by_address", driver_by_address, fetch_device, false, true},
	    {"driver_rows", driver_rows, fetch_device},
	    {"driver_box", driver_box, fetch_box},
	    {"driver_array", driver_array, fetch_array},
	    {"within_host", within_host, fetch_device}};

static void is(const char *way, const char *what, const char *source, int wanted, void (*fetch)(char *to))
{
	CHECK(cudaStreamSynchronize(s));
	memset(back, 0, N);
	fetch(back);
	int n = 0;
	for (int k = 0; k < N; k++)
		n += back[k] == wanted;
	if (n != N)
		failures++, printf("%s, %s, %s memory: %d of %d bytes are %d; the first one is %d\n", way, what, source, n, N, wanted, back[0]);
}

static void by_host(void *p) { memset(p, NEW, N); }
static void by_callback(cudaStream_t, cudaError_t, void *p) { memset(p, NEW, N); }
static void begin(char *from)
{
	memset(from, OLD, N);
	work<<<1, 32, 0, s>>>((int *)busy, 50); // the stream is busy
}

static void try_way(int k, const char *source, char *from)
{
	const auto &w = ways[k];
	const int wanted = w.during_call ? OLD : NEW;
	begin(from);
	CHECK(cudaLaunchHostFunc(s, by_host, from));
	w.copy(from);
	is(w.name, "a host function before it", source, wanted, w.fetch);
	begin(from);
	CHECK(cudaStreamAddCallback(s, by_callback, from, 0));
	w.copy(from);
	is(w.name, "a callback before it", source, wanted, w.fetch);
	begin(from);
	write<<<1, 64, 0, s>>>(from, NEW);
	w.copy(from);
	is(w.name, "a kernel before it", source, wanted, w.fetch);
	begin(from);
	work<<<1, 32, 0, other>>>((int *)busy + 1, 100);
	write<<<1, 64, 0, other>>>(from, NEW);
	CHECK(cudaEventRecord(event, other));
	CHECK(cudaStreamWaitEvent(s, event, 0));
	w.copy(from);
	is(w.name, "an event before it", source, wanted, w.fetch);
	// a write behind it comes too late
	begin(from);
	w.copy(from);
	CHECK(cudaLaunchHostFunc(s, by_host, from));
	is(w.name, "a host function behind it", source, OLD, w.fetch);
}

static void pageable(int k, char *from)
{
	if (ways[k].in_host || !strcmp(ways[k].name, "node") || !strcmp(ways[k].name, "captured")) // a graph's stays as it is
		return;
	begin(from);
	ways[k].copy(from);
	memset(from, NEW, N);
	is(ways[k].name, "changed after the call", "pageable", OLD, ways[k].fetch);
}

// To the host: when the copy's turn comes, into page-locked memory that a host function reads, and that a kernel writes.
static char *seen;
static char saw;
static void look(void *) { saw = seen[N - 1]; }
static void down(char *to)
{
	begin(to);
	seen = to;
	CHECK(cudaMemsetAsync(device, OLD, N, s));
	CHECK(cudaMemcpyAsync(to, device, N, cudaMemcpyDeviceToHost, s));
	CHECK(cudaMemsetAsync(device, NEW, N, s));
	CHECK(cudaLaunchHostFunc(s, look, NULL));
	CHECK(cudaStreamSynchronize(s));
	if (saw != OLD)
		failures++, printf("to the host: %d\n", saw);
}

int main(int argc, char **argv)
{
	char *pinned, *managed, *registered = (char *)aligned_alloc(4096, N), *own = (char *)malloc(N);
	CHECK(cuInit(0));
	CHECK(cudaMalloc(&device, N));
	CHECK(cudaMalloc(&busy, 64));
	CHECK(cudaMemset(busy, 0, 64));
	CHECK(cudaMallocHost(&pinned, N));
	CHECK(cudaMallocManaged(&managed, N));
	CHECK(cudaHostRegister(registered, N, cudaHostRegisterMapped));
	CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&event));
	CHECK(cudaDeviceSynchronize());
	const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<char>();
	CHECK(cudaMallocArray(&array, &bytes, W, H * D));
	CHECK(cudaMalloc3DArray(&box_array, &bytes, make_cudaExtent(W, H, D)));
	for (int k = 0; k < (int)(sizeof ways / sizeof *ways); k++) {
		bool wanted = argc < 2;
		for (int i = 1; i < argc; i++)
			wanted |= !strcmp(argv[i], ways[k].name);
		if (!wanted)
			continue;
		try_way(k, "page-locked", pinned);
		try_way(k, "registered", registered);
		try_way(k, "managed", managed);
		pageable(k, own);
	}
	down(pinned);
	down(registered);
	down(managed);
	CHECK(cudaDeviceSynchronize());
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
