/* Attributes of streams, the driver's functions by name, copies of boxes between devices of which there is one. */
#include "checks.h"

FIXTURE("kernels.ptx")

struct pitched {
	void *p;
	size_t pitch, width, height;
};
struct peer_box { /* cudaMemcpy3DPeerParms */
	void *from_array;
	size_t from_at[3];
	struct pitched from;
	int from_device;
	void *to_array;
	size_t to_at[3];
	struct pitched to;
	int to_device;
	size_t width, height, depth;
};
enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_HANDLE = 400, NOT_SUPPORTED = 801 };
enum { WINDOW = 1, COOPERATIVE, SYNCHRONIZATION, PRIORITY = 8, DOMAIN = 10 };

int cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority);
int cudaStreamSetAttribute(cudaStream_t s, int id, const void *value), cudaStreamGetAttribute(cudaStream_t s, int id, void *value), cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
int cudaGetDriverEntryPoint(const char *name, void **f, unsigned long long flags, int *result);
int cudaGetDriverEntryPointByVersion(const char *name, void **f, unsigned version, unsigned long long flags, int *result);
int cudaMemcpy3DPeer(const struct peer_box *b), cudaMemcpy3DPeerAsync(const struct peer_box *b, cudaStream_t s);

static void streams(void)
{
	cudaStream_t s, t;
	int value[16] = {3}, got[16] = {9};
	RETURNS(0, cudaStreamCreateWithPriority(&s, 0, -2));
	RETURNS(0, cudaStreamCreate(&t));
	RETURNS(0, cudaStreamGetAttribute(s, SYNCHRONIZATION, got));
	EXPECT(got[0] == 0);
	RETURNS(0, cudaStreamSetAttribute(s, SYNCHRONIZATION, value));
	RETURNS(0, cudaStreamGetAttribute(s, PRIORITY, got));
	EXPECT(got[0] == -2);
	RETURNS(NOT_SUPPORTED, cudaStreamSetAttribute(s, PRIORITY, value));
	RETURNS(INVALID_VALUE, cudaStreamSetAttribute(s, COOPERATIVE, value));
	RETURNS(0, cudaStreamGetAttribute(t, SYNCHRONIZATION, got));
	EXPECT(got[0] == 0);
	RETURNS(0, cudaStreamCopyAttributes(t, s));
	RETURNS(0, cudaStreamGetAttribute(t, SYNCHRONIZATION, got));
	EXPECT(got[0] == 3);
	RETURNS(0, cudaStreamGetAttribute(t, PRIORITY, got));
	EXPECT(got[0] == 0);
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(INVALID_HANDLE, cudaStreamGetAttribute(s, SYNCHRONIZATION, got));
	RETURNS(INVALID_HANDLE, cudaStreamCopyAttributes(t, s));
}

static void functions(void)
{
	int (*version)(int *), n = 0, result = 9;
	void *one, *other;
	RETURNS(0, cudaGetDriverEntryPoint("cuDriverGetVersion", (void **)&version, 0, &result));
	EXPECT(result == 0 && version && !version(&n) && n == 13000);
	RETURNS(0, cudaGetDriverEntryPoint("cuNothing", &one, 0, &result));
	EXPECT(result == 1 && !one);
	RETURNS(0, cudaGetDriverEntryPointByVersion("cuMemAlloc", &one, 12000, 0, NULL));
	EXPECT(one);
	RETURNS(0, cudaGetDriverEntryPointByVersion("cuGraphAddNode", &one, 11000, 0, &result));
	EXPECT(result == 2 && !one); /* 12.2 has it first */
	RETURNS(0, cudaGetDriverEntryPoint("cuLaunchHostFunc", &one, 1, NULL));
	RETURNS(0, cudaGetDriverEntryPoint("cuLaunchHostFunc", &other, 2, NULL));
	EXPECT(one && other && one != other); /* each thread's own default stream */
	RETURNS(INVALID_VALUE, cudaGetDriverEntryPoint("cuMemAlloc", &one, 3, NULL));
}

static void boxes(void)
{
	unsigned char in[4][8], out[4][8] = {{0}}, *p;
	for (int k = 0; k < 32; k++)
		in[k / 8][k % 8] = (unsigned char)k;
	RETURNS(0, cudaMalloc((void **)&p, 64));
	struct peer_box down = {.from = {in, 8, 8, 4}, .to = {p, 16, 16, 4}, .width = 8, .height = 4, .depth = 1};
	struct peer_box up = {.from = {p, 16, 16, 4}, .from_at = {2, 1, 0}, .to = {out, 8, 8, 4}, .width = 3, .height = 2, .depth = 1};
	RETURNS(0, cudaMemcpy3DPeer(&down));
	RETURNS(0, cudaMemcpy3DPeerAsync(&up, NULL));
	RETURNS(0, cudaDeviceSynchronize());
	EXPECT(out[0][0] == 10 && out[0][2] == 12 && out[1][0] == 18 && out[1][2] == 20 && out[0][3] == 0 && out[2][0] == 0);
	up.to_device = 1;
	RETURNS(INVALID_DEVICE, cudaMemcpy3DPeer(&up));
}

int main(void)
{
	streams();
	functions();
	boxes();
	return verdict();
}
