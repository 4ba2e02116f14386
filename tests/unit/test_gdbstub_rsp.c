/* Framing, arguments and agent bytecode of the gdb stub. Expected values: the GDB manual's chapter on the remote protocol
 * ("Overview", "Packets") and its appendix on agent expressions; checksums were added up by hand. */
#include <stdlib.h>

#include "gdbstub/wire/args.h"
#include "gdbstub/wire/rsp.h"
#include "gdbstub/threads/threads.h"
#include "test_debug_fixture.h"

/* ---- framing ---- */

struct seen {
	struct rsp_decoder d;
	struct text
		events; /* a letter each: P packet, B bad, L too long, + -, C interrupt; packets in brackets behind */
};

static void feed(struct seen *s, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (rsp_decode(&s->d, (unsigned char)bytes[i])) {
		case RSP_PACKET:
			text_add(&s->events, "P[");
			text_addn(&s->events, text_str(&s->d.payload), s->d.payload.n);
			text_add(&s->events, "]");
			break;
		case RSP_BAD: text_add(&s->events, "B"); break;
		case RSP_TOO_LONG: text_add(&s->events, "L"); break;
		case RSP_ACK: text_add(&s->events, "+"); break;
		case RSP_NAK: text_add(&s->events, "-"); break;
		case RSP_INTERRUPT: text_add(&s->events, "C"); break;
		case RSP_MORE: break;
		}
}

static void check(const char *bytes, size_t n, const char *want)
{
	struct seen s = {0};
	feed(&s, bytes, n);
	assert_string_equal(text_str(&s.events), want);
	text_free(&s.events);
	rsp_decoder_free(&s.d);
}

#define CHECK(bytes, want) check(bytes, sizeof bytes - 1, want)

static void test_frames(void **state)
{
	(void)state;
	CHECK("$g#67", "P[g]");
	CHECK("$#00", "P[]");
	CHECK("$OK#9a", "P[OK]");
	CHECK("$OK#9A", "P[OK]");
	CHECK("+$g#67+$p1#a1", "+P[g]+P[p1]");
	CHECK("$g#67$g#67", "P[g]P[g]");
	CHECK("noise$g#67", "P[g]");
	CHECK("\003$g#67\003", "CP[g]C");
	CHECK("-", "-");
}

static void test_bad_frames(void **state)
{
	(void)state;
	CHECK("$g#68", "B");
	CHECK("$g#6x", "B");
	CHECK("$g#", "");
	CHECK("$g", "");
	CHECK("$m0,4$g#67", "P[g]"); /* cut off, then a new one */
	CHECK("$g#68$g#67", "BP[g]");
	CHECK("$\003#03", "P[\003]"); /* inside a packet it is a byte like others */
}

static void test_escapes(void **state)
{
	(void)state;
	/* } is followed by the byte xor 0x20: 0x03 $ 0x04 stand for # and $; sum of }\x03 is 0x80, of }\x04 0x81, of }] 0xda */
	CHECK("$}\003#80", "P[#]");
	CHECK("$}\004#81", "P[$]");
	CHECK("$}]#da", "P[}]");
}

static void test_encode(void **state)
{
	struct text t = {0};
	(void)state;
	rsp_encode(&t, "OK", 2);
	assert_string_equal(text_str(&t), "$OK#9a");
	text_clear(&t);
	rsp_encode(&t, "#$}*", 4);
	assert_string_equal(text_str(&t), "$}\003}\004}]}\n#62");
	text_free(&t);
}

static void test_any_bytes_come_back(void **state)
{
	char bytes[256];
	struct text t = {0};
	struct rsp_decoder d = {0};
	enum rsp_event e = RSP_MORE;
	(void)state;
	for (unsigned i = 0; i < 256; i++)
		bytes[i] = (char)i;
	rsp_encode(&t, bytes, sizeof bytes);
	for (size_t i = 0; i < t.n; i++) {
		assert_int_equal(e, RSP_MORE);
		e = rsp_decode(&d, (unsigned char)t.s[i]);
	}
	assert_int_equal(e, RSP_PACKET);
	assert_int_equal(d.payload.n, 256);
	assert_memory_equal(d.payload.s, bytes, 256);
	rsp_decoder_free(&d);
	text_free(&t);
}

/* The manual's own example: `0* ` is 0000, a space standing for three copies more. */
static void test_runs(void **state)
{
	struct text t = {0};
	(void)state;
	rsp_encode_reply(&t, "0000", 4);
	assert_string_equal(text_str(&t), "$0* #7a");
	text_clear(&t);
	rsp_encode_reply(&t, "000x", 4);
	assert_string_equal(text_str(&t), "$000x#08");
	text_clear(&t);
	rsp_encode_reply(&t, "****", 4);
	assert_string_equal(text_str(&t), "$}\n}\n}\n}\n#1c");
	text_clear(&t);
	rsp_encode(&t, "0000", 4);
	assert_string_equal(text_str(&t), "$0000#c0");
	text_free(&t);
}

/* Runs of all lengths come back, and no number of copies is a byte that separates packets or one that can't be printed. */
static void test_all_runs(void **state)
{
	char bytes[300];
	struct text t = {0};
	struct rsp_decoder d = {.runs = true};
	(void)state;
	for (size_t n = 0; n < sizeof bytes; n++) {
		enum rsp_event e = RSP_MORE;
		memset(bytes, n % 3 ? 'x' : n % 2 ? 0 : '}', n);
		bytes[n / 2] = ']';
		text_clear(&t);
		rsp_encode_reply(&t, bytes, n);
		for (size_t i = 0; i < t.n; i++) {
			assert_int_equal(e, RSP_MORE);
			e = rsp_decode(&d, (unsigned char)t.s[i]);
			if (d.state == RSP_RUN)
				assert_true(t.s[i + 1] >= ' ' && t.s[i + 1] <= '~' && !strchr("#$+-", t.s[i + 1]));
		}
		assert_int_equal(e, RSP_PACKET);
		assert_int_equal(d.payload.n, n);
		assert_memory_equal(text_str(&d.payload), bytes, n);
	}
	rsp_decoder_free(&d);
	text_free(&t);
}

/* What gdb sends has no runs: there a `*` is one. */
static void test_no_runs_from_gdb(void **state)
{
	(void)state;
	CHECK("$0* #7a", "P[0* ]");
}

static void test_too_long(void **state)
{
	struct seen s = {0};
	(void)state;
	feed(&s, "$", 1);
	for (unsigned i = 0; i < RSP_PACKET_MAX + 1; i++)
		feed(&s, "", 1); /* zeros: the sum stays 0 */
	feed(&s, "#00$g#67", 8);
	assert_string_equal(text_str(&s.events), "LP[g]");
	text_free(&s.events);
	rsp_decoder_free(&s.d);
}

/* ---- arguments ---- */

static void test_args(void **state)
{
	struct args a = {0};
	(void)state;
	assert_true(args_parse(&a, "x,x", "ffffffffffffffff,10", 19));
	assert_true(a.v[0].v == UINT64_MAX && a.v[1].v == 16);
	assert_false(args_parse(&a, "x,x", "10000000000000000,1", 19)); /* 65 bits */
	assert_false(args_parse(&a, "x,x", "1,", 2));
	assert_false(args_parse(&a, "x,x", "1", 1));
	assert_false(args_parse(&a, "x,x", "1,2,3", 5));
	assert_false(args_parse(&a, "x", "-1", 2));
	assert_true(args_parse(&a, "ct", "g-1", 3));
	assert_true(a.v[0].v == 'g' && a.v[1].v == ARGS_ALL_THREADS);
	assert_true(args_parse(&a, "ct", "cp1.2f", 6) && a.v[1].v == 0x2f);
	assert_true(args_parse(&a, "t", "p1", 2) && a.v[0].v == ARGS_ALL_THREADS);
	assert_true(args_parse(&a, "x,x:h", "0,2:6162", 8));
	assert_true(a.v[2].n == 2 && !memcmp(a.v[2].s, "ab", 2));
	assert_false(args_parse(&a, "x,x:h", "0,2:616", 7));
	assert_false(args_parse(&a, "x,x:h", "0,2:61zz", 8));
	assert_true(args_parse(&a, "c,x,x?;s", "0,8,1", 5) && !a.v[3].given);
	assert_true(args_parse(&a, "c,x,x?;s", "0,8,1;X1,27", 11) && a.v[3].n == 5);
	assert_true(args_parse(&a, "w:x,x", "target.xml:0,fff", 16) && a.v[0].n == 10 && a.v[2].v == 0xfff);
	args_free(&a);
}

/* ---- bytecode ---- */

struct agent_fixture {
	struct fixture f;
	struct stub *s;
};

static struct agent_fixture fx;

static const char program[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			      ".global .align 8 .u64 big = 0xfedcba9876543210;\n"
			      ".visible .entry k(.param .u32 n)\n{\n\t.reg .b32 %r<3>;\n\tmov.u32 %r1, 7;\n\tret;\n}\n";

static int begin(void **state)
{
	(void)state;
	fixture_begin(&fx.f, "k.ptx", program);
	fx.s = gdbstub_create(fx.f.session, NULL);
	runs(&fx.f, command_launch_kernel, "k<<<1,32>>>(3)");
	return 0;
}

static int end(void **state)
{
	(void)state;
	gdbstub_destroy(fx.s);
	fixture_end(&fx.f);
	return 0;
}

/* Evaluates a hex string for thread 1. */
static bool eval(const char *hex, uint64_t *out)
{
	struct text code = {0};
	assert_true(rsp_unhex(&code, hex, strlen(hex)));
	bool ok = agent_eval(fx.s, 1, NULL, &code, out);
	text_free(&code);
	return ok;
}

static void gives(const char *hex, uint64_t want)
{
	uint64_t v = 0xdead;
	assert_true(eval(hex, &v));
	if (v != want)
		fail_msg("%s gives %llx, expected %llx", hex, (unsigned long long)v, (unsigned long long)want);
}

static void fails(const char *hex)
{
	uint64_t v;
	if (eval(hex, &v))
		fail_msg("%s gives %llx", hex, (unsigned long long)v);
}

static void test_arithmetic(void **state)
{
	(void)state;
	gives("220527", 5);
	gives("23123427", 0x1234);
	gives("241234567827", 0x12345678);
	gives("25fedcba987654321027", UINT64_C(0xfedcba9876543210));
	gives("220522030227", 8);	     /* 5 + 3 */
	gives("220522030327", 2);	     /* 5 - 3 */
	gives("220322050327", (uint64_t)-2); /* 3 - 5 */
	gives("220522030427", 15);	     /* * */
	gives("2203220503220205"
	      "27",
	      (uint64_t)-1);			      /* (3 - 5) / 2, signed */
	gives("220722020627", 3);		      /* 7 / 2, unsigned */
	gives("220722020827", 1);		      /* 7 % 2 */
	gives("220722040927", 0x70);		      /* << */
	gives("220322050322010b27", UINT64_MAX >> 1); /* -2 >> 1 logical */
	gives("220322050322010a27", (uint64_t)-1);    /* arithmetic */
	gives("22000e27", 1);
	gives("220c220a0f27", 8);
	gives("220c220a1027", 14);
	gives("220c220a1127", 6);
	gives("22001227", UINT64_MAX);
	gives("220522051327", 1);
	gives("220322050322001427", 1);	 /* -2 < 0 signed */
	gives("220322050322001527", 0);	 /* not unsigned */
	gives("22ff160827", UINT64_MAX); /* ext 8 */
	gives("23ffff2a0827", 0xff);	 /* zero_ext 8 */
	gives("220528022"
	      "7",
	      10); /* dup add */
	gives("2205220729"
	      "27",
	      5);		    /* pop */
	gives("220522072b0327", 2); /* swap: 7 - 5 */
	gives("22052207320127", 5); /* pick 1 */
	/* rot: 1 2 3 becomes 3 1 2 (gdbserver's) */
	gives("2201220222033327", 2);
	gives("220122022203332927", 1);
	gives("22012202220333292927", 3);
}

static void test_jumps_and_places(void **state)
{
	(void)state;
	/* 0: const8 1; 2: if_goto 8; 5: const8 0; 7: end; 8: const8 9; 10: end */
	gives("22012000082200272209"
	      "27",
	      9);
	gives("22002000082203272209"
	      "27",
	      3);
	gives("241000000"
	      "01a27",
	      UINT64_C(0xfedcba9876543210)); /* ref64 of a variable */
	gives("24100000001727", 0x10);	     /* ref8 */
	gives("24100000001827", 0x3210);
	gives("24100000001927", 0x76543210);
	gives("26001027", 0x0b000000); /* rip: before the kernel's first instruction */
}

static void test_what_is_wrong(void **state)
{
	(void)state;
	fails("");
	fails("2205"); /* no end */
	fails("27");   /* nothing on the stack */
	fails("02"
	      "27"); /* nothing to add */
	fails("22"); /* operand cut off */
	fails("22072200"
	      "0527"); /* division by zero */
	fails("2200"
	      "1727");	   /* address 0 */
	fails("26ffff27"); /* no such register */
	fails("260000"
	      "27");	 /* rax has no value */
	fails("210000"); /* for ever */
	fails("21ffff"); /* out of the code */
	fails("ff27");	 /* no such operation */
	fails("0127");	 /* floats aren't there */
	fails("220522053209"
	      "27");	       /* pick too deep */
	fails("220522053327"); /* rot of two */
	fails("220528210002"); /* pushes for ever */
	/* the smallest number by -1 has no quotient in 64 bits: it wraps */
	gives("258000000000000000"
	      "25ffffffffffffffff"
	      "05"
	      "27",
	      UINT64_C(0x8000000000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_bad_frames),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_any_bytes_come_back),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_all_runs),
		cmocka_unit_test(test_no_runs_from_gdb),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_args),
		cmocka_unit_test_setup_teardown(test_arithmetic, begin, end),
		cmocka_unit_test_setup_teardown(test_jumps_and_places, begin, end),
		cmocka_unit_test_setup_teardown(test_what_is_wrong, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
