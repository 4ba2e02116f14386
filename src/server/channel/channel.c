/* Connections of processes: a socket each, memory that both sides map, and the data moved through it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/xalloc.h"
#include "server/channel/process_memory.h"
#include "server/channel/ring.h"
#include "server/channel/state.h"
#include "gpu/config/config.h"

/* ---- opening ---- */

/* Returns a file for memory that a program also maps, sealed so that the program can't shrink it; -1 on failure. */
static int make_memory(const char *name, uint64_t bytes)
{
	const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0 ||
	    (!ftruncate(fd, (off_t)bytes) && !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)))
		return fd;
	close(fd);
	return -1;
}

/* Opens the file of memory that device and programs share. It is as large as all device memory; both sides map parts of it at their device
 * addresses. */
static void open_window(struct server *c)
{
	struct config_device d;
	struct server_channel *l = c->channel;
	config_device(gpu_config(c->gpu), &d);
	const uint64_t end = gpu_exec(c->gpu)->limits->device_end, usual = gpu_exec(c->gpu)->limits->heap_start;
	l->reserve = (config_is_set(gpu_config(c->gpu), "gpgpu_heap_start") ? d.heap_start : usual) & ~(ARENA_PAGE - 1);
	l->window = make_memory("warpstep-device", end);
}

static bool cannot_listen(struct text *why)
{
	text_addf(why, "can't listen for the program's calls: %s", strerror(errno));
	return false;
}

bool channel_open(struct server *c, struct text *why)
{
	struct server_channel *l = c->channel = xcalloc(1, sizeof *l);
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		c->client[k].socket = -1;
	open_window(c);
	l->listener = -1;
	l->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	l->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return (l->event >= 0 && l->window >= 0) || cannot_listen(why);
}

/* Each started program gets a socket name of its own. */
bool channel_listen(struct server *c, struct text *why)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct server_channel *l = c->channel;
	uint64_t number = 0;
	channel_stop_listening(c);
	if (getrandom(&number, sizeof number, 0) != sizeof number)
		number = (uint64_t)(uintptr_t)c;
	snprintf(l->name, sizeof l->name, "warpstep-%ld-%016llx", (long)getpid(), (unsigned long long)number);
	const size_t n = strlen(l->name);
	memcpy(at.sun_path + 1, l->name, n);
	l->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return (l->listener >= 0 &&
		!bind(l->listener, (struct sockaddr *)&at,
		      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n)) &&
		!listen(l->listener, 16)) ||
	       cannot_listen(why);
}

void channel_stop_listening(struct server *c)
{
	if (c->channel->listener >= 0)
		close(c->channel->listener);
	c->channel->listener = -1;
}

static void drop_client(struct server *c, struct server_client *k)
{
	if (k->socket < 0)
		return;
	if (k->shared->fault_pc && (c->is_adopted || k->pid == (c->pid ? c->pid : c->last_pid)))
		c->fault = (struct server_fault){k->shared->fault_address, k->shared->fault_pc, k->context};
	if (c->is_adopted)
		c->status = k->shared->fault_pc ? 128 + SIGSEGV : (int)(k->shared->ended & 0xff);
	close(k->socket);
	munmap(k->shared, sizeof *k->shared);
	free(k->slot);
	*k = (struct server_client){.socket = -1};
}

void channel_drop_all(struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		drop_client(c, &c->client[k]);
}

void channel_close(struct server *c)
{
	struct server_channel *l = c->channel;
	channel_drop_all(c);
	tickets_close(l);
	channel_stop_listening(c);
	if (l->spare >= 0)
		close(l->spare);
	if (l->event >= 0)
		close(l->event);
	if (l->window >= 0)
		close(l->window);
	free(l);
	c->channel = NULL;
}

const char *channel_name(const struct server *c) { return c->channel->name; }
int channel_window(const struct server *c) { return c->channel->window; }

/* ---- connecting ---- */

bool channel_send_fds(int socket, const void *bytes, size_t n, const int *fds, unsigned n_fds)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
	} control = {0};
	struct iovec part = {(void *)(uintptr_t)bytes, n};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = CMSG_SPACE(n_fds * sizeof *fds)};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(n_fds * sizeof *fds);
	memcpy(CMSG_DATA(h), fds, n_fds * sizeof *fds);
	return sendmsg(socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n;
}

static void send_start_alone(int socket)
{
	const struct wire_hello hello = {.magic = WIRE_MAGIC, .alone = 1};
	send(socket, &hello, sizeof hello, MSG_NOSIGNAL);
}

/* Creates and maps the shared memory of a new process. Returns NULL on failure. */
static struct wire_shared *make_shared(struct server *c, int *fd)
{
	*fd = make_memory("warpstep", sizeof(struct wire_shared));
	if (*fd < 0)
		return NULL;
	struct wire_shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (s == MAP_FAILED)
		return NULL;
	s->magic = WIRE_MAGIC;
	s->bytes = sizeof *s;
	s->reserve = c->channel->reserve;
	s->reserve_end = gpu_exec(c->gpu)->limits->device_end;
	return s;
}

static struct server_client *free_client(struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket < 0)
			return &c->client[k];
	return NULL;
}

static bool can_access_memory(pid_t pid)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {NULL, 1};
	return process_vm_readv(pid, &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}

static void accept_process(struct server *c, int socket)
{
	struct ucred who;
	socklen_t n = sizeof who;
	int memory = -1;
	struct server_client *k = free_client(c);
	struct wire_shared *s = NULL;
	uint32_t context = CONTEXT_NONE;
	if (k && !getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &n) && who.uid == geteuid()) {
		if (!c->events->follows(c, who.pid))
			send_start_alone(socket);
		else if ((context = c->events->begin(c, who.pid)) != CONTEXT_NONE)
			s = make_shared(c, &memory);
	}
	if (s && channel_send_fds(socket, &(struct wire_hello){.magic = WIRE_MAGIC}, sizeof(struct wire_hello),
				  (const int[]){memory, c->channel->event, c->channel->window}, WIRE_FDS)) {
		*k = (struct server_client){.socket = socket,
					  .pid = who.pid,
					  .shared = s,
					  .slot = xcalloc(WIRE_SLOTS, sizeof *k->slot),
					  .can_access = can_access_memory(who.pid),
					  .context = context};
	} else {
		if (s)
			munmap(s, sizeof *s);
		close(socket);
	}
	if (memory >= 0)
		close(memory);
}

bool channel_adopt(struct server *c, int socket)
{
	accept_process(c, socket);
	return channel_clients(c) > 0;
}

unsigned channel_clients(const struct server *c)
{
	unsigned n = 0;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		n += c->client[k].socket >= 0;
	return n;
}

/* Returns the number of threads of the process; 0 if it can't be read. */
static unsigned thread_count(const struct server_client *client)
{
	char path[64], line[256];
	unsigned n = 0;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)client->pid);
	FILE *f = fopen(path, "re");
	while (f && !n && fgets(line, sizeof line, f))
		sscanf(line, "Threads: %u", &n);
	if (f)
		fclose(f);
	return n;
}

static bool is_runnable(const char *stat_path)
{
	char line[512] = "";
	FILE *f = fopen(stat_path, "re");
	const char *name_end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
	if (f)
		fclose(f);
	return name_end && (!strncmp(name_end, ") R", 3) || !strncmp(name_end, ") D", 3));
}

bool channel_is_runnable(const struct server_client *client)
{
	char path[384];
	bool any = false;
	snprintf(path, sizeof path, "/proc/%ld/task", (long)client->pid);
	DIR *threads = opendir(path);
	for (const struct dirent *e; threads && !any && (e = readdir(threads));) {
		snprintf(path, sizeof path, "/proc/%ld/task/%s/stat", (long)client->pid, e->d_name);
		any = e->d_name[0] != '.' && is_runnable(path);
	}
	if (threads)
		closedir(threads);
	return any;
}

/* Returns whether a thread of the process is not waiting for an answer, so it may make a call. */
static bool has_computing_thread(const struct server_client *k)
{
	unsigned waiting = 0;
	for (uint32_t i = 0; i < WIRE_SLOTS; i++)
		waiting += k->slot[i].busy;
	return thread_count(k) > waiting;
}

bool channel_program_computes(const struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0 && has_computing_thread(&c->client[k]))
			return true;
	return false;
}

/* ---- waiting ---- */

static bool slot_has_message(const struct server_client *k, uint32_t i)
{
	struct wire_slot *s = &k->shared->slot[i];
	return !k->slot[i].busy && atomic_load(&s->head) != atomic_load_explicit(&s->tail, memory_order_relaxed);
}

static uint32_t slots_of(const struct server_client *k)
{
	const uint32_t n = atomic_load(&k->shared->slots);
	return n < WIRE_SLOTS ? n : WIRE_SLOTS;
}

bool channel_has_message(const struct server *c)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		for (uint32_t i = 0, n = c->client[k].socket >= 0 ? slots_of(&c->client[k]) : 0; i < n; i++)
			if (slot_has_message(&c->client[k], i))
				return true;
	return false;
}

static void set_sleeps(struct server *c, uint32_t sleeps)
{
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0)
			atomic_store(&c->client[k].shared->sleeps, sleeps);
}

/* Rejects a connection for which no descriptor is left, so that the process doesn't wait forever. */
static void reject_connection(struct server *c)
{
	close(c->channel->spare);
	const int fd = accept4(c->channel->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		close(fd);
	c->channel->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void accept_connection(struct server *c)
{
	const int fd = accept4(c->channel->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		accept_process(c, fd);
	else if (errno == EMFILE || errno == ENFILE)
		reject_connection(c);
}

/* Drops a process. The device keeps its state if it was the last process. */
static void disconnect(struct server *c, struct server_client *k)
{
	const uint32_t context = k->context;
	drop_client(c, k);
	if (channel_clients(c))
		c->events->end(c, context);
}

/* Waits for events. A process never sends data on its socket, so any event there means its end. */
static void wait_fds(struct server *c, int milliseconds)
{
	struct pollfd fds[SERVER_CLIENTS_MAX + 3] = {{.fd = c->channel->event, .events = POLLIN},
						   {.fd = c->channel->listener, .events = POLLIN},
						   {.fd = c->pidfd, .events = POLLIN}};
	struct server_client *who[SERVER_CLIENTS_MAX + 3];
	nfds_t n = 3; /* poll accepts no more descriptors than the process may have open */
	uint64_t count;
	for (unsigned k = 0; k < SERVER_CLIENTS_MAX; k++)
		if (c->client[k].socket >= 0) {
			who[n] = &c->client[k];
			fds[n++] = (struct pollfd){.fd = c->client[k].socket, .events = POLLIN | POLLRDHUP};
		}
	if (poll(fds, n, milliseconds) <= 0)
		return;
	if (fds[0].revents && read(c->channel->event, &count, sizeof count) < 0)
		count = 0;
	while (n-- > 3)
		if (fds[n].revents)
			disconnect(c, who[n]);
	if (fds[1].revents)
		accept_connection(c);
}

void channel_wait(struct server *c, int milliseconds)
{
	set_sleeps(c, 1);
	if (!channel_has_message(c))
		wait_fds(c, milliseconds);
	set_sleeps(c, 0);
}

void channel_poll(struct server *c) { wait_fds(c, 0); }

void channel_set_sticky(struct server_client *client, uint32_t error) { atomic_store(&client->shared->sticky, error); }

void channel_want_cause(struct server_client *client, bool is_wanted) { atomic_store(&client->shared->wants_cause, is_wanted); }

/* ---- messages ---- */

static void wake_thread(struct wire_slot *s)
{
	if (!atomic_load(&s->sleeps) || !atomic_exchange(&s->sleeps, 0))
		return;
	ring_wake(&s->tail);
	ring_wake(&s->turn);
}

/* A malformed ring is emptied: its thread gets no more answers. */
bool channel_next_message(struct server_client *client, uint32_t i)
{
	struct wire_slot *s = &client->shared->slot[i];
	struct wire_message m;
	if (!slot_has_message(client, i))
		return false;
	uint32_t tail = atomic_load(&s->tail);
	const uint32_t head = atomic_load(&s->head), waiting = head - tail;
	for (;;) {
		const uint32_t at = tail & (WIRE_RING_BYTES - 1);
		if (waiting > WIRE_RING_BYTES || at % RING_ALIGN || head - tail < sizeof m)
			break;
		memcpy(&m, s->ring + at, sizeof m);
		if (m.bytes < sizeof m || m.bytes % RING_ALIGN || m.bytes > head - tail ||
		    m.bytes > WIRE_RING_BYTES - at)
			break;
		tail += m.bytes;
		if (m.call == WIRE_PAD)
			continue;
		if (m.call >= CALLS || m.bytes > WIRE_MESSAGE_BYTES)
			break;
		memcpy(client->slot[i].message, &m, sizeof m);
		memcpy((char *)client->slot[i].message + sizeof m, s->ring + at + sizeof m, m.bytes - sizeof m);
		atomic_store(&s->tail, tail);
		wake_thread(s);
		return true;
	}
	atomic_store(&s->tail, head);
	return false;
}

void channel_answer(struct server_client *client, uint32_t i, uint32_t status, const void *out, size_t n)
{
	struct wire_slot *s = &client->shared->slot[i];
	s->status = status;
	s->ask = WIRE_ANSWER;
	if (n)
		memcpy(s->out, out, n);
	atomic_fetch_add(&s->turn, 1);
	wake_thread(s);
}

/* ---- the process' memory ---- */

#define ASK_MS 100

/* Makes the waiting thread carry out a request. Returns false if it failed or the thread is gone, or if the user interrupts. */
static bool ask_thread(struct server_call *c, enum wire_ask what, uint64_t address, uint64_t n)
{
	struct wire_slot *s = &c->client->shared->slot[c->index];
	const uint32_t done = atomic_load(&s->done);
	s->ask = what;
	s->ask_address = address;
	s->ask_bytes = n;
	atomic_fetch_add(&s->turn, 1);
	wake_thread(s);
	for (unsigned k = 0; k < 2000 && atomic_load(&s->done) == done; k++)
		ring_pause();
	while (atomic_load(&s->done) == done) {
		struct pollfd fds[2] = {{.fd = c->client->socket, .events = POLLIN | POLLRDHUP},
					{.fd = c->server->channel->event, .events = POLLIN}};
		uint64_t count;
		atomic_store(&c->client->shared->sleeps, 1);
		if (*session_interrupt(c->server->session) ||
		    (atomic_load(&s->done) == done && poll(fds, 2, ASK_MS) > 0 && fds[0].revents))
			return false;
		if (fds[1].revents && read(c->server->channel->event, &count, sizeof count) < 0)
			count = 0;
		atomic_store(&c->client->shared->sleeps, 0);
	}
	return !s->ask_failed;
}

static bool copy_program_memory(struct server_call *c, uint64_t address, char *here, uint64_t n, bool writes)
{
	char *stage = c->client->shared->slot[c->index].stage;
	if (c->client->can_access)
		return process_memory_copy(c->client->pid, address, here, n, writes);
	for (uint64_t part; n; n -= part, here += part, address += part) {
		part = n < WIRE_STAGE_BYTES ? n : WIRE_STAGE_BYTES;
		if (writes)
			memcpy(stage, here, part);
		if (!ask_thread(c, writes ? WIRE_WRITE : WIRE_READ, address, part))
			return false;
		if (!writes)
			memcpy(here, stage, part);
	}
	return true;
}

bool channel_read(struct server_call *c, uint64_t address, void *to, uint64_t n)
{
	return copy_program_memory(c, address, to, n, false);
}

bool channel_write(struct server_call *c, uint64_t address, const void *from, uint64_t n)
{
	return copy_program_memory(c, address, (char *)(uintptr_t)from, n, true);
}

void channel_print(struct server_call *c, bool error, const char *text, size_t n)
{
	char *stage = c->client->shared->slot[c->index].stage;
	for (size_t part; n; n -= part, text += part) {
		part = n < WIRE_STAGE_BYTES ? n : WIRE_STAGE_BYTES;
		memcpy(stage, text, part);
		if (!ask_thread(c, WIRE_PRINT, error, part))
			return;
	}
}
