/* The network's configuration: booksim's file syntax, every option known, errors with their place, and combinations that cannot be. */
#include "icnt_net.h"
#include "timing/icnt/icnt_config.h"

#include <unistd.h>

static char path[] = "/tmp/ws-icnt-XXXXXX";

struct loaded {
	struct icnt_config *c;
	struct diag_list diags;
	bool ok;
};

static void load(struct loaded *l, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	memset(l, 0, sizeof *l);
	l->c = icnt_config_create();
	l->ok = icnt_config_load(l->c, NULL, path, &l->diags);
}

static void unload(struct loaded *l)
{
	icnt_config_free(l->c);
	diag_list_free(&l->diags);
}

static void has(const struct loaded *l, const char *name, const char *value)
{
	const int row = icnt_option_find(name, strlen(name));
	assert_true(row >= 0);
	assert_string_equal(icnt_config_text(l->c, (enum icnt_option_row)row), value);
}

static void reads_the_syntax(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "// a comment\nk = 27; n=1;topology = fly; // behind\n;\n  vc_buf_size\t=\n 6 ;internal_speedup = 2;\n"
		 "packet_size ={{1,2,3,4},{10,20}};\npacket_size_rate={{1,1,1,1},{2,1}};\nburst_r1 = -0.5e0;\ntraffic "
		 "= uniform;\n"
		 "sw_allocator = separable_input_first(tree(2,matrix)); watch_out = a/b-c.d;//\n");
	assert_true(l.ok);
	assert_int_equal(l.diags.n, 0);
	has(&l, "k", "27");
	has(&l, "n", "1");
	has(&l, "vc_buf_size", "6");
	has(&l, "internal_speedup", "2");
	has(&l, "packet_size", "{{1,2,3,4},{10,20}}");
	has(&l, "sw_allocator", "separable_input_first(tree(2,matrix))");
	has(&l, "topology", "fly");
	has(&l, "num_vcs", "16");
	unload(&l);
}

static void later_values_win(void **state)
{
	(void)state;
	struct loaded l;
	struct text why = {0};
	load(&l, "k = 3;\nk = 4;\n");
	has(&l, "k", "4");
	assert_true(icnt_config_set(l.c, "k", "5", &why));
	has(&l, "k", "5");
	unload(&l);
	text_free(&why);
}

static void old_names(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "input_buf_size = 20; ejection_buf_size = 30; boundary_buf_size = 40;");
	assert_true(l.ok);
	has(&l, "input_buffer_size", "20");
	has(&l, "ejection_buffer_size", "30");
	has(&l, "boundary_buffer_size", "40");
	unload(&l);
}

/* Text, line, column and message of the first error; the file's other lines are still read. */
static const struct {
	const char *text;
	uint32_t line, col;
	const char *message;
} wrong[] = {
	{"k = 4;\nrouting_functoin = dest_tag;\n", 2, 1,
	 "unknown network option 'routing_functoin', the nearest known one is 'routing_function'"},
	{"  num_vc = 4;", 1, 3, "unknown network option 'num_vc', the nearest known one is 'num_vcs'"},
	{"k = four;", 1, 5, "k 'four' is not a whole number"},
	{"k = 4.5;", 1, 5, "k '4.5' is not a whole number"},
	{"k = 0;", 1, 5, "k 0 is out of range, expected 1 to 4096"},
	{"num_vcs = 65;", 1, 11, "num_vcs 65 is out of range, expected 1 to 64"},
	{"internal_speedup = 0.5;", 1, 20, "internal_speedup 0.5 is out of range, expected 1 to 16"},
	{"k = {1,2};", 1, 5, "k takes one number, not a list"},
	{"packet_size = {1,x};", 1, 15, "packet_size 'x' is not a whole number"},
	{"packet_size = {};", 1, 15, "packet_size needs at least one number"},
	{"topology = cmesh;", 1, 12,
	 "topology 'cmesh' is known to booksim but not modelled, expected one of: fly mesh torus"},
	{"topology = ring;", 1, 12, "unknown topology 'ring', expected one of: fly mesh torus"},
	{"router = event;", 1, 10, "router 'event' is known to booksim but not modelled, expected one of: iq"},
	{"link_failures = 2;", 1, 17, "link_failures 2 is not modelled (random broken links), expected 0"},
	{"k 4;", 1, 3, "unexpected '4', expected '='"},
	{"k = 4\nn = 1;", 2, 1, "unexpected 'n', expected ';'"},
	{"k = ;", 1, 5, "unexpected ';', expected a value"},
	{"k =", 1, 4, "end of the file, expected a value"},
	{"packet_size = {1,", 1, 18, "end of the file, expected '}'"},
	{"# k", 1, 1, "unexpected '#', expected an option name"},
	{"= 4;", 1, 1, "unexpected '=', expected an option name"},
	{"k = 99999999999999999999;", 1, 5, "k 99999999999999999999 is out of range, expected 1 to 4096"},
};

static void errors_have_a_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct loaded l;
		load(&l, wrong[i].text);
		assert_false(l.ok);
		assert_true(l.diags.n_errors >= 1);
		assert_string_equal(l.diags.v[0].message, wrong[i].message);
		assert_int_equal(l.diags.v[0].line, wrong[i].line);
		assert_int_equal(l.diags.v[0].col, wrong[i].col);
		unload(&l);
	}
}

static void goes_on_after_errors(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "k = x;\nfoo = 1;\nn = 3;\nvc_buf_size 7;\ninput_speedup = 2;\n");
	assert_int_equal(l.diags.n_errors, 3);
	has(&l, "n", "3");
	has(&l, "input_speedup", "2");
	unload(&l);
}

/* GPGPU-Sim 3.2.2 reads alloc_iters and arb_type and never uses them: the file is accepted, with a word about it. */
static void warns_of_dead_options(void **state)
{
	(void)state;
	struct loaded l;
	load(&l, "alloc_iters = 1;\nalloc_iters = 2;\narb_type = matrix;\n");
	assert_true(l.ok);
	assert_int_equal(l.diags.n_warnings, 2);
	assert_int_equal(l.diags.v[0].line, 2);
	unload(&l);
}

static void no_file(void **state)
{
	(void)state;
	struct icnt_config *c = icnt_config_create();
	struct diag_list diags = {0};
	assert_false(icnt_config_load(c, NULL, "/nowhere/at.all", &diags));
	assert_false(icnt_config_load(c, NULL, "/", &diags));
	assert_int_equal(diags.n_errors, 2);
	diag_list_free(&diags);
	icnt_config_free(c);
}

/* ---- combinations ---- */
static const struct {
	const char *options;
	uint32_t clusters, memories;
	const char *why; /* begins so */
} refused[] = {
	{SHIPPED "k=26", 15, 12,
	 "the network has 26 nodes (k = 26, n = 1), but there are 27 clusters and memory sub-partitions: k must be "
	 "that number"},
	{SHIPPED "k=28", 15, 12, "the network has 28 nodes"},
	{SHIPPED "k=4096 n=12", 15, 12, "a network of k = 4096, n = 12 has more than"},
	{SHIPPED "k=27 subnets=1", 15, 12, "subnets = 1: requests and replies need a network each"},
	{"k=27 n=1 topology=fly use_map=0 routing_function=dest_tag subnets=2", 15, 12, "the network file has to say sim_type = gpgpusim;"},
	{SHIPPED "k=27 routing_function=dim_order", 15, 12,
	 "routing_function = dim_order does not exist for topology = fly, expected dest_tag"},
	{SHIPPED "k=27 routing_function=none", 15, 12, "routing_function = none does not exist"},
	{SHIPPED "k=27 read_reply_end_vc=1", 15, 12,
	 "read_reply_begin_vc = 0, read_reply_end_vc = 1 do not fit into num_vcs = 1"},
	{SHIPPED "k=27 num_vcs=2 read_reply_begin_vc=1", 15, 12,
	 "read_reply_begin_vc = 1, read_reply_end_vc = 0 do not fit"},
	{SHIPPED "topology=torus k=3 n=3 routing_function=dim_order", 15, 12,
	 "routing_function = dim_order needs at least 2 virtual channels for read_request"},
	{SHIPPED "topology=mesh k=3 n=3 routing_function=dim_order_ni num_vcs=26", 15, 12,
	 "routing_function = dim_order_ni needs at least 27"},
	{SHIPPED "topology=mesh k=3 n=3 routing_function=dim_order use_map=1", 15, 12,
	 "use_map = 1: there is no node map for 27 nodes"},
	{SHIPPED "topology=mesh k=4 n=2 routing_function=dim_order use_map=1", 6, 9,
	 "use_map = 1: the map of 16 nodes has places for 8 memory sub-partitions and 8 clusters, not for 9 and 6"},
	{SHIPPED "topology=mesh k=4 n=2 routing_function=dim_order use_map=1 memory_node_map={1,2}", 6, 3,
	 "memory_node_map names 2 nodes, but there are 3 memory sub-partitions"},
	{SHIPPED "topology=mesh k=3 n=2 routing_function=dim_order use_map=1 memory_node_map={1,9}", 6, 2, "memory_node_map: there is no node 9"},
	{SHIPPED "topology=mesh k=3 n=2 routing_function=dim_order use_map=1 memory_node_map={1,1}", 6, 2, "memory_node_map names node 1 twice"},
	{SHIPPED "topology=mesh k=5 n=2 routing_function=dim_order use_map=0", 15, 12,
	 "the network has 25 nodes (k = 5, n = 2), but there are 27 clusters and memory sub-partitions: k to the power of n must be at least that number"},
	{SHIPPED "k=27 ejection_buffer_size=7", 15, 12, "ejection_buffer_size = 7 is smaller"},
	{SHIPPED "k=27 num_vcs=1 buf_size=0", 15, 12, "buf_size = 0 leaves no flit"},
	{SHIPPED "k=27 buffer_policy=shared private_buf_size=9", 15, 12,
	 "the private parts of a buffer are larger than the buffer of 8 flits"},
	{SHIPPED "k=27 buffer_policy=shared private_bufs=2 private_buf_size=1 private_buf_start_vc={1,2} "
		 "private_buf_end_vc={1,2}",
	 15, 12, "private_buf_start_vc and private_buf_end_vc must cover all 1"},
	{SHIPPED "k=27 st_final_delay=0", 15, 12, "st_prepare_delay and st_final_delay are both 0"},
	{SHIPPED "k=27 output_buffer_size=0", 15, 12, "output_buffer_size = 0: no flit could ever leave"},
	{SHIPPED "k=27 vc_allocator=piggyback", 15, 12, "vc_allocator = piggyback needs speculative = 1"},
	{SHIPPED "k=27 noq=1", 15, 12, "noq = 1 needs routing_delay = 0, at least 27 virtual channels"},
	{SHIPPED "k=27 vc_allocator=wavefront(2)", 15, 12,
	 "vc_allocator = wavefront(2): expected islip or pim with 1 to 64 iterations"},
	{SHIPPED "k=27 vc_allocator=islip(0)", 15, 12, "vc_allocator = islip(0): expected"},
	{SHIPPED "k=27 sw_allocator=separable_input_first(fifo)", 15, 12, "unknown arbiter 'fifo'"},
	{SHIPPED "k=27 sw_allocator=separable_input_first(tree(4,matrix))", 15, 12,
	 "arbiter 'tree(4,matrix)': its groups must divide"},
	{SHIPPED "k=4096 n=1 num_vcs=64", 4000, 96, "no room for a network"},
};

static void refuses_what_cannot_be(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct net t;
		net_open(&t, refused[i].options, refused[i].clusters, refused[i].memories);
		if (t.icnt || strncmp(text_str(&t.why), refused[i].why, strlen(refused[i].why)))
			fail_msg("expected '%s'\n     got '%s'", refused[i].why,
				 t.icnt ? "a network" : text_str(&t.why));
		net_close(&t);
	}
}

/* The configurations that come with the program, for their machines. */
static void shipped_files(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		uint32_t clusters, memories;
	} files[] = {{"../../configs/fermi-gtx480/network.icnt", 15, 12},
		     {"../../configs/fermi-c2050/network.icnt", 14, 12},
		     {"../../configs/gt200-quadrofx5800/network.icnt", 10, 8},
		     {"../../configs/tiny/network.icnt", 1, 1},
		     {"../../configs/duo/network.icnt", 2, 2}};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct net t;
		uint64_t cycle;
		struct diag_list diags = {0};
		net_open(&t, "", 1, 1);
		assert_null(t.icnt);
		if (!icnt_config_load(t.cfg, NULL, files[i].file, &diags))
			fail_msg("%s: %s", files[i].file, diags.v[0].message);
		assert_int_equal(diags.n, 0);
		text_clear(&t.why);
		t.clusters = files[i].clusters;
		t.icnt = icnt_create(&t.memory, &t.q, t.cfg, files[i].clusters, files[i].memories, &t.why);
		assert_string_equal(text_str(&t.why), "");
		assert_non_null(t.icnt);
		assert_int_equal(icnt_node_count(t.icnt), files[i].clusters + files[i].memories);
		net_send(&t, 0, files[i].clusters, 1);
		net_await(&t, files[i].clusters, 100, &cycle);
		assert_int_equal(cycle, 7);
		diag_list_free(&diags);
		net_close(&t);
	}
}

static int begin(void **state)
{
	(void)state;
	int fd = mkstemp(path);
	if (fd >= 0)
		close(fd);
	return fd < 0;
}
static int finish(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_syntax),
		cmocka_unit_test(later_values_win),
		cmocka_unit_test(old_names),
		cmocka_unit_test(errors_have_a_place),
		cmocka_unit_test(goes_on_after_errors),
		cmocka_unit_test(warns_of_dead_options),
		cmocka_unit_test(no_file),
		cmocka_unit_test(refuses_what_cannot_be),
		cmocka_unit_test(shipped_files),
	};
	return cmocka_run_group_tests(tests, begin, finish);
}
