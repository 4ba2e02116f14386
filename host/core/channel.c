/* The program's end of the channel: connects, sends calls, and carries out the debugger's requests while a thread waits. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "server/channel/ring.h"
#include "host/core/channel.h"
#include "host/core/start.h"

#define SPINS 2000		  /* checks of the answer before the thread sleeps */
#define SLEEP_NS (200 * 1000000L) /* time of sleep between checks that the debugger is alive */

#define FRAMES_MAX 64u /* most frames of this library in a call */
#define RESERVE_STEP (UINT64_C(1) << 30)
#define RESERVE_STEPS 4096u

static struct host {
	struct host_lock lock; /* for connecting and assigning slots */
	struct wire_shared *shared;
	int socket, event, memory,
		window; /* descriptors of the connection, the wake event, `shared`, and shared device memory; -1: not open */
	long debugger;			   /* the debugger started by this process; 0: none */
	unsigned generation;		   /* generation of the connection; changes in a child of fork */
	bool was_connected;		   /* true in a child of fork whose parent was connected */
	bool failed;			   /* true if connecting failed: it isn't tried again */
	bool lost;			   /* true if the debugger has ended */
	struct host_lock slot[WIRE_SLOTS]; /* with more threads than slots, threads share slots */
	uint64_t taken;			   /* mask of assigned slots */
	bool ready;			   /* true if `device` is valid */
	struct wire_device device;
	pthread_key_t at_exit;
	uint64_t foreign[RESERVE_STEPS / 64]; /* steps of device addresses that the program already uses, a bit each */
} host = {.socket = -1, .event = -1, .memory = -1, .window = -1, .generation = 1};

const struct wire_device *host_device(void) { return &host.device; }
int host_socket(void) { return host.socket; }

/* ---- connecting ---- */

static void release_slot(void *unused)
{
	(void)unused;
	host_lock(&host.lock);
	if (host_thread()->slot && host_thread()->generation == host.generation)
		host.taken &= ~(UINT64_C(1) << host_thread()->slot_index);
	host_thread()->slot = NULL;
	host_unlock(&host.lock);
}

static void lock_before_fork(void) { host_lock(&host.lock); }
static void unlock_in_parent(void) { host_unlock(&host.lock); }

/* Closes the connection in a child of fork. The child connects on demand; if its parent was connected, CUDA doesn't work in the child. */
static void reset_in_child(void)
{
	if (host.shared)
		munmap(host.shared, sizeof *host.shared);
	if (host.socket >= 0)
		close(host.socket);
	if (host.event >= 0)
		close(host.event);
	if (host.memory >= 0)
		close(host.memory);
	if (host.window >= 0)
		close(host.window);
	host.was_connected |= host.shared != NULL;
	host.ready = false;
	host.shared = NULL;
	host.socket = host.event = host.memory = host.window = -1;
	host.debugger = 0;
	host.generation++;
	host.taken = 0;
	memset(host.slot, 0, sizeof host.slot); /* other threads may have been in a call */
	host_thread()->in_call = false;
	host_unlock(&host.lock);
}

/* Stores the status that the program passes to exit(). */
static void note_exit(int status, void *nothing)
{
	(void)nothing;
	if (host.shared)
		host.shared->ended = 256u | (unsigned)(status & 0xff);
}

static void register_callbacks(void)
{
	on_exit(note_exit, NULL);
	pthread_key_create(&host.at_exit, release_slot);
	pthread_atfork(lock_before_fork, unlock_in_parent, reset_in_child);
}

static int open_socket(const char *name)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	const size_t n = strlen(name);
	if (n + 1 > sizeof to.sun_path)
		return -1;
	memcpy(to.sun_path + 1, name, n);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 &&
	    connect(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Receives the debugger's first message with its descriptors. Sets hello->alone if the debugger doesn't serve this process: it isn't debugged, or the
 * program is over. */
static bool receive_hello(int fd, struct wire_hello *hello, int fds[WIRE_FDS])
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
	} control;
	struct iovec part = {hello, sizeof *hello};
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t n;
	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	const struct cmsghdr *c = n == sizeof *hello ? CMSG_FIRSTHDR(&m) : NULL;
	hello->alone = n <= 0 || (n == sizeof *hello && hello->magic == WIRE_MAGIC && hello->alone);
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(WIRE_FDS * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(c), WIRE_FDS * sizeof(int));
	return hello->magic == WIRE_MAGIC;
}

/* Reserves the addresses of device memory. Existing mappings stay (a sanitizer's memory, for example); no memory can be shared there. */
static void reserve_addresses(const struct wire_shared *s)
{
	uint64_t k = 0;
	for (uint64_t a = s->reserve; a < s->reserve_end; a += RESERVE_STEP, k++) {
		const uint64_t n = s->reserve_end - a < RESERVE_STEP ? s->reserve_end - a : RESERVE_STEP;
		const void *got = mmap((void *)(uintptr_t)a, n, PROT_NONE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
		if (got != (void *)(uintptr_t)a && k < RESERVE_STEPS)
			host.foreign[k / 64] |= UINT64_C(1) << k % 64;
	}
}

/* Moves a descriptor above the standard streams, whose numbers the program may reuse. */
static int move_above_standard(int fd)
{
	const int to = fd <= STDERR_FILENO ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : fd;
	if (to >= 0 && to != fd)
		close(fd);
	return to < 0 ? fd : to;
}

/* Connects to the debugger that listens at `name`. If there is none, or it no longer listens, starts a debugger. */
static enum wire_status connect_to(const char *name)
{
	int fds[WIRE_FDS] = {-1, -1, -1};
	struct wire_hello hello;
	const int fd = name ? open_socket(name) : host_start_debugger(&host.debugger);
	if (fd < 0 && name)
		return connect_to(NULL);
	if (fd < 0 || !receive_hello(fd, &hello, fds)) {
		if (fd >= 0)
			close(fd);
		return fd >= 0 && name && hello.alone ? connect_to(NULL) : WIRE_NO_DEVICE;
	}
	struct wire_shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
	if (s == MAP_FAILED || s->magic != WIRE_MAGIC || s->bytes != sizeof *s) {
		close(fd);
		for (unsigned k = 0; k < WIRE_FDS; k++)
			close(fds[k]);
		return WIRE_NOT_INITIALIZED;
	}
	host.socket = move_above_standard(fd);
	host.memory = move_above_standard(fds[0]);
	host.event = move_above_standard(fds[1]);
	host.window = move_above_standard(fds[2]);
	reserve_addresses(s);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* allows the debugger to copy this process' memory */
	host.shared = s;
	host_watch_faults();
	return 0;
}

void host_note_fault(uint64_t address, uint64_t pc)
{
	if (!host.shared)
		return;
	host.shared->fault_address = address;
	host.shared->fault_pc = pc;
}

enum wire_status channel_connect(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *name = getenv(WIRE_ENVIRONMENT);
	if (host.shared)
		return 0;
	pthread_once(&once, register_callbacks);
	if (host.was_connected)
		return WIRE_NOT_INITIALIZED; /* as CUDA in a child of a process that has used it */
	host_lock(&host.lock);
	const enum wire_status status = host.shared ? WIRE_OK : host.failed ? WIRE_NO_DEVICE : connect_to(name);
	host.failed |= status != WIRE_OK;
	host_unlock(&host.lock);
	return status;
}

/* ---- slots ---- */

static bool assign_lowest_slot(uint32_t *k)
{
	if (!~host.taken)
		return false;
	*k = (uint32_t)__builtin_ctzll(~host.taken);
	host.taken |= UINT64_C(1) << *k;
	return true;
}

static void take_slot(struct host_thread *t)
{
	host_lock(&host.lock);
	if (assign_lowest_slot(&t->slot_index))
		pthread_setspecific(host.at_exit, t);
	else /* more threads than slots: shares a slot */
		t->slot_index = (uint32_t)syscall(SYS_gettid) % WIRE_SLOTS;
	t->slot = &host.shared->slot[t->slot_index];
	t->slot->thread = (uint32_t)syscall(SYS_gettid);
	t->generation = host.generation;
	if (host.shared->slots < t->slot_index + 1)
		host.shared->slots = t->slot_index + 1;
	host_unlock(&host.lock);
}

/* ---- calls ---- */

static bool debugger_is_gone(void)
{
	char c;
	const ssize_t n = recv(host.socket, &c, 1, MSG_PEEK | MSG_DONTWAIT);
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return false;
	if (!__atomic_exchange_n(&host.lost, true, __ATOMIC_SEQ_CST))
		host_say("warpstep: the debugger has ended; CUDA calls fail from here on");
	return true;
}

static void wake_debugger(void)
{
	const uint64_t one = 1;
	if (atomic_load(&host.shared->sleeps) && atomic_exchange(&host.shared->sleeps, 0) &&
	    write(host.event, &one, sizeof one) < 0)
		return; /* the debugger checks by itself after a while */
}

/* Waits until a word of the slot differs from `seen`. Returns false if the debugger has ended. */
static bool wait_for(struct wire_slot *s, _Atomic uint32_t *word, uint32_t seen)
{
	for (unsigned k = 0; k < SPINS; k++) {
		if (atomic_load_explicit(word, memory_order_acquire) != seen)
			return true;
		ring_pause();
	}
	while (atomic_load(word) == seen) {
		atomic_store(&s->sleeps, 1);
		if (atomic_load(word) == seen)
			ring_sleep(word, seen, SLEEP_NS);
		if (atomic_load(word) == seen && debugger_is_gone())
			return false;
	}
	return true;
}

static bool is_foreign(uint64_t address, uint64_t bytes)
{
	const uint64_t from = host.shared->reserve;
	for (uint64_t k = address < from ? 0 : (address - from) / RESERVE_STEP;
	     k < RESERVE_STEPS && from + k * RESERVE_STEP < address + bytes; k++)
		if (host.foreign[k / 64] >> k % 64 & 1)
			return true;
	return false;
}

bool host_map(uint64_t address, uint64_t bytes, void *at)
{
	const uint64_t n = (bytes + 4095) & ~UINT64_C(4095);
	if (!at && is_foreign(address, n))
		return false;
	void *to = at ? at : (void *)(uintptr_t)address;
	const int how = at || address >= host.shared->reserve ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	return mmap(to, n, PROT_READ | PROT_WRITE, MAP_SHARED | how, host.window, (off_t)address) == to;
}

void host_unmap(uint64_t address, uint64_t bytes)
{
	const uint64_t n = (bytes + 4095) & ~UINT64_C(4095);
	mmap((void *)(uintptr_t)address, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* Copies through a pipe, for sandboxes that forbid process_vm_readv even on the process itself. */
static bool copy_by_pipe(char *to, const char *from, size_t n)
{
	int fds[2];
	bool ok = true;
	if (pipe2(fds, O_CLOEXEC))
		return false;
	for (size_t done = 0; ok && done < n;) {
		const ssize_t part = write(fds[1], from + done, n - done < 4096 ? n - done : 4096);
		ok = part > 0 && read(fds[0], to + done, (size_t)part) == part;
		done += ok ? (size_t)part : 0;
	}
	close(fds[0]);
	close(fds[1]);
	return ok;
}

bool host_copy(void *to, const void *from, size_t n)
{
	struct iovec a = {to, n}, b = {(void *)(uintptr_t)from, n};
	const ssize_t got = process_vm_readv(getpid(), &a, 1, &b, 1, 0);
	return got < 0 && errno != EFAULT ? copy_by_pipe(to, from, n) : got == (ssize_t)n;
}

/* Copies between the stage and the program's memory through a descriptor, so that a wrong address is an error and no signal. */
static bool move_stage(struct wire_slot *s, bool to_stage)
{
	const off_t at = (off_t)(s->stage - (char *)host.shared);
	char *p = (char *)(uintptr_t)s->ask_address;
	size_t n = s->ask_bytes < WIRE_STAGE_BYTES ? s->ask_bytes : WIRE_STAGE_BYTES;
	for (size_t done = 0; done < n;) {
		const ssize_t got = to_stage ? pwrite(host.memory, p + done, n - done, at + (off_t)done)
					     : pread(host.memory, p + done, n - done, at + (off_t)done);
		if (got <= 0 && errno != EINTR)
			return false;
		done += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static void serve_request(struct wire_slot *s)
{
	s->ask_failed = 0;
	switch ((enum wire_ask)s->ask) {
	case WIRE_READ: s->ask_failed = !move_stage(s, true); break;
	case WIRE_WRITE: s->ask_failed = !move_stage(s, false); break;
	case WIRE_PRINT:
		fwrite(s->stage, 1, s->ask_bytes < WIRE_STAGE_BYTES ? s->ask_bytes : WIRE_STAGE_BYTES,
		       s->ask_address ? stderr : stdout);
		break;
	case WIRE_DO: ((void (*)(void *))(uintptr_t)s->ask_address)((void *)(uintptr_t)s->ask_bytes); break;
	case WIRE_ANSWER: break;
	}
	atomic_fetch_add(&s->done, 1);
	wake_debugger();
}

static enum wire_status await_answer(struct wire_slot *s, uint32_t turn, void *out, size_t n)
{
	for (;; turn++) {
		if (!wait_for(s, &s->turn, turn))
			return WIRE_LOST;
		if (s->ask == WIRE_ANSWER)
			break;
		serve_request(s);
	}
	if (n)
		memcpy(out, s->out, n);
	return (enum wire_status)s->status;
}

static bool wait_for_space(struct wire_slot *s, uint32_t bytes)
{
	for (;;) {
		const uint32_t head = atomic_load(&s->head), tail = atomic_load(&s->tail);
		if (ring_needs(head, bytes) <= WIRE_RING_BYTES - (head - tail))
			return true;
		wake_debugger();
		if (!wait_for(s, &s->tail, tail))
			return false;
	}
}

static enum wire_status send_call(struct wire_slot *s, const struct wire_message *m, bool waits, const void *in, size_t n_in,
		     const void *payload, void *out, size_t n_out)
{
	if (!wait_for_space(s, m->bytes))
		return WIRE_LOST;
	const uint32_t turn = atomic_load(&s->turn);
	ring_put(s, m, in, n_in, payload);
	wake_debugger();
	return waits ? await_answer(s, turn, out, n_out) : 0;
}

/* Returns the return address of the program's call, beyond all frames of this library, which have frame pointers. */
static uint64_t called_from(void)
{
	extern const char __ehdr_start __attribute__((visibility("hidden"))),
		etext __attribute__((visibility("hidden")));
	void *const *frame = __builtin_frame_address(0);
	for (unsigned k = 0; k < FRAMES_MAX; k++) {
		const char *to = frame[1];
		void *const *outer = *frame;
		if (to < &__ehdr_start || to >= &etext)
			return (uint64_t)(uintptr_t)host_caller(to, frame);
		if (outer <= frame)
			return 0;
		frame = outer;
	}
	return 0;
}

enum wire_status channel_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload,
			      size_t n_payload, void *out, size_t n_out)
{
	struct host_thread *t = host_thread();
	const uint64_t from = called_from();
	const struct wire_message m = {.bytes = ring_message_bytes(n_in, n_payload),
				       .call = (uint16_t)call,
				       .from_high = (uint16_t)(from >> 32),
				       .payload = (uint32_t)n_payload,
				       .from_low = (uint32_t)from};
	if (host.lost)
		return WIRE_LOST;
	if (t->in_call)
		return WIRE_NOT_PERMITTED; /* in a signal handler, or in a function that a stream calls */
	if (n_payload > WIRE_MESSAGE_BYTES || m.bytes > WIRE_MESSAGE_BYTES)
		return WIRE_INVALID_VALUE;
	t->in_call = true;
	if (!t->slot || t->generation != host.generation)
		take_slot(t);
	host_lock(&host.slot[t->slot_index]);
	const enum wire_status status = send_call(t->slot, &m, waits, in, n_in, payload, out, n_out);
	host_unlock(&host.slot[t->slot_index]);
	t->in_call = false;
	return status;
}

/* ---- state ---- */

bool channel_is_ready(void) { return host.ready; }

bool channel_wants(uint32_t what)
{
	return host.ready && !host.lost && (atomic_load_explicit(&host.shared->wants, memory_order_relaxed) & what);
}

bool channel_is_lost(void) { return host.lost; }

void channel_set_device(const struct wire_device *device)
{
	host.device = *device;
	host.ready = true;
}

enum wire_status channel_sticky(void)
{
	return host.ready ? (enum wire_status)atomic_load_explicit(&host.shared->sticky, memory_order_relaxed) : WIRE_OK;
}

bool channel_wants_cause(void) { return host.ready && atomic_load_explicit(&host.shared->wants_cause, memory_order_relaxed); }

void channel_finish(void)
{
	if (host.debugger <= 0)
		return;
	shutdown(host.socket, SHUT_WR);
	while (waitpid((pid_t)host.debugger, NULL, __WALL) < 0 && errno == EINTR)
		;
}
