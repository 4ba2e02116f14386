/* Golden transcripts of the remote protocol (tests/rsp): packets to the stub, replies expected. Each is played packet by packet,
 * then with all its bytes split and merged at random, with and without noise, which has to give the very same bytes back.
 *
 * In a transcript `run: COMMAND` is done before gdb comes, `-> PAYLOAD` is sent, `<- PAYLOAD` has to come back; `*` at a reply's end
 * stands for any rest; `\xx` is a byte in hexadecimal. `=> BYTES` sends bytes as they are, unframed. Lines with # are comments.
 * `monitor` knows `print EXPRESSION` and `stepi N`. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "command/setup/buffers.h"
#include "command/interpreter/interpreter.h"
#include "gdbstub/internal.h"
#include "gdbstub/wire/args.h"
#include "gdbstub/wire/rsp.h"
#include "test_debug_fixture.h"

#define LINES_MAX 400

struct transcript {
	char *text;
	const char *line[LINES_MAX];
	size_t n;
};

static char *read_file(const char *path)
{
	struct text t = {0};
	char bytes[4096];
	size_t n;
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("can't read %s", path);
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		text_addn(&t, bytes, n);
	fclose(f);
	return text_take(&t);
}

static void transcript_read(struct transcript *t, const char *path)
{
	*t = (struct transcript){.text = read_file(path)};
	for (char *at = strtok(t->text, "\n"); at; at = strtok(NULL, "\n"))
		if (*at != '#') {
			assert_true(t->n < LINES_MAX);
			t->line[t->n++] = at;
		}
}

/* What a line stands for, with its \xx undone. */
static void payload(const char *line, struct text *out)
{
	for (const char *s = line + 3; *s; s++) {
		if (*s == '\\' && s[1] && s[2]) {
			text_addc(out, (char)(rsp_hex_digit(s[1]) << 4 | rsp_hex_digit(s[2])));
			s += 2;
		} else {
			text_addc(out, *s);
		}
	}
}

struct play {
	struct fixture f;
	struct interpreter *commands;
	struct stub *s;
};

static void begin(struct play *p, const struct transcript *t)
{
	char *ptx = read_file("../gdb/lanes.ptx");
	fixture_begin(&p->f, "lanes.ptx", ptx);
	free(ptx);
	says(&p->f, command_buffer, "A f32[256] = zero");
	for (size_t i = 0; i < t->n; i++)
		if (!strncmp(t->line[i], "run: launch ", 12))
			runs(&p->f, command_launch_kernel, t->line[i] + 12);
	p->commands = interpreter_create(p->f.session, &command_table);
	p->s = gdbstub_create(p->f.session, p->commands);
}

static void end(struct play *p)
{
	gdbstub_destroy(p->s);
	interpreter_destroy(p->commands);
	fixture_end(&p->f);
}

/* All bytes a client sends, as the lines say. */
static void line_bytes(const char *line, struct text *out)
{
	struct text t = {0};
	payload(line, &t);
	if (!strncmp(line, "-> ", 3) || !strncmp(line, "->", 3))
		rsp_encode(out, text_str(&t), t.n);
	else
		text_addn(out, text_str(&t), t.n);
	text_free(&t);
}

static bool is_sent(const char *line) { return !strncmp(line, "->", 2) || !strncmp(line, "=> ", 3); }

/* Takes the next packet out of what the stub has sent; false: there is none. Bytes before it (acknowledgements) go. */
static bool next_reply(struct text *out, size_t *at, struct text *reply)
{
	struct rsp_decoder d = {.runs = true};
	bool found = false;
	text_clear(reply);
	while (!found && *at < out->n)
		found = rsp_decode(&d, (unsigned char)out->s[(*at)++]) == RSP_PACKET;
	if (found)
		text_addn(reply, text_str(&d.payload), d.payload.n);
	rsp_decoder_free(&d);
	return found;
}

static void check_reply(const char *file, const char *line, const struct text *reply)
{
	struct text want = {0};
	payload(line, &want);
	bool open = want.n && want.s[want.n - 1] == '*';
	size_t n = open ? want.n - 1 : want.n;
	if (!(open ? reply->n >= n : reply->n == n) || memcmp(text_str(&want), text_str(reply), n))
		fail_msg("%s: expected %s\n got      %.*s", file, line, (int)(reply->n < 300 ? reply->n : 300),
			 text_str(reply));
	text_free(&want);
}

/* Packet by packet. `all` gets everything sent back. */
static void play_slowly(const char *file, const struct transcript *t, struct text *all)
{
	struct play p;
	struct text reply = {0};
	size_t at = 0;
	begin(&p, t);
	for (size_t i = 0; i < t->n; i++) {
		struct text bytes = {0};
		if (is_sent(t->line[i])) {
			while (next_reply(gdbstub_replies(p.s), &at, &reply))
				fail_msg("%s: before %s: unexpected %s", file, t->line[i], text_str(&reply));
			line_bytes(t->line[i], &bytes);
			gdbstub_feed(p.s, text_str(&bytes), bytes.n);
		} else if (!strncmp(t->line[i], "<-", 2)) {
			if (!next_reply(gdbstub_replies(p.s), &at, &reply))
				fail_msg("%s: nothing came for %s", file, t->line[i]);
			check_reply(file, t->line[i], &reply);
		}
		text_free(&bytes);
	}
	if (next_reply(gdbstub_replies(p.s), &at, &reply))
		fail_msg("%s: at the end: unexpected %s", file, text_str(&reply));
	text_addn(all, text_str(gdbstub_replies(p.s)), gdbstub_replies(p.s)->n);
	text_free(&reply);
	end(&p);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % n;
}

/* The same bytes in pieces of random length. */
static void play_in_pieces(const char *file, const struct transcript *t, const struct text *want, unsigned seed)
{
	struct play p;
	struct text bytes = {0};
	random_state = seed;
	begin(&p, t);
	for (size_t i = 0; i < t->n; i++)
		if (is_sent(t->line[i]))
			line_bytes(t->line[i], &bytes);
	for (size_t at = 0; at < bytes.n;) {
		size_t n = 1 + random_below(seed % 2 ? 3 : 200);
		if (n > bytes.n - at)
			n = bytes.n - at;
		gdbstub_feed(p.s, bytes.s + at, n);
		at += n;
	}
	struct text *got = gdbstub_replies(p.s);
	if (got->n != want->n || memcmp(text_str(got), text_str(want), got->n))
		fail_msg("%s: in pieces (seed %u) the replies differ", file, seed);
	text_free(&bytes);
	end(&p);
}

static void play_file(const char *file)
{
	struct transcript t;
	struct text all = {0}, path = {0};
	text_addf(&path, "../rsp/%s", file);
	transcript_read(&t, text_str(&path));
	play_slowly(file, &t, &all);
	bool raw = false;
	for (size_t i = 0; i < t.n; i++)
		raw |= !strncmp(t.line[i], "=> ", 3);
	for (unsigned seed = 1; seed <= 6 && !raw; seed++)
		play_in_pieces(file, &t, &all, seed);
	text_free(&all);
	text_free(&path);
	free(t.text);
}

static void test_transcripts(void **state)
{
	DIR *dir = opendir("../rsp");
	unsigned n = 0;
	(void)state;
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir)) != NULL;) {
		const char *dot = strrchr(e->d_name, '.');
		if (!dot || strcmp(dot, ".rsp"))
			continue;
		play_file(e->d_name);
		n++;
	}
	closedir(dir);
	assert_true(n >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_transcripts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
