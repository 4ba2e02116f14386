/* A network for tests: built from option text, driven cycle by cycle. */
#ifndef TEST_ICNT_NET_H
#define TEST_ICNT_NET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/icnt/icnt_internal.h"

struct net {
	struct arena arena;
	struct timing_memory memory;
	struct requests q;
	struct icnt_config *cfg;
	struct icnt *icnt;
	uint32_t clusters, devices;
	struct text why;
	uint64_t cycle; /* cycles done */
};

/* The settings shipped with GPGPU-Sim 3.2.2: one crossbar for each direction. */
#define SHIPPED \
	"use_map=0 topology=fly n=1 routing_function=dest_tag num_vcs=1 vc_buf_size=8 vc_allocator=islip " \
	"sw_allocator=islip " \
	"alloc_iters=1 credit_delay=0 routing_delay=0 vc_alloc_delay=1 sw_alloc_delay=1 input_speedup=2 " \
	"output_speedup=1 " \
	"internal_speedup=1.0 sim_type=gpgpusim subnets=2 flit_size=32 read_request_begin_vc=0 read_request_end_vc=0 " \
	"write_request_begin_vc=0 write_request_end_vc=0 read_reply_begin_vc=0 read_reply_end_vc=0 " \
	"write_reply_begin_vc=0 " \
	"write_reply_end_vc=0 "

/* Returns true if no flit is anywhere in the network; credits may be on their way. */
static inline bool net_is_quiet(const struct net *t)
{
	const struct icnt *n = t->icnt;
	return !n->net[0].s->n_items && !n->net[1].s->n_items && !n->s->n_waiting;
}

/* Blank-separated name=value pairs; later ones win. */
static inline void net_options(struct icnt_config *c, const char *options)
{
	char *copy = strdup(options), *at = copy, *pair;
	struct text why = {0};
	while ((pair = strsep(&at, " "))) {
		char *eq = strchr(pair, '=');
		if (!eq)
			continue;
		*eq = 0;
		if (!icnt_config_set(c, pair, eq + 1, &why))
			fail_msg("%s", text_str(&why));
	}
	text_free(&why);
	free(copy);
}

static inline void net_open(struct net *t, const char *options, uint32_t clusters, uint32_t memories)
{
	memset(t, 0, sizeof *t);
	arena_init(&t->arena);
	assert_true(timing_memory_init(&t->memory, &t->arena, machine_limits_of_host()));
	assert_true(requests_init(&t->q, &t->arena, machine_limits_of_host()));
	t->cfg = icnt_config_create();
	net_options(t->cfg, options);
	t->clusters = clusters;
	t->devices = clusters + memories;
	t->icnt = icnt_create(&t->memory, &t->q, t->cfg, clusters, memories, &t->why);
}

static inline void net_crossbar(struct net *t, uint32_t clusters, uint32_t memories, const char *more)
{
	char options[2048];
	snprintf(options, sizeof options, SHIPPED "k=%u %s", clusters + memories, more);
	net_open(t, options, clusters, memories);
	if (!t->icnt)
		fail_msg("%s", text_str(&t->why));
}

static inline void net_close(struct net *t)
{
	icnt_destroy(t->icnt);
	icnt_config_free(t->cfg);
	arena_free(&t->arena);
	text_free(&t->why);
}

/* A packet of so many 32-byte flits: a read request or a read's reply. Its request is the answer. */
static inline uint32_t net_send(struct net *t, uint32_t from, uint32_t to, uint32_t flits)
{
	uint32_t r = request_new(&t->q, t->cycle);
	struct mem_request *m = request_at(&t->q, r);
	m->is_reply = from >= t->clusters;
	m->size = flits * 32 - 8;
	assert_true(icnt_has_buffer(t->icnt, from, flits * 32));
	icnt_push(t->icnt, from, to, r, flits * 32);
	return r;
}

static inline void net_cycle(struct net *t) { icnt_cycle(t->icnt, ++t->cycle); }

/* Cycles until `device` can pop something; the cycle number goes to *cycle: after that many cycles it could. */
static inline uint32_t net_await(struct net *t, uint32_t device, uint64_t most, uint64_t *cycle)
{
	uint32_t r;
	while (!(r = icnt_pop(t->icnt, device)) && t->cycle < most)
		net_cycle(t);
	*cycle = t->cycle;
	return r;
}

#endif
