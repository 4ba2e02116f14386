/* Any program at the other end of the channel: what it writes to the memory that it shares with the debugger, line by line, while the debugger serves it.
 *
 *     SLOT CALL ARGUMENT... [' what is behind the arguments]    a call of calls.def; arguments are numbers, or $text $wrapper $scratch, or $N: the
 *                                                               result of the N-th line, each with +OFFSET
 *     raw SLOT HEX...       bytes where the ring stands         set SLOT FIELD VALUE    a field of the slot, or of all
 *     later                 nobody waits for answers any more   truncate BYTES          of the memory both have
 *
 * A first line that is `p` asks for performance mode. The program's memory is that of a process that only sleeps, with the same things at the same
 * addresses; nothing may crash, hang, or outlive it. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command/command.h"
#include "server/channel/channel.h"
#include "server/channel/ring.h"
#include "command/running/running.h"
#include "debug/stop/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES = 200, LINE_BYTES = 4096, WAIT_US = 2000 };

#define TEXT \
	".version 7.0\\n.target sm_70\\n.address_size 64\\n.global .u32 counter = 5;\\n.const .u32 factor[4];\\n" \
	".visible .entry fill (.param .u64 p, .param .u32 v)\\n{\\n .reg .b32 %r<4>;\\n .reg .b64 %rd<4>;\\n mov.u32 " \
	"%r1, %tid.x;\\n ld.param.u64 %rd1, [p];\\n" \
	" ld.param.u32 %r2, [v];\\n mul.wide.u32 %rd2, %r1, 4;\\n add.u64 %rd3, %rd1, %rd2;\\n add.u32 %r3, %r2, " \
	"%r1;\\n st.global.u32 [%rd3], %r3;\\n ret;\\n}\\n" \
	".visible .entry wait (.param .u64 p)\\n{\\n .reg .b32 %r<2>;\\n .reg .b64 %rd<2>;\\n .reg .pred %q;\\n " \
	"ld.param.u64 %rd1, [p];\\n" \
	"L:\\n ld.volatile.global.u32 %r1, [%rd1];\\n setp.eq.u32 %q, %r1, 0;\\n @%q bra L;\\n ret;\\n}\\n"
__asm__(".section .rodata\n.balign 8\nfuzz_fatbin:\n.long 0xBA55ED50\n.short 1, 16\n.quad fuzz_end - fuzz_entry\n"
	"fuzz_entry:\n.short 1, 0\n.long 0x50\n.quad fuzz_end - fuzz_text\n.long 0, 0\n.short 0, 8\n.long 75\n.quad 0, "
	"0x11\n.quad 0, 0, 0, 0\n"
	"fuzz_text:\n.ascii \"" TEXT "\"\n.byte 0\n.balign 8\nfuzz_end:\n.previous\n");
extern const uint64_t fuzz_fatbin[];
extern const char fuzz_text[];
static const struct {
	uint32_t magic, version;
	const uint64_t *data;
	const void *others;
} wrapper = {0x466243B1, 1, fuzz_fatbin, NULL};
static char scratch[1 << 16];

/* ---- the program ---- */

struct host {
	struct wire_shared *shared;
	int socket, memory;
	const char *text, *end;
	bool later;		/* it waits for no answer */
	uint64_t result[LINES]; /* of the calls, by line */
	unsigned line;
};

static const struct call {
	const char *name, *in;
	bool waits;
} calls[CALLS] = {
#define WAITS true
#define LATER false
#undef NOTHING
#define NOTHING
#define CALL(name, kind, arguments, results) {#name, #arguments, kind},
#include "server/channel/calls.def"
#undef CALL
};

static uint64_t number(const struct host *h, char **at)
{
	static const char *const names[] = {"$text", "$wrapper", "$scratch"};
	const uint64_t values[] = {(uintptr_t)fuzz_text, (uintptr_t)&wrapper, (uintptr_t)scratch};
	uint64_t v = 0;
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strncmp(*at, names[k], strlen(names[k]))) {
			v = values[k];
			*at += strlen(names[k]);
			return **at == '+' ? v + strtoull(*at, at, 0) : v;
		}
	if (**at != '$')
		return strtoull(*at, at, 0);
	++*at;
	v = h->result[strtoull(*at, at, 0) % LINES];
	return **at == '+' || **at == '-' ? v + strtoull(*at, at, 0) : v;
}

static void put(char *to, size_t *n, uint64_t v, size_t bytes)
{
	*n = (*n + bytes - 1) & ~(bytes - 1);
	memcpy(to + *n, &v, bytes);
	*n += bytes;
}

static uint64_t next(const struct host *h, char **at)
{
	*at += strspn(*at, " ");
	return **at && **at != '\'' ? number(h, at) : 0;
}

/* Members as calls.def declares them, filled from the line; their bytes. */
static size_t fill_members(const struct host *h, const char *members, char **at, char *to)
{
	size_t n = 0, most = 1;
	for (const char *m = members; *m; m++) {
		const bool is_64 = !strncmp(m, "uint64_t ", 9),
			   is_32 = !strncmp(m, "uint32_t ", 9) || !strncmp(m, "int32_t ", 8);
		if (m > members && m[-1] != ' ' && m[-1] != ';')
			continue;
		if (is_64 || is_32)
			for (unsigned k = memchr(m, '[', (size_t)(strchr(m, ';') - m)) ? 3 : 1; k; k--)
				put(to, &n, next(h, at), is_64 ? 8 : 4);
		else if (!strncmp(m, "struct wire_logs ", 17))
			for (unsigned k = 0; k < 4; k++)
				put(to, &n, next(h, at), k < 2 ? 8 : 4);
		else if (!strncmp(m, "struct wire_physical ", 21))
			for (unsigned k = 0; k < sizeof(struct wire_physical) / 4; k++)
				put(to, &n, next(h, at), 4);
		most = is_64 || !strncmp(m, "struct wire_logs ", 17) ? 8 : is_32 && most < 4 ? 4 : most;
	}
	return (n + most - 1) & ~(most - 1);
}

/* What the debugger asks a thread that waits for is not done, but said to be. True: the answer is there. */
static bool look_at_turn(struct host *h, struct wire_slot *s, uint32_t *turn)
{
	if (atomic_load(&s->turn) == *turn)
		return false;
	++*turn;
	if (s->ask == WIRE_ANSWER)
		return true;
	s->ask_failed = h->line % 3 == 2;
	atomic_fetch_add(&s->done, 1);
	return false;
}

static void wait_for_answer(struct host *h, struct wire_slot *s, uint32_t turn)
{
	for (unsigned k = 0; k < WAIT_US / 50; k++)
		if (look_at_turn(h, s, &turn)) {
			memcpy(&h->result[h->line], s->out, 8);
			return;
		} else if (atomic_load(&s->turn) == turn) {
			ring_sleep(&s->turn, turn, 50000);
		}
	h->later = true; /* once is enough */
}

static struct wire_slot *slot(struct host *h, char **at)
{
	const uint32_t k = (uint32_t)next(h, at) % WIRE_SLOTS;
	if (h->shared->slots <= k)
		h->shared->slots = k + 1;
	return &h->shared->slot[k];
}

static void send_call(struct host *h, char *at)
{
	_Alignas(16) char in[256] = {0};
	struct wire_slot *s = slot(h, &at);
	at += strspn(at, " ");
	const size_t name = strcspn(at, " ");
	unsigned k = 0;
	while (k < CALLS && (strlen(calls[k].name) != name || strncmp(calls[k].name, at, name)))
		k++;
	if (k == CALLS)
		return;
	at += name;
	const size_t n = fill_members(h, calls[k].in, &at, in);
	at += strspn(at, " ");
	const size_t payload = *at == '\'' ? strlen(at + 1) : 0;
	const struct wire_message m = {
		.bytes = ring_message_bytes(n, payload), .call = (uint16_t)k, .payload = (uint32_t)payload};
	const uint32_t turn = atomic_load(&s->turn);
	ring_put(s, &m, in, n, at + 1);
	if (calls[k].waits && !h->later)
		wait_for_answer(h, s, turn);
}

static void raw(struct host *h, char *at)
{
	struct wire_slot *s = slot(h, &at);
	uint32_t head = atomic_load(&s->head);
	for (unsigned byte; sscanf(at += strspn(at, " "), "%2x", &byte) == 1; at += at[1] ? 2 : 1)
		s->ring[head++ % WIRE_RING_BYTES] = (char)byte;
	atomic_store(&s->head, head);
}

static void set(struct host *h, char *at)
{
	struct wire_slot *s = slot(h, &at);
	at += strspn(at, " ");
	char *value = at + strcspn(at, " ");
	const uint32_t v = (uint32_t)next(h, &value);
	switch (*at) {
	case 'h': atomic_store(&s->head, v); break;
	case 't': at[1] == 'a' ? atomic_store(&s->tail, v) : atomic_store(&s->turn, v); break;
	case 'd': atomic_store(&s->done, v); break;
	case 'm': h->shared->magic = v; break;
	case 'b': h->shared->bytes = v; break;
	case 'n': atomic_store(&h->shared->slots, v); break;
	case 's': at[1] == 'l' ? atomic_store(&h->shared->sleeps, v) : atomic_store(&h->shared->sticky, v); break;
	default: break;
	}
}

static void do_line(struct host *h, char *line)
{
	if (!strncmp(line, "raw ", 4))
		raw(h, line + 4);
	else if (!strncmp(line, "set ", 4))
		set(h, line + 4);
	else if (!strncmp(line, "truncate ", 9))
		line += ftruncate(h->memory, (off_t)strtoul(line + 9, NULL, 0)) ? 0 : 1;
	else if (!strcmp(line, "later"))
		h->later = true;
	else
		send_call(h, line);
}

static void *be_program(void *self)
{
	struct host *h = self;
	for (const char *at = h->text; at < h->end && h->line < LINES; h->line++) {
		const char *eol = memchr(at, '\n', (size_t)(h->end - at));
		const size_t n = (size_t)((eol ? eol : h->end) - at);
		char line[LINE_BYTES];
		snprintf(line, sizeof line, "%.*s", (int)(n < LINE_BYTES ? n : LINE_BYTES - 1), at);
		do_line(h, line);
		at += n + 1;
	}
	for (unsigned k = 0; k < 20; k++) /* what is left is taken, unless it is never */
		for (uint32_t i = 0; i < WIRE_SLOTS; i++)
			if (atomic_load(&h->shared->slot[i].head) != atomic_load(&h->shared->slot[i].tail)) {
				usleep(50);
				break;
			}
	shutdown(h->socket, SHUT_RDWR);
	return NULL;
}

/* ---- the debugger ---- */

static pid_t sleeper(void)
{
	static pid_t pid;
	if (pid)
		return pid;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static struct session *make_session(bool performance)
{
	const struct session_setup setup = {.config = "tiny",
					    .mode = performance ? SESSION_PERFORMANCE : SESSION_FUNCTIONAL};
	struct text messages = {0};
	enum session_failure failure;
	struct session *s = session_create(&setup, &messages, &failure);
	if (!s)
		abort();
	text_free(&messages);
	command_attach(session_debug(s));
	return s;
}

static void receive(struct host *h)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(WIRE_FDS * sizeof(int))];
	} control;
	struct wire_hello hello;
	struct iovec part = {&hello, sizeof hello};
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	int fds[WIRE_FDS];
	if (recvmsg(h->socket, &m, MSG_CMSG_CLOEXEC) != sizeof hello || !CMSG_FIRSTHDR(&m))
		abort();
	memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fds);
	h->memory = fds[0];
	close(fds[1]);
	close(fds[2]);
	h->shared = mmap(NULL, sizeof *h->shared, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0);
	if (h->shared == MAP_FAILED)
		abort();
}

/* `run`, then `c` at each stop, until the program has gone. */
static void debug_it(struct session *s, struct server *c)
{
	struct text why = {0};
	struct debug_stop stop;
	for (bool begun = false; server_program_lives(c); begun = true) {
		debug_stop_init(&stop);
		if (begun)
			command_continue(session_debug(s), "", &stop, &why);
		else if (debug_program_start(session_debug(s), "", &why))
			debug_run_free(session_debug(s), &stop, &why);
		debug_stop_free(&stop);
	}
	text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct host h = {.text = (const char *)data, .end = (const char *)data + size};
	struct text why = {0};
	int ends[2];
	pthread_t thread;
	const bool performance = size > 1 && data[0] == 'p';
	const pid_t pid = sleeper();
	struct session *s = make_session(performance);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		abort();
	const struct server_setup setup = {.socket = ends[0], .in = 0, .out = 1, .error = 2, .library_path = ""};
	struct server *c = server_create(s, &setup, &why);
	if (!c)
		abort();
	h.socket = ends[1];
	receive(&h);
	c->client[0].pid = pid;
	c->client[0].can_access = size % 4 != 1;
	pthread_create(&thread, NULL, be_program, &h);
	debug_it(s, c);
	pthread_join(thread, NULL);
	server_destroy(c);
	session_destroy(s);
	munmap(h.shared, sizeof *h.shared);
	close(h.memory);
	close(h.socket);
	text_free(&why);
	return 0;
}
