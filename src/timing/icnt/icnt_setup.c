/* From the configuration's text to the numbers the network works with, and the combinations that cannot be. */
#include <stdlib.h>
#include <string.h>

#include "timing/icnt/icnt_internal.h"

#define NODES_MAX 16384u
#define INPUT_QUEUE_DEFAULT 9u

static uint32_t number(const struct icnt_config *c, enum icnt_option_row row)
{
	return (uint32_t)icnt_config_int(c, row);
}
static bool flag(const struct icnt_config *c, enum icnt_option_row row) { return icnt_config_int(c, row) != 0; }

/* Index of `text` in the blank-separated words of the option, which are in the order of the enumeration. */
static int word(const struct icnt_config *c, enum icnt_option_row row)
{
	const char *text = icnt_config_text(c, row), *w = icnt_options[row].words;
	size_t n = strcspn(text, "(");
	for (int i = 0; *w; i++) {
		size_t k = strcspn(w, " |");
		if (k == n && !memcmp(w, text, n))
			return i;
		w += k + (w[k] != 0);
	}
	return 0;
}

/* ---- topology ---- */
static bool power(uint32_t k, uint32_t n, uint32_t *out)
{
	uint64_t p = 1;
	for (uint32_t i = 0; i < n; i++) {
		p *= k;
		if (p > NODES_MAX)
			return false;
	}
	*out = (uint32_t)p;
	return true;
}

static bool map_exists(uint32_t nodes) { return nodes == 16 || nodes == 36 || nodes == 64 || nodes == 121; }

static bool topology(struct icnt_setup *s, const struct icnt_config *c, uint32_t devices, struct text *why)
{
	s->topology = (enum icnt_topology)word(c, ICNT_OPT_topology);
	s->k = number(c, ICNT_OPT_k);
	s->n = number(c, ICNT_OPT_n);
	s->use_map = flag(c, ICNT_OPT_use_map);
	if (!power(s->k, s->n, &s->nodes)) {
		text_addf(why, "a network of k = %u, n = %u has more than %u nodes", s->k, s->n, NODES_MAX);
		return false;
	}
	/* spare nodes only pass on what others send; a crossbar has no use for them, so its k is likely to be a mistake */
	if (s->nodes < devices || (s->nodes > devices && s->topology == ICNT_FLY && s->n == 1)) {
		text_addf(why,
			  "the network has %u nodes (k = %u, n = %u), but there are %u clusters and memory "
			  "sub-partitions: %s",
			  s->nodes, s->k, s->n, devices,
			  s->n == 1 ? "k must be that number" : "k to the power of n must be at least that number");
		return false;
	}
	if (s->use_map && !map_exists(s->nodes) && !*icnt_config_text(c, ICNT_OPT_memory_node_map)) {
		text_addf(why,
			  "use_map = 1: there is no node map for %u nodes, only for 16, 36, 64 and 121; set memory_node_map, or use_map = 0",
			  s->nodes);
		return false;
	}
	s->routers = s->topology == ICNT_FLY ? s->n * (s->nodes / s->k) : s->nodes;
	s->ports = s->topology == ICNT_FLY ? s->k : 2 * s->n + 1;
	s->link_latency = s->topology == ICNT_TORUS && flag(c, ICNT_OPT_use_noc_latency) ? 2 : 1;
	return true;
}

/* ---- virtual channels and routing ---- */
static bool classes(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	static const struct {
		const char *name;
		enum icnt_option_row begin, end;
		bool upper;
	} class[ICNT_TYPES] = {
		[ICNT_READ_REQUEST] = {"read_request", ICNT_OPT_read_request_begin_vc, ICNT_OPT_read_request_end_vc,
				       false},
		[ICNT_WRITE_REQUEST] = {"write_request", ICNT_OPT_write_request_begin_vc, ICNT_OPT_write_request_end_vc,
					false},
		[ICNT_READ_REPLY] = {"read_reply", ICNT_OPT_read_reply_begin_vc, ICNT_OPT_read_reply_end_vc, true},
		[ICNT_WRITE_REPLY] = {"write_reply", ICNT_OPT_write_reply_begin_vc, ICNT_OPT_write_reply_end_vc, true},
	};
	for (int t = 0; t < ICNT_TYPES; t++) {
		int64_t begin = icnt_config_int(c, class[t].begin), end = icnt_config_int(c, class[t].end);
		int64_t first = class[t].upper ? s->vcs / 2 : 0, last = class[t].upper ? s->vcs - 1 : s->vcs / 2 - 1;
		begin = begin < 0 ? first : begin;
		end = end < 0 ? last : end;
		if (begin > end || end >= s->vcs) {
			text_addf(why, "%s_begin_vc = %lld, %s_end_vc = %lld do not fit into num_vcs = %u",
				  class[t].name, (long long)begin, class[t].name, (long long)end, s->vcs);
			return false;
		}
		uint32_t shares = s->split == 2 ? s->k : s->split ? s->nodes : 1;
		if (end - begin + 1 < (int64_t)s->least_vcs * shares) {
			text_addf(why,
				  "routing_function = %s needs at least %llu virtual channels for %s packets, "
				  "%s_begin_vc to %s_end_vc are %lld",
				  icnt_config_text(c, ICNT_OPT_routing_function),
				  (unsigned long long)s->least_vcs * shares, class[t].name, class[t].name,
				  class[t].name, (long long)(end - begin + 1));
			return false;
		}
		s->begin_vc[t] = (uint16_t)begin;
		s->end_vc[t] = (uint16_t)end;
	}
	return true;
}

static bool routing(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	const char *name = icnt_config_text(c, ICNT_OPT_routing_function),
		   *topology_name = icnt_config_text(c, ICNT_OPT_topology);
	s->route = icnt_route_find(s->topology, name, &s->least_vcs, &s->split);
	if (!s->route) {
		text_addf(why, "routing_function = %s does not exist for topology = %s, expected %s", name,
			  topology_name,
			  s->topology == ICNT_FLY ? "dest_tag"
			  : s->topology == ICNT_MESH
				  ? "dim_order, xy_yx, adaptive_xy_yx, dim_order_ni, dim_order_pni, romm, romm_ni, "
				    "min_adapt, planar_adapt or valiant"
				  : "dim_order, dim_order_bal, dim_order_ni, min_adapt, valiant or valiant_ni");
		return false;
	}
	return classes(s, c, why);
}

/* ---- buffers ---- */
static bool parts(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	int64_t n = icnt_config_int(c, ICNT_OPT_private_bufs), list[ICNT_VCS_MAX], begin[ICNT_VCS_MAX],
		end[ICNT_VCS_MAX];
	unsigned n_size = icnt_config_list(c, ICNT_OPT_private_buf_size, list, ICNT_VCS_MAX);
	unsigned n_begin = icnt_config_list(c, ICNT_OPT_private_buf_start_vc, begin, ICNT_VCS_MAX);
	unsigned n_end = icnt_config_list(c, ICNT_OPT_private_buf_end_vc, end, ICNT_VCS_MAX);
	bool even = n_begin == 1 && begin[0] < 0 && n_end == 1 && end[0] < 0;
	s->n_parts = n < 0 ? s->vcs : n == 0 ? 1 : (uint32_t)n;
	int64_t shared = s->buffer;
	uint64_t covered = 0;
	for (uint32_t i = 0; i < s->n_parts; i++) {
		int64_t size = list[i < n_size ? i : n_size - 1];
		s->part_size[i] = size < 0 ? s->buffer / s->n_parts : (uint32_t)size;
		shared -= s->part_size[i];
		int64_t from = even ? i * s->vcs / s->n_parts : i < n_begin ? begin[i] : -1;
		int64_t to = even ? (int64_t)(i + 1) * s->vcs / s->n_parts - 1 : i < n_end ? end[i] : -1;
		for (int64_t v = from; from >= 0 && v <= to && v < s->vcs; v++) {
			s->part_of[v] = (uint8_t)i;
			covered += !(covered >> v & 1) ? UINT64_C(1) << v : 0;
		}
	}
	if (shared < 0 || (uint32_t)__builtin_popcountll(covered) != s->vcs) {
		text_addf(why,
			  shared < 0 ? "the private parts of a buffer are larger than the buffer of %u flits"
				     : "private_buf_start_vc and private_buf_end_vc must cover all %u virtual channels",
			  shared < 0 ? s->buffer : s->vcs);
		return false;
	}
	s->shared_size = (uint32_t)shared;
	return true;
}

static bool buffers(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	int64_t all = icnt_config_int(c, ICNT_OPT_buf_size), held = icnt_config_int(c, ICNT_OPT_max_held_slots);
	uint32_t ejection = number(c, ICNT_OPT_ejection_buffer_size), input = number(c, ICNT_OPT_input_buffer_size);
	s->policy = (enum icnt_policy)word(c, ICNT_OPT_buffer_policy);
	s->vc_buffer = all > 0 ? (uint32_t)all / s->vcs : number(c, ICNT_OPT_vc_buf_size);
	s->buffer = all > 0 ? (uint32_t)all : s->vcs * number(c, ICNT_OPT_vc_buf_size);
	s->held_most = held < 0 ? s->buffer : (uint32_t)held;
	s->aging = number(c, ICNT_OPT_feedback_aging_scale);
	s->feedback_offset = (int32_t)icnt_config_int(c, ICNT_OPT_feedback_offset);
	s->input_buffer = input ? input : INPUT_QUEUE_DEFAULT;
	s->boundary_buffer = number(c, ICNT_OPT_boundary_buffer_size);
	if (!s->vc_buffer || !s->held_most || !all) {
		text_addf(why, "buf_size = %lld leaves no flit for each of %u virtual channels", (long long)all,
			  s->vcs);
		return false;
	}
	uint32_t most = s->policy == ICNT_PRIVATE ? s->vc_buffer : s->buffer;
	if (ejection && ejection < most) {
		text_addf(why, "ejection_buffer_size = %u is smaller than what a virtual channel can send, %u flits",
			  ejection, most);
		return false;
	}
	s->ejection_buffer = ejection ? ejection : most;
	return s->policy == ICNT_PRIVATE || parts(s, c, why);
}

/* ---- allocators: name, name(iterations) or name(arbiter) ---- */
static bool arbiter(struct icnt_allocator_setup *a, const char *text, size_t n, uint32_t in, uint32_t out,
		    struct text *why)
{
	char name[64] = {0};
	int shown = (int)(n < sizeof name ? n : sizeof name - 1);
	memcpy(name, text, (size_t)shown);
	char *leaf = name;
	if (!strncmp(name, "tree(", 5)) {
		a->groups = (uint32_t)strtoul(name + 5, &leaf, 10);
		if (*leaf == ',')
			leaf++;
		leaf[strcspn(leaf, ")")] = 0;
	}
	a->matrix = !strcmp(leaf, "matrix");
	if (!a->matrix && strcmp(leaf, "round_robin")) {
		text_addf(why,
			  "unknown arbiter '%.*s', expected round_robin, matrix or tree(GROUPS,round_robin or matrix)",
			  shown, text);
		return false;
	}
	if (!a->groups || in % a->groups || out % a->groups) {
		text_addf(why, "arbiter '%.*s': its groups must divide %u inputs and %u outputs", shown, text, in, out);
		return false;
	}
	return true;
}

static bool allocator(struct icnt_allocator_setup *a, const struct icnt_config *c, enum icnt_option_row row,
		      uint32_t in, uint32_t out, struct text *why)
{
	static const char *const names[] = {[ICNT_ISLIP] = "islip",
					    [ICNT_PIM] = "pim",
					    [ICNT_LOA] = "loa",
					    [ICNT_WAVEFRONT] = "wavefront",
					    [ICNT_RR_WAVEFRONT] = "rr_wavefront",
					    [ICNT_MAX_SIZE] = "max_size",
					    [ICNT_SELECT] = "select",
					    [ICNT_INPUT_FIRST] = "separable_input_first",
					    [ICNT_OUTPUT_FIRST] = "separable_output_first",
					    [ICNT_PIGGYBACK] = "piggyback",
					    [ICNT_PRIO] = "prio"};
	const char *text = icnt_config_text(c, row), *open = strchr(text, '('), *close = strrchr(text, ')');
	size_t n = open ? (size_t)(open - text) : strlen(text);
	*a = (struct icnt_allocator_setup){.iterations = 1, .groups = 1};
	while (strlen(names[a->kind]) != n || memcmp(names[a->kind], text, n))
		a->kind++;
	if (!open)
		return true;
	if (a->kind == ICNT_INPUT_FIRST || a->kind == ICNT_OUTPUT_FIRST)
		return arbiter(a, open + 1, close > open ? (size_t)(close - open) - 1 : strlen(open + 1), in, out, why);
	int iterations = atoi(open + 1);
	if ((a->kind != ICNT_ISLIP && a->kind != ICNT_PIM && (a->kind != ICNT_SELECT || iterations != 1)) ||
	    iterations < 1 || iterations > 64) {
		text_addf(why,
			  "%s = %s: expected islip or pim with 1 to 64 iterations, or another allocator without any",
			  icnt_options[row].name, text);
		return false;
	}
	a->iterations = (uint32_t)iterations;
	return true;
}

static bool allocators(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	uint32_t vcs = s->ports * s->vcs, in = s->ports * s->in_speedup, out = s->ports * s->out_speedup;
	if (!allocator(&s->vc_alloc, c, ICNT_OPT_vc_allocator, vcs, vcs, why) ||
	    !allocator(&s->sw_alloc, c, ICNT_OPT_sw_allocator, in, out, why) ||
	    !allocator(&s->spec_alloc, c, ICNT_OPT_spec_sw_allocator, in, out, why))
		return false;
	if (s->vc_alloc.kind != ICNT_PIGGYBACK || s->speculative)
		return true;
	text_add(why, "vc_allocator = piggyback needs speculative = 1");
	return false;
}

/* ---- router ---- */
static bool router(struct icnt_setup *s, const struct icnt_config *c, struct text *why)
{
	int64_t class_priority[1] = {0};
	icnt_config_list(c, ICNT_OPT_class_priority, class_priority, 1);
	s->wait_for_tail_credit = flag(c, ICNT_OPT_wait_for_tail_credit);
	s->busy_when_full = flag(c, ICNT_OPT_vc_busy_when_full);
	s->prefer_empty = flag(c, ICNT_OPT_vc_prioritize_empty);
	s->donate = flag(c, ICNT_OPT_vc_priority_donation);
	s->shuffle = flag(c, ICNT_OPT_vc_shuffle_requests);
	s->routing_delay = number(c, ICNT_OPT_routing_delay);
	s->vc_delay = number(c, ICNT_OPT_vc_alloc_delay);
	s->sw_delay = number(c, ICNT_OPT_sw_alloc_delay);
	s->cross_delay = number(c, ICNT_OPT_st_prepare_delay) + number(c, ICNT_OPT_st_final_delay);
	s->credit_delay = number(c, ICNT_OPT_credit_delay);
	s->in_speedup = number(c, ICNT_OPT_input_speedup);
	s->out_speedup = number(c, ICNT_OPT_output_speedup);
	for (uint32_t v = 0; v < ICNT_VCS_MAX; v++)
		s->in_slot[v] = (uint8_t)(v % s->in_speedup);
	s->speedup = icnt_config_real(c, ICNT_OPT_internal_speedup);
	s->output_buffer = icnt_config_int(c, ICNT_OPT_output_buffer_size);
	s->hold = flag(c, ICNT_OPT_hold_switch_for_packet);
	s->noq = flag(c, ICNT_OPT_noq);
	s->speculative = flag(c, ICNT_OPT_speculative);
	s->check_eligible = flag(c, ICNT_OPT_spec_check_elig);
	s->check_credit = flag(c, ICNT_OPT_spec_check_cred);
	s->mask_by_requests = flag(c, ICNT_OPT_spec_mask_by_reqs);
	s->urgency = (enum icnt_urgency)word(c, ICNT_OPT_priority);
	s->class_priority = (int32_t)class_priority[0];
	s->seed = icnt_config_int(c, ICNT_OPT_seed);
	s->deadlock_timeout = number(c, ICNT_OPT_deadlock_warn_timeout);
	if (!s->cross_delay) {
		text_add(why, "st_prepare_delay and st_final_delay are both 0: the crossbar takes at least one cycle");
		return false;
	}
	if (!s->output_buffer) {
		text_add(why, "output_buffer_size = 0: no flit could ever leave, expected -1 (no limit) or at least 1");
		return false;
	}
	return true;
}

/* Next-hop output queueing divides each class by the ports of the next router, and knows one way only. */
static bool next_hop(const struct icnt_setup *s, struct text *why)
{
	uint32_t least = UINT32_MAX;
	for (int t = 0; t < ICNT_TYPES; t++) {
		uint32_t n = s->end_vc[t] - s->begin_vc[t] + 1u;
		least = n < least ? n : least;
	}
	if (!s->noq)
		return true;
	if (s->routing_delay || least < s->ports || s->least_vcs != 1 || s->split) {
		text_addf(why,
			  "noq = 1 needs routing_delay = 0, at least %u virtual channels for each type of packet, and "
			  "routing_function = dest_tag or, on a mesh, dim_order",
			  s->ports);
		return false;
	}
	return true;
}

static bool setup(struct icnt_setup *s, const struct icnt_config *c, uint32_t clusters, uint32_t subs, struct text *why)
{
	*s = (struct icnt_setup){.vcs = number(c, ICNT_OPT_num_vcs), .flit_size = number(c, ICNT_OPT_flit_size)};
	if (strcmp(icnt_config_text(c, ICNT_OPT_sim_type), "gpgpusim")) {
		text_add(why, "the network file has to say sim_type = gpgpusim; (others make their own traffic)");
		return false;
	}
	if (number(c, ICNT_OPT_subnets) < ICNT_NETS) {
		text_add(why, "subnets = 1: requests and replies need a network each, set subnets = 2 (GPGPU-Sim 3.2.2 "
			      "never delivers a reply otherwise)");
		return false;
	}
	s->perfect = flag(c, ICNT_OPT_perfect_icnt);
	s->per_hop = s->perfect ? 0 : number(c, ICNT_OPT_fixed_lat_per_hop);
	return topology(s, c, clusters + subs, why) && router(s, c, why) && routing(s, c, why) && buffers(s, c, why) &&
	       allocators(s, c, why) && next_hop(s, why);
}

/* Returns where a text has an option's name with its value, `k = 27`. Returns NULL if it hasn't. */
static const char *mention(const char *text, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = text; (at = strstr(at, name)) != NULL; at += n)
		if ((at == text || strchr(" (", at[-1])) && !strncmp(at + n, " = ", 3))
			return at;
	return NULL;
}

/* Puts the place in front of a reason: the line of a file that sets the first of the options which the reason names. */
static void add_place(const struct icnt_config *c, struct text *why)
{
	const char *first = NULL;
	const struct icnt_value *set = NULL;
	struct text whole = {0};
	for (unsigned k = 0; k < ICNT_OPT_COUNT; k++) {
		const char *at = c->v[k].file ? mention(text_str(why), icnt_options[k].name) : NULL;
		if (!at || (first && at > first))
			continue;
		first = at;
		set = &c->v[k];
	}
	if (!set)
		return;
	text_addf(&whole, "%s:%u:%u: %s", set->file, set->line, set->column, text_str(why));
	text_free(why);
	*why = whole;
}

bool icnt_setup_init(struct icnt_setup *s, const struct icnt_config *c, uint32_t clusters, uint32_t subs,
		     struct text *why)
{
	if (setup(s, c, clusters, subs, why))
		return true;
	add_place(c, why);
	return false;
}
