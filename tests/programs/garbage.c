/* A program that writes garbage to the debugger's socket and to the memory that both share, beside what its library does there. `garbage SEED`; it then uses CUDA as ever. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "checks.h"
#include "server/channel/ring.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int use(void)
{
	int h[64] = {0}, *a, seven = 7, n = 64, error = cudaMalloc((void **)&a, sizeof h);
	if (!error)
		error = launch(fill, 1, 64, 0, NULL, ARGUMENTS(&a, &seven, &n));
	if (!error)
		error = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
	return error ? error : h[63] == 70 ? 0 : 99;
}

/* One more connection of this process; its memory, NULL: it was refused. */
static struct wire_shared *get_connection(int *fd, int *memory)
{
	const char *name = getenv(WIRE_ENVIRONMENT);
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	char control[CMSG_SPACE(WIRE_FDS * sizeof(int))];
	struct wire_hello hello;
	struct iovec part = {&hello, sizeof hello};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
	int fds[WIRE_FDS];
	memcpy(to.sun_path + 1, name, strlen(name));
	*fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(*fd, (struct sockaddr *)&to,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))) ||
	    recvmsg(*fd, &m, 0) != sizeof hello || !CMSG_FIRSTHDR(&m))
		return NULL;
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fds);
	*memory = fds[0];
	EXPECT(ftruncate(fds[0], 0) && ftruncate(fds[2], 4096)); /* which the debugger looks into */
	close(fds[1]);
	close(fds[2]);
	struct wire_shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
	return s == MAP_FAILED ? NULL : s;
}

/* Bytes without sense, or messages whose arguments have none. */
static void write_garbage(struct wire_shared *s)
{
	struct wire_slot *slot = &s->slot[draw() % WIRE_SLOTS];
	if (draw() % 2)
		s->slots = (uint32_t)(draw() % 4 ? WIRE_SLOTS : draw());
	for (unsigned k = 0; k < 40; k++) {
		uint64_t arguments[8];
		for (unsigned i = 0; i < 8; i++)
			arguments[i] = draw() >> draw() % 64;
		const size_t n = draw() % sizeof arguments, payload = draw() % 4 ? 0 : draw() % 64;
		struct wire_message m = {.bytes = ring_message_bytes(n, payload),
					 .call = (uint16_t)(draw() % (CALLS + 1)),
					 .payload = (uint32_t)payload};
		if (draw() % 8 == 0)
			m.bytes = (uint32_t)draw();
		if (m.bytes < 4096)
			ring_put(slot, &m, arguments, n, arguments);
		else
			memcpy(slot->ring + (atomic_load(&slot->head) & (WIRE_RING_BYTES - 1) & ~15u), &m, sizeof m);
	}
	atomic_fetch_add(&slot->done, (uint32_t)draw() % 2);
	if (draw() % 4 == 0)
		atomic_store(&slot->head, (uint32_t)draw());
	if (draw() % 4 == 0)
		atomic_store(&slot->tail, (uint32_t)draw());
	s->magic = s->bytes = (uint32_t)draw();
}

int main(int argc, char **argv)
{
	enum { MANY = 40 };
	int fd[MANY], memory[MANY], taken = 0;
	state += argc > 1 ? (uint64_t)atoi(argv[1]) * 2654435761u : 0;
	RETURNS(0, use());
	for (int k = 0; k < MANY; k++) {
		struct wire_shared *s = get_connection(&fd[k], &memory[k]);
		taken += s != NULL;
		if (s)
			write_garbage(s);
		if (s && k % 3 == 0 && write(fd[k], "garbage", 7) != 7)
			printf("can't write to the socket\n");
		if (k % 2)
			close(fd[k]);
	}
	EXPECT(taken > 2);
	RETURNS(0, cudaDeviceReset());
	cudaGetLastError();
	for (int k = 0; k < MANY; k += 2)
		close(fd[k]);
	usleep(20000);
	RETURNS(0, cudaDeviceReset());
	RETURNS(0, use());
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}
