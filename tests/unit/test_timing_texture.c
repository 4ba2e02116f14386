/* The texture path of the whole machine: look-ups through the L1T, the network, past the ROP delay into the L2 and back. No instruction of
 * PTX makes them yet; tests/gpgpusim/textures has ldu in their places, of which `make_look_ups` makes what tex.1d.v4 is for the model:
 * four coordinates as sources, four destinations, the texture space. Expected: GPGPU-Sim 3.2.2's printout of the same kernels with tex. */
#include <stdio.h>

#include "gpu/performance.h"
#include "isa/opcodes.h"
#include "machine_laws.h"
#include "statistics_machine.h"

#define COORDINATES 4u
#define FIRST_COORDINATE 5u /* %r5 .. %r8 */

/* %rN has scoreboard number N + 1: it is declared first. */
static void make_look_up(struct timing_insn *t)
{
	const uint32_t first = t->out[0];
	*t = (struct timing_insn){.class = TIMING_LOAD, .space = TIMING_SPACE_TEXTURE, .data_bytes = 4, .vec = 4, .n_out = 4, .n_in = 4,
				  .src_mask = 0xf, .latency = 1, .initiation = 1};
	for (uint32_t k = 0; k < TIMING_OUT_MAX; k++)
		t->out_reg[k] = -1;
	t->src_reg[4] = t->src_reg[5] = -1;
	for (uint32_t k = 0; k < COORDINATES; k++) {
		t->out[k] = t->check[t->n_check++] = first + k;
		t->out_reg[k] = (int32_t)(first + k - 1);
		t->in[k] = t->check[t->n_check++] = FIRST_COORDINATE + k + 1;
		t->src_reg[k] = (int32_t)(FIRST_COORDINATE + k);
	}
	timing_insn_set_masks(t);
}

static void make_look_ups(struct gpu *g)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < g->program.n_insns; k++)
		if (g->program.insns[k].opcode == ISA_OP_LDU) {
			make_look_up(&g->perf->timing.program.insns[k]);
			n++;
		}
	assert_true(n);
}

static void begin_with(struct machine *m, const char *config, const char *const options[4])
{
	char path[256];
	struct diag_list diags = {0};
	struct text why = {0};
	*m = (struct machine){0};
	snprintf(path, sizeof path, "../../configs/%s/gpgpusim.config", config);
	m->f.config = config_create();
	assert_true(config_load_file(m->f.config, path, &diags));
	for (unsigned k = 0; k < 4 && options[k]; k++)
		assert_true(config_set_text(m->f.config, options[k], &diags));
	assert_true(config_set_text(m->f.config, "-gpgpu_kernel_registers k:16", &diags));
	assert_true(config_finish(m->f.config, &diags));
	assert_true(config_timing(m->f.config, &m->timing, &diags));
	diag_list_free(&diags);
	struct gpu *g = gpu_create_performance(m->f.config, &m->timing, NULL, &why);
	if (!g)
		fail_msg("%s", text_str(&why));
	m->f.d = debug_create(g, &(struct debug_host){.self = &m->f, .output = fixture_output});
}

/* Every expected line is one of the printout's. */
static void expect_lines(const char *name, const char *expected, const char *printout)
{
	for (const char *s = expected, *end; *s; s = end + 1) {
		char line[200];
		end = strchr(s, '\n');
		snprintf(line, sizeof line, "\n%.*s\n", (int)(end - s), s);
		if (!strstr(printout, line))
			fail_msg("%s: no line%sin\n%.700s", name, line, printout);
	}
}

static void run(const char *config, const char *file, const char *launch_text, const char *const options[4], const char *expected)
{
	struct machine m;
	struct text printout = {0};
	char path[64];
	begin_with(&m, config, options);
	snprintf(path, sizeof path, "../gpgpusim/textures/%s.ptx", file);
	load(&m, path);
	make_look_ups(debug_gpu(m.f.d));
	assert_string_equal(says(&m.f, debug_cmd_buffer, "p b32[262144] = iota"), "");
	launch(&m, launch_text);
	gpu_statistics_print(debug_gpu(m.f.d), &printout);
	expect_lines(launch_text, expected, text_str(&printout));
	text_free(&printout);
	machine_is_empty(debug_gpu(m.f.d));
	machine_counts_agree(debug_gpu(m.f.d));
	end(&m);
}

static void near_gtx480_1_32(void **state)
{
	(void)state;
	run("fermi-gtx480", "near", "k<<<1, 32>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 1454\n"
	    "gpu_sim_insn = 736\n"
	    "gpu_stall_dramfull = 0\n"
	    "gpu_stall_icnt2sh    = 0\n"
	    "\tL1I_total_cache_accesses = 14\n"
	    "\tL1I_total_cache_misses = 2\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 4\n"
	    "\tL1T_total_cache_misses = 2\n"
	    "\tL1T_total_cache_pending_hits = 2\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 2\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 2\n"
	    "gpgpu_n_tot_w_icount = 23\n"
	    "gpgpu_n_stall_shd_mem = 1\n"
	    "gpgpu_n_mem_read_global = 0\n"
	    "gpgpu_n_mem_texture = 2\n"
	    "gpgpu_n_tex_insn = 96\n"
	    "Stall:0\tW0_Idle:2301\tW0_Scoreboard:612\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:23\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 16 {8:2,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 272 {136:2,}\n"
	    "maxmrqlatency = 8 \n"
	    "maxmflatency = 275 \n"
	    "averagemflatency = 211 \n"
	    "max_icnt2mem_latency = 13 \n"
	    "max_icnt2sh_latency = 1453 \n"
	    "mrq_lat_table:6 \t0 \t0 \t1 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t0 \t0 \t0 \t2 \t2 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=1918 n_nop=1907 n_act=3 n_pre=2 n_req=3 n_rd=6 n_write=0 bw_util=0.006257\n"
	    "n_activity=144 dram_eff=0.08333\n"
	    "n_cmd=1918 n_nop=1918 n_act=0 n_pre=0 n_req=0 n_rd=0 n_write=0 bw_util=0\n"
	    "n_activity=0 dram_eff=nan\n"
	    "n_cmd=1918 n_nop=1913 n_act=1 n_pre=0 n_req=2 n_rd=4 n_write=0 bw_util=0.004171\n"
	    "n_activity=55 dram_eff=0.1455\n"
	    "n_cmd=1918 n_nop=1918 n_act=0 n_pre=0 n_req=0 n_rd=0 n_write=0 bw_util=0\n"
	    "n_activity=0 dram_eff=nan\n"
	    "n_cmd=1918 n_nop=1913 n_act=1 n_pre=0 n_req=2 n_rd=2 n_write=2 bw_util=0.004171\n"
	    "n_activity=28 dram_eff=0.2857\n"
	    "n_cmd=1918 n_nop=1918 n_act=0 n_pre=0 n_req=0 n_rd=0 n_write=0 bw_util=0\n"
	    "n_activity=0 dram_eff=nan\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 2\n"
	    "icnt_total_pkts_mem_to_simt=24\n"
	    "icnt_total_pkts_simt_to_mem=10\n"
	    "Packet latency average = 7.83333\n"
	    "Flit latency average = 6\n"
	    "Packet latency average = 7.83333 (1 samples)\n"
	    "Flit latency average = 6 (1 samples)\n");
}

static void near_gtx480_30_128(void **state)
{
	(void)state;
	run("fermi-gtx480", "near", "k<<<30, 128>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 1638\n"
	    "gpu_sim_insn = 88320\n"
	    "gpu_stall_dramfull = 270\n"
	    "gpu_stall_icnt2sh    = 259\n"
	    "\tL1I_total_cache_accesses = 1680\n"
	    "\tL1I_total_cache_misses = 240\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 480\n"
	    "\tL1T_total_cache_misses = 150\n"
	    "\tL1T_total_cache_pending_hits = 330\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 330\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 150\n"
	    "gpgpu_n_tot_w_icount = 2760\n"
	    "gpgpu_n_stall_shd_mem = 120\n"
	    "gpgpu_n_mem_read_global = 0\n"
	    "gpgpu_n_mem_texture = 150\n"
	    "gpgpu_n_tex_insn = 11520\n"
	    "Stall:475\tW0_Idle:28594\tW0_Scoreboard:14619\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:2760\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 1200 {8:150,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 20400 {136:150,}\n"
	    "maxmrqlatency = 151 \n"
	    "maxmflatency = 456 \n"
	    "averagemflatency = 196 \n"
	    "max_icnt2mem_latency = 39 \n"
	    "max_icnt2sh_latency = 1637 \n"
	    "mrq_lat_table:53 \t11 \t17 \t23 \t28 \t86 \t110 \t36 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t26 \t3 \t0 \t127 \t129 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=2161 n_nop=2026 n_act=7 n_pre=2 n_req=63 n_rd=86 n_write=40 bw_util=0.1166\n"
	    "n_activity=698 dram_eff=0.361\n"
	    "n_cmd=2161 n_nop=2038 n_act=4 n_pre=0 n_req=60 n_rd=79 n_write=40 bw_util=0.1101\n"
	    "n_activity=561 dram_eff=0.4242\n"
	    "n_cmd=2161 n_nop=2035 n_act=4 n_pre=0 n_req=61 n_rd=82 n_write=40 bw_util=0.1129\n"
	    "n_activity=590 dram_eff=0.4136\n"
	    "n_cmd=2161 n_nop=2037 n_act=4 n_pre=0 n_req=60 n_rd=80 n_write=40 bw_util=0.1111\n"
	    "n_activity=577 dram_eff=0.4159\n"
	    "n_cmd=2161 n_nop=2037 n_act=4 n_pre=0 n_req=60 n_rd=80 n_write=40 bw_util=0.1111\n"
	    "n_activity=565 dram_eff=0.4248\n"
	    "n_cmd=2161 n_nop=2037 n_act=4 n_pre=0 n_req=60 n_rd=80 n_write=40 bw_util=0.1111\n"
	    "n_activity=570 dram_eff=0.4211\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 29\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 121\n"
	    "icnt_total_pkts_mem_to_simt=1065\n"
	    "icnt_total_pkts_simt_to_mem=795\n"
	    "Packet latency average = 12.1222\n"
	    "Flit latency average = 9.53817\n"
	    "Packet latency average = 12.1222 (1 samples)\n"
	    "Flit latency average = 9.53817 (1 samples)\n");
}

static void far_gtx480_15_96(void **state)
{
	(void)state;
	run("fermi-gtx480", "far", "k<<<15, 96>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 2461\n"
	    "gpu_sim_insn = 30240\n"
	    "gpu_stall_dramfull = 7898\n"
	    "gpu_stall_icnt2sh    = 12261\n"
	    "\tL1I_total_cache_accesses = 585\n"
	    "\tL1I_total_cache_misses = 90\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 2880\n"
	    "\tL1T_total_cache_misses = 1440\n"
	    "\tL1T_total_cache_pending_hits = 1440\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 1440\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1440\n"
	    "gpgpu_n_tot_w_icount = 945\n"
	    "gpgpu_n_stall_shd_mem = 12492\n"
	    "gpgpu_n_mem_read_global = 45\n"
	    "gpgpu_n_mem_texture = 1440\n"
	    "gpgpu_n_tex_insn = 2880\n"
	    "Stall:3062\tW0_Idle:32266\tW0_Scoreboard:33999\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:945\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 11520 {8:1440,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 195840 {136:1440,}\n"
	    "maxmrqlatency = 208 \n"
	    "maxmflatency = 1155 \n"
	    "averagemflatency = 564 \n"
	    "max_icnt2mem_latency = 556 \n"
	    "max_icnt2sh_latency = 2460 \n"
	    "mrq_lat_table:364 \t57 \t90 \t178 \t250 \t273 \t219 \t57 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t0 \t0 \t0 \t135 \t455 \t935 \t20 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=3248 n_nop=2727 n_act=15 n_pre=4 n_req=251 n_rd=502 n_write=0 bw_util=0.3091\n"
	    "n_activity=1393 dram_eff=0.7207\n"
	    "n_cmd=3248 n_nop=2730 n_act=16 n_pre=6 n_req=248 n_rd=496 n_write=0 bw_util=0.3054\n"
	    "n_activity=1336 dram_eff=0.7425\n"
	    "n_cmd=3248 n_nop=2736 n_act=14 n_pre=4 n_req=247 n_rd=494 n_write=0 bw_util=0.3042\n"
	    "n_activity=1300 dram_eff=0.76\n"
	    "n_cmd=3248 n_nop=2738 n_act=14 n_pre=4 n_req=246 n_rd=492 n_write=0 bw_util=0.303\n"
	    "n_activity=1356 dram_eff=0.7257\n"
	    "n_cmd=3248 n_nop=2734 n_act=14 n_pre=4 n_req=248 n_rd=496 n_write=0 bw_util=0.3054\n"
	    "n_activity=1317 dram_eff=0.7532\n"
	    "n_cmd=3248 n_nop=2734 n_act=14 n_pre=4 n_req=248 n_rd=496 n_write=0 bw_util=0.3054\n"
	    "n_activity=1324 dram_eff=0.7492\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1440\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][RESERVATION_FAIL] = 2056\n"
	    "icnt_total_pkts_mem_to_simt=7665\n"
	    "icnt_total_pkts_simt_to_mem=1755\n"
	    "Packet latency average = 82.4502\n"
	    "Flit latency average = 26.5856\n"
	    "Packet latency average = 82.4502 (1 samples)\n"
	    "Flit latency average = 26.5856 (1 samples)\n");
}

static void mixed_gtx480_16_128(void **state)
{
	(void)state;
	run("fermi-gtx480", "mixed", "k<<<16, 128>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 2853\n"
	    "gpu_sim_insn = 150016\n"
	    "gpu_stall_dramfull = 2833\n"
	    "gpu_stall_icnt2sh    = 7430\n"
	    "\tL1I_total_cache_accesses = 2816\n"
	    "\tL1I_total_cache_misses = 128\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 3584\n"
	    "\tL1T_total_cache_misses = 544\n"
	    "\tL1T_total_cache_pending_hits = 3040\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 3040\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 544\n"
	    "gpgpu_n_tot_w_icount = 5056\n"
	    "gpgpu_n_stall_shd_mem = 5856\n"
	    "gpgpu_n_mem_read_global = 544\n"
	    "gpgpu_n_mem_texture = 544\n"
	    "gpgpu_n_tex_insn = 14848\n"
	    "Stall:2551\tW0_Idle:28755\tW0_Scoreboard:41668\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:384\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:4672\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 4352 {8:544,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 73984 {136:544,}\n"
	    "maxmrqlatency = 79 \n"
	    "maxmflatency = 734 \n"
	    "averagemflatency = 337 \n"
	    "max_icnt2mem_latency = 340 \n"
	    "max_icnt2sh_latency = 2852 \n"
	    "mrq_lat_table:101 \t43 \t20 \t69 \t84 \t66 \t4 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t61 \t6 \t39 \t327 \t457 \t277 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=3765 n_nop=3622 n_act=9 n_pre=4 n_req=65 n_rd=110 n_write=20 bw_util=0.06906\n"
	    "n_activity=807 dram_eff=0.3222\n"
	    "n_cmd=3765 n_nop=3633 n_act=6 n_pre=2 n_req=62 n_rd=104 n_write=20 bw_util=0.06587\n"
	    "n_activity=625 dram_eff=0.3968\n"
	    "n_cmd=3765 n_nop=3625 n_act=6 n_pre=2 n_req=66 n_rd=108 n_write=24 bw_util=0.07012\n"
	    "n_activity=644 dram_eff=0.4099\n"
	    "n_cmd=3765 n_nop=3625 n_act=6 n_pre=2 n_req=66 n_rd=108 n_write=24 bw_util=0.07012\n"
	    "n_activity=698 dram_eff=0.3782\n"
	    "n_cmd=3765 n_nop=3629 n_act=6 n_pre=2 n_req=64 n_rd=108 n_write=20 bw_util=0.06799\n"
	    "n_activity=585 dram_eff=0.4376\n"
	    "n_cmd=3765 n_nop=3629 n_act=6 n_pre=2 n_req=64 n_rd=108 n_write=20 bw_util=0.06799\n"
	    "n_activity=634 dram_eff=0.4038\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 183\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 233\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 128\n"
	    "icnt_total_pkts_mem_to_simt=5699\n"
	    "icnt_total_pkts_simt_to_mem=1453\n"
	    "Packet latency average = 31.6182\n"
	    "Flit latency average = 15.8164\n"
	    "Packet latency average = 31.6182 (1 samples)\n"
	    "Flit latency average = 15.8164 (1 samples)\n");
}

static void mixed_gtx480_16_128__cache_dl2_texture_only_1(void **state)
{
	(void)state;
	run("fermi-gtx480", "mixed", "k<<<16, 128>>>(p)", (const char *const[4]){"-gpgpu_cache:dl2_texture_only 1"},
	    "gpu_sim_cycle = 3253\n"
	    "gpu_sim_insn = 150016\n"
	    "gpu_stall_dramfull = 2029\n"
	    "gpu_stall_icnt2sh    = 7261\n"
	    "\tL1I_total_cache_accesses = 2816\n"
	    "\tL1I_total_cache_misses = 128\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 3584\n"
	    "\tL1T_total_cache_misses = 544\n"
	    "\tL1T_total_cache_pending_hits = 3040\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 3040\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 544\n"
	    "gpgpu_n_tot_w_icount = 5056\n"
	    "gpgpu_n_stall_shd_mem = 6029\n"
	    "gpgpu_n_mem_read_global = 544\n"
	    "gpgpu_n_mem_texture = 544\n"
	    "gpgpu_n_tex_insn = 14848\n"
	    "Stall:2712\tW0_Idle:33374\tW0_Scoreboard:46712\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:384\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:4672\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 4352 {8:544,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 73984 {136:544,}\n"
	    "maxmrqlatency = 200 \n"
	    "maxmflatency = 802 \n"
	    "averagemflatency = 378 \n"
	    "max_icnt2mem_latency = 338 \n"
	    "max_icnt2sh_latency = 3252 \n"
	    "mrq_lat_table:219 \t63 \t54 \t107 \t127 \t101 \t82 \t28 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t68 \t13 \t23 \t223 \t494 \t346 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=4293 n_nop=3945 n_act=9 n_pre=4 n_req=175 n_rd=315 n_write=20 bw_util=0.1561\n"
	    "n_activity=1391 dram_eff=0.4817\n"
	    "n_cmd=4293 n_nop=4049 n_act=6 n_pre=2 n_req=118 n_rd=216 n_write=20 bw_util=0.1099\n"
	    "n_activity=928 dram_eff=0.5086\n"
	    "n_cmd=4293 n_nop=4041 n_act=6 n_pre=2 n_req=122 n_rd=220 n_write=24 bw_util=0.1137\n"
	    "n_activity=1035 dram_eff=0.4715\n"
	    "n_cmd=4293 n_nop=4061 n_act=6 n_pre=2 n_req=112 n_rd=200 n_write=24 bw_util=0.1044\n"
	    "n_activity=908 dram_eff=0.4934\n"
	    "n_cmd=4293 n_nop=4021 n_act=6 n_pre=2 n_req=132 n_rd=244 n_write=20 bw_util=0.123\n"
	    "n_activity=1008 dram_eff=0.5238\n"
	    "n_cmd=4293 n_nop=4041 n_act=6 n_pre=2 n_req=122 n_rd=224 n_write=20 bw_util=0.1137\n"
	    "n_activity=978 dram_eff=0.499\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 199\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 217\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 128\n"
	    "icnt_total_pkts_mem_to_simt=5699\n"
	    "icnt_total_pkts_simt_to_mem=1453\n"
	    "Packet latency average = 32.8713\n"
	    "Flit latency average = 15.8173\n"
	    "Packet latency average = 32.8713 (1 samples)\n"
	    "Flit latency average = 15.8173 (1 samples)\n");
}

static void far_gtx480_4_256__tex_cache_l1(void **state)
{
	(void)state;
	run("fermi-gtx480", "far", "k<<<4, 256>>>(p)", (const char *const[4]){"-gpgpu_tex_cache:l1 4:64:2,L:R:m:N,F:16:4,16:2"},
	    "gpu_sim_cycle = 4953\n"
	    "gpu_sim_insn = 21504\n"
	    "gpu_stall_dramfull = 0\n"
	    "gpu_stall_icnt2sh    = 527\n"
	    "\tL1I_total_cache_accesses = 392\n"
	    "\tL1I_total_cache_misses = 40\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 2048\n"
	    "\tL1T_total_cache_misses = 2048\n"
	    "\tL1T_total_cache_pending_hits = 0\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 2048\n"
	    "gpgpu_n_tot_w_icount = 672\n"
	    "gpgpu_n_stall_shd_mem = 15001\n"
	    "gpgpu_n_mem_read_global = 32\n"
	    "gpgpu_n_mem_texture = 2048\n"
	    "gpgpu_n_tex_insn = 2048\n"
	    "Stall:23631\tW0_Idle:8631\tW0_Scoreboard:5754\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:672\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 16384 {8:2048,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 147456 {72:2048,}\n"
	    "maxmrqlatency = 21 \n"
	    "maxmflatency = 385 \n"
	    "averagemflatency = 106 \n"
	    "max_icnt2mem_latency = 67 \n"
	    "max_icnt2sh_latency = 4952 \n"
	    "mrq_lat_table:808 \t171 \t16 \t32 \t32 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t275 \t546 \t203 \t1056 \t36 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=6537 n_nop=6148 n_act=20 n_pre=11 n_req=179 n_rd=358 n_write=0 bw_util=0.1095\n"
	    "n_activity=2087 dram_eff=0.3431\n"
	    "n_cmd=6537 n_nop=6161 n_act=16 n_pre=8 n_req=176 n_rd=352 n_write=0 bw_util=0.1077\n"
	    "n_activity=1901 dram_eff=0.3703\n"
	    "n_cmd=6537 n_nop=6163 n_act=15 n_pre=7 n_req=176 n_rd=352 n_write=0 bw_util=0.1077\n"
	    "n_activity=1903 dram_eff=0.3699\n"
	    "n_cmd=6537 n_nop=6161 n_act=16 n_pre=8 n_req=176 n_rd=352 n_write=0 bw_util=0.1077\n"
	    "n_activity=1916 dram_eff=0.3674\n"
	    "n_cmd=6537 n_nop=6163 n_act=15 n_pre=7 n_req=176 n_rd=352 n_write=0 bw_util=0.1077\n"
	    "n_activity=1913 dram_eff=0.368\n"
	    "n_cmd=6537 n_nop=6159 n_act=17 n_pre=9 n_req=176 n_rd=352 n_write=0 bw_util=0.1077\n"
	    "n_activity=1913 dram_eff=0.368\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 1024\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1024\n"
	    "icnt_total_pkts_mem_to_simt=6388\n"
	    "icnt_total_pkts_simt_to_mem=2252\n"
	    "Packet latency average = 18.2681\n"
	    "Flit latency average = 18.0181\n"
	    "Packet latency average = 18.2681 (1 samples)\n"
	    "Flit latency average = 18.0181 (1 samples)\n");
}

static void far_gtx480_4_256__scheduler_two_level_active(void **state)
{
	(void)state;
	run("fermi-gtx480", "far", "k<<<4, 256>>>(p)", (const char *const[4]){"-gpgpu_scheduler two_level_active:3:0:1"},
	    "gpu_sim_cycle = 3251\n"
	    "gpu_sim_insn = 21504\n"
	    "gpu_stall_dramfull = 2658\n"
	    "gpu_stall_icnt2sh    = 20789\n"
	    "\tL1I_total_cache_accesses = 405\n"
	    "\tL1I_total_cache_misses = 53\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 2048\n"
	    "\tL1T_total_cache_misses = 1024\n"
	    "\tL1T_total_cache_pending_hits = 1024\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 1024\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1024\n"
	    "gpgpu_n_tot_w_icount = 672\n"
	    "gpgpu_n_stall_shd_mem = 8070\n"
	    "gpgpu_n_mem_read_global = 32\n"
	    "gpgpu_n_mem_texture = 1024\n"
	    "gpgpu_n_tex_insn = 2048\n"
	    "Stall:10550\tW0_Idle:11142\tW0_Scoreboard:2976\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:672\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 8192 {8:1024,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 139264 {136:1024,}\n"
	    "maxmrqlatency = 50 \n"
	    "maxmflatency = 838 \n"
	    "averagemflatency = 431 \n"
	    "max_icnt2mem_latency = 262 \n"
	    "max_icnt2sh_latency = 3250 \n"
	    "mrq_lat_table:472 \t179 \t102 \t146 \t122 \t38 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t0 \t0 \t0 \t210 \t524 \t358 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=4290 n_nop=3915 n_act=13 n_pre=4 n_req=179 n_rd=358 n_write=0 bw_util=0.1669\n"
	    "n_activity=1262 dram_eff=0.5674\n"
	    "n_cmd=4290 n_nop=3926 n_act=10 n_pre=2 n_req=176 n_rd=352 n_write=0 bw_util=0.1641\n"
	    "n_activity=1214 dram_eff=0.5799\n"
	    "n_cmd=4290 n_nop=3926 n_act=10 n_pre=2 n_req=176 n_rd=352 n_write=0 bw_util=0.1641\n"
	    "n_activity=1158 dram_eff=0.6079\n"
	    "n_cmd=4290 n_nop=3926 n_act=10 n_pre=2 n_req=176 n_rd=352 n_write=0 bw_util=0.1641\n"
	    "n_activity=1169 dram_eff=0.6022\n"
	    "n_cmd=4290 n_nop=3926 n_act=10 n_pre=2 n_req=176 n_rd=352 n_write=0 bw_util=0.1641\n"
	    "n_activity=1303 dram_eff=0.5403\n"
	    "n_cmd=4290 n_nop=3926 n_act=10 n_pre=2 n_req=176 n_rd=352 n_write=0 bw_util=0.1641\n"
	    "n_activity=1221 dram_eff=0.5766\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1024\n"
	    "icnt_total_pkts_mem_to_simt=5364\n"
	    "icnt_total_pkts_simt_to_mem=1228\n"
	    "Packet latency average = 41.285\n"
	    "Flit latency average = 31.8844\n"
	    "Packet latency average = 41.285 (1 samples)\n"
	    "Flit latency average = 31.8844 (1 samples)\n");
}

static void near_quadrofx5800_30_128(void **state)
{
	(void)state;
	run("gt200-quadrofx5800", "near", "k<<<30, 128>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 790\n"
	    "gpu_sim_insn = 88320\n"
	    "gpu_stall_dramfull = 0\n"
	    "gpu_stall_icnt2sh    = 18\n"
	    "\tL1I_total_cache_accesses = 1560\n"
	    "\tL1I_total_cache_misses = 120\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 480\n"
	    "\tL1T_total_cache_misses = 150\n"
	    "\tL1T_total_cache_pending_hits = 330\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 330\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 150\n"
	    "gpgpu_n_tot_w_icount = 2760\n"
	    "gpgpu_n_stall_shd_mem = 299\n"
	    "gpgpu_n_mem_read_global = 0\n"
	    "gpgpu_n_mem_texture = 150\n"
	    "gpgpu_n_tex_insn = 11520\n"
	    "Stall:0\tW0_Idle:12884\tW0_Scoreboard:7447\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:2760\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 1200 {8:150,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 20400 {136:150,}\n"
	    "maxmrqlatency = 104 \n"
	    "maxmflatency = 192 \n"
	    "averagemflatency = 81 \n"
	    "max_icnt2mem_latency = 31 \n"
	    "max_icnt2sh_latency = 789 \n"
	    "mrq_lat_table:279 \t22 \t20 \t3 \t6 \t13 \t18 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t15 \t14 \t119 \t2 \t270 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=1943 n_nop=1510 n_act=3 n_pre=2 n_req=100 n_rd=364 n_write=64 bw_util=0.4406\n"
	    "n_activity=1115 dram_eff=0.7677\n"
	    "n_cmd=1943 n_nop=1812 n_act=2 n_pre=1 n_req=40 n_rd=64 n_write=64 bw_util=0.1318\n"
	    "n_activity=461 dram_eff=0.5553\n"
	    "n_cmd=1943 n_nop=1812 n_act=2 n_pre=1 n_req=40 n_rd=64 n_write=64 bw_util=0.1318\n"
	    "n_activity=410 dram_eff=0.6244\n"
	    "n_cmd=1943 n_nop=1812 n_act=2 n_pre=1 n_req=40 n_rd=64 n_write=64 bw_util=0.1318\n"
	    "n_activity=443 dram_eff=0.5779\n"
	    "n_cmd=1943 n_nop=1820 n_act=2 n_pre=1 n_req=36 n_rd=64 n_write=56 bw_util=0.1235\n"
	    "n_activity=393 dram_eff=0.6107\n"
	    "n_cmd=1943 n_nop=1828 n_act=2 n_pre=1 n_req=35 n_rd=56 n_write=56 bw_util=0.1153\n"
	    "n_activity=410 dram_eff=0.5463\n"
	    "n_cmd=1943 n_nop=1828 n_act=2 n_pre=1 n_req=35 n_rd=56 n_write=56 bw_util=0.1153\n"
	    "n_activity=343 dram_eff=0.6531\n"
	    "n_cmd=1943 n_nop=1828 n_act=2 n_pre=1 n_req=35 n_rd=56 n_write=56 bw_util=0.1153\n"
	    "n_activity=383 dram_eff=0.5849\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 29\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 60\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 61\n"
	    "icnt_total_pkts_mem_to_simt=1350\n"
	    "icnt_total_pkts_simt_to_mem=930\n"
	    "Packet latency average = 12.0578\n"
	    "Flit latency average = 8.79912\n"
	    "Packet latency average = 12.0578 (1 samples)\n"
	    "Flit latency average = 8.79912 (1 samples)\n");
}

static void far_quadrofx5800_15_96(void **state)
{
	(void)state;
	run("gt200-quadrofx5800", "far", "k<<<15, 96>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 1803\n"
	    "gpu_sim_insn = 30240\n"
	    "gpu_stall_dramfull = 9612\n"
	    "gpu_stall_icnt2sh    = 14816\n"
	    "\tL1I_total_cache_accesses = 540\n"
	    "\tL1I_total_cache_misses = 45\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 2880\n"
	    "\tL1T_total_cache_misses = 1440\n"
	    "\tL1T_total_cache_pending_hits = 1440\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 1440\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 1440\n"
	    "gpgpu_n_tot_w_icount = 945\n"
	    "gpgpu_n_stall_shd_mem = 22805\n"
	    "gpgpu_n_mem_read_global = 90\n"
	    "gpgpu_n_mem_texture = 1440\n"
	    "gpgpu_n_tex_insn = 2880\n"
	    "Stall:4833\tW0_Idle:31068\tW0_Scoreboard:13383\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:0\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:945\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 11520 {8:1440,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 195840 {136:1440,}\n"
	    "maxmrqlatency = 164 \n"
	    "maxmflatency = 796 \n"
	    "averagemflatency = 338 \n"
	    "max_icnt2mem_latency = 540 \n"
	    "max_icnt2sh_latency = 1802 \n"
	    "mrq_lat_table:481 \t14 \t26 \t80 \t96 \t151 \t78 \t4 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t0 \t7 \t73 \t468 \t914 \t173 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=4436 n_nop=3470 n_act=28 n_pre=20 n_req=144 n_rd=894 n_write=24 bw_util=0.4139\n"
	    "n_activity=2138 dram_eff=0.8587\n"
	    "n_cmd=4436 n_nop=3630 n_act=23 n_pre=15 n_req=114 n_rd=744 n_write=24 bw_util=0.3463\n"
	    "n_activity=1687 dram_eff=0.9105\n"
	    "n_cmd=4436 n_nop=3630 n_act=23 n_pre=15 n_req=114 n_rd=744 n_write=24 bw_util=0.3463\n"
	    "n_activity=1676 dram_eff=0.9165\n"
	    "n_cmd=4436 n_nop=3634 n_act=21 n_pre=13 n_req=114 n_rd=744 n_write=24 bw_util=0.3463\n"
	    "n_activity=1705 dram_eff=0.9009\n"
	    "n_cmd=4436 n_nop=3628 n_act=24 n_pre=16 n_req=114 n_rd=744 n_write=24 bw_util=0.3463\n"
	    "n_activity=1745 dram_eff=0.8802\n"
	    "n_cmd=4436 n_nop=3632 n_act=22 n_pre=14 n_req=114 n_rd=744 n_write=24 bw_util=0.3463\n"
	    "n_activity=1718 dram_eff=0.8941\n"
	    "n_cmd=4436 n_nop=3634 n_act=25 n_pre=17 n_req=110 n_rd=740 n_write=20 bw_util=0.3427\n"
	    "n_activity=1733 dram_eff=0.8771\n"
	    "n_cmd=4436 n_nop=3640 n_act=26 n_pre=18 n_req=106 n_rd=736 n_write=16 bw_util=0.339\n"
	    "n_activity=1678 dram_eff=0.8963\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 34\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 686\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 720\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][RESERVATION_FAIL] = 1595\n"
	    "icnt_total_pkts_mem_to_simt=7740\n"
	    "icnt_total_pkts_simt_to_mem=1830\n"
	    "Packet latency average = 101.375\n"
	    "Flit latency average = 31.7866\n"
	    "Packet latency average = 101.375 (1 samples)\n"
	    "Flit latency average = 31.7866 (1 samples)\n");
}

static void mixed_quadrofx5800_16_128(void **state)
{
	(void)state;
	run("gt200-quadrofx5800", "mixed", "k<<<16, 128>>>(p)", (const char *const[4]){NULL},
	    "gpu_sim_cycle = 2117\n"
	    "gpu_sim_insn = 150016\n"
	    "gpu_stall_dramfull = 5678\n"
	    "gpu_stall_icnt2sh    = 19737\n"
	    "\tL1I_total_cache_accesses = 2752\n"
	    "\tL1I_total_cache_misses = 64\n"
	    "\tL1I_total_cache_pending_hits = 0\n"
	    "\tL1I_total_cache_reservation_fails = 0\n"
	    "\tL1T_total_cache_accesses = 3584\n"
	    "\tL1T_total_cache_misses = 544\n"
	    "\tL1T_total_cache_pending_hits = 3040\n"
	    "\tL1T_total_cache_reservation_fails = 0\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 3040\n"
	    "\tTotal_core_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 544\n"
	    "gpgpu_n_tot_w_icount = 5056\n"
	    "gpgpu_n_stall_shd_mem = 7306\n"
	    "gpgpu_n_mem_read_global = 2048\n"
	    "gpgpu_n_mem_texture = 544\n"
	    "gpgpu_n_tex_insn = 14848\n"
	    "Stall:795\tW0_Idle:34397\tW0_Scoreboard:21760\tW1:0\tW2:0\tW3:0\tW4:0\tW5:0\tW6:0\tW7:0\tW8:0\tW9:0\tW10:0\tW11:0\tW12:0\tW13:0\tW14:0\tW15:0\tW16:0\tW17:0\tW18:0\tW19:0\tW20:0\tW21:0\tW22:0\tW23:0\tW24:384\tW25:0\tW26:0\tW27:0\tW28:0\tW29:0\tW30:0\tW31:0\tW32:4672\n"
	    "traffic_breakdown_coretomem[TEXTURE_ACC_R] = 4352 {8:544,}\n"
	    "traffic_breakdown_memtocore[TEXTURE_ACC_R] = 73984 {136:544,}\n"
	    "maxmrqlatency = 86 \n"
	    "maxmflatency = 456 \n"
	    "averagemflatency = 225 \n"
	    "max_icnt2mem_latency = 273 \n"
	    "max_icnt2sh_latency = 2116 \n"
	    "mrq_lat_table:497 \t289 \t281 \t314 \t425 \t462 \t4 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "mf_lat_table:0 \t0 \t0 \t0 \t11 \t52 \t179 \t1609 \t885 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t0 \t\n"
	    "n_cmd=5209 n_nop=4046 n_act=6 n_pre=5 n_req=312 n_rd=1120 n_write=32 bw_util=0.4423\n"
	    "n_activity=2701 dram_eff=0.853\n"
	    "n_cmd=5209 n_nop=4208 n_act=5 n_pre=4 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2415 dram_eff=0.8215\n"
	    "n_cmd=5209 n_nop=4204 n_act=7 n_pre=6 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2229 dram_eff=0.8901\n"
	    "n_cmd=5209 n_nop=4208 n_act=5 n_pre=4 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2393 dram_eff=0.8291\n"
	    "n_cmd=5209 n_nop=4204 n_act=7 n_pre=6 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2394 dram_eff=0.8287\n"
	    "n_cmd=5209 n_nop=4212 n_act=3 n_pre=2 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2217 dram_eff=0.8949\n"
	    "n_cmd=5209 n_nop=4208 n_act=5 n_pre=4 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2278 dram_eff=0.8709\n"
	    "n_cmd=5209 n_nop=4208 n_act=5 n_pre=4 n_req=280 n_rd=960 n_write=32 bw_util=0.3809\n"
	    "n_activity=2378 dram_eff=0.8343\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT] = 361\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][HIT_RESERVED] = 119\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][MISS] = 64\n"
	    "\tL2_cache_stats_breakdown[TEXTURE_ACC_R][RESERVATION_FAIL] = 162\n"
	    "icnt_total_pkts_mem_to_simt=12256\n"
	    "icnt_total_pkts_simt_to_mem=3008\n"
	    "Packet latency average = 34.6283\n"
	    "Flit latency average = 18.0174\n"
	    "Packet latency average = 34.6283 (1 samples)\n"
	    "Flit latency average = 18.0174 (1 samples)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_gtx480_1_32),
		cmocka_unit_test(near_gtx480_30_128),
		cmocka_unit_test(far_gtx480_15_96),
		cmocka_unit_test(mixed_gtx480_16_128),
		cmocka_unit_test(mixed_gtx480_16_128__cache_dl2_texture_only_1),
		cmocka_unit_test(far_gtx480_4_256__tex_cache_l1),
		cmocka_unit_test(far_gtx480_4_256__scheduler_two_level_active),
		cmocka_unit_test(near_quadrofx5800_30_128),
		cmocka_unit_test(far_quadrofx5800_15_96),
		cmocka_unit_test(mixed_quadrofx5800_16_128),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
