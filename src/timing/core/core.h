/* A SIMT core: front end, schedulers, scoreboard, operand collector, function units, LDST unit. Source: GPGPU-Sim manual "SIMT
 * cores", behaviour of 3.2.2.
 *
 * One core cycle, back to front: writeback, execute, (read operands), issue, decode, fetch. Instructions in flight are entries of a
 * pool in the core, and pipeline registers hold their indices; 0 is a bubble. */
#ifndef TIMING_CORE_H
#define TIMING_CORE_H

#include <assert.h>
#include <stddef.h>

#include "exec/exec.h"
#include "timing/cache/cache.h"
#include "timing/core/insn.h"
#include "timing/core/textbook.h"
#include "timing/common/memory.h"
#include "timing/common/request.h"
#include "timing/common/rules.h"

struct timing; /* the machine, timing.h */
struct scheduler_rule;
struct collector_state;
struct units;
struct ldst;

/* ---- configuration ---- */
enum scheduler_kind {
#define SCHEDULER(kind, ...) SCHEDULER_##kind,
#include "timing/core/schedulers.def"
#undef SCHEDULER
	SCHEDULERS
};
#define PIPE_WIDTH_MAX 16u
/* Numbers of the sets of pipeline registers: those of a kind of unit in front of the operand collector (ID_OC_*) and in front of its units (OC_EX_*),
 * and the one in front of writeback (EX_WB). */
#define PIPE_IN(unit) (unit)
#define PIPE_OUT(unit) (CORE_UNITS_MAX + (unit))
#define PIPE_WB (2 * CORE_UNITS_MAX)
#define PIPE_SETS (PIPE_WB + 1)
#define SMEM_LATENCY_MAX 64u
#define L1_LATENCY_MAX 1024u

/* How a load writes several registers. */
enum core_writeback {
	WRITEBACK_AT_ONCE,  /* all registers in one cycle, else none (3.2.2): a load with two registers in one bank never completes */
	WRITEBACK_AS_NEEDED, /* all registers in one cycle, but loads with two registers in one bank in parts */
	WRITEBACK_IN_PARTS  /* the registers whose banks are free, the others later (4.x) */
};

/* Stream buffers (-gpgpu_stream_buffers); size 0: none. */
struct stream_config {
	uint32_t size;	 /* elements of a stream's buffer */
	uint32_t step;	 /* bytes from an element to the next */
	uint32_t percent; /* of all buffers, that may be on their way */
	uint32_t batch;	 /* elements that a write stream sends together */
	uint32_t request_size; /* bytes of data in a packet */
};

struct core_config {
	const struct core_model *model;
	struct textbook_config textbook; /* not is_on: the core is the pipeline that all else describes */
	struct stream_config streams;
	uint32_t n_warps;	 /* hardware warps: threads per core / warp size */
	uint32_t n_ctas;	 /* CTA slots */
	uint32_t threads;	 /* per core */
	uint32_t warp_threads;	 /* lanes of a warp that are used */
	uint32_t n_cores, n_clusters, cores_per_cluster;
	uint32_t schedulers, max_issue; /* per core; instructions per warp and cycle */
	enum scheduler_kind scheduler;
	uint32_t scheduler_limit; /* active warps of two_level_active and tl, warps considered by warp_limiting */
	uint32_t pipe_width[PIPE_SETS]; /* of the sets that the model has */
	uint32_t units[CORE_UNITS_MAX]; /* of each kind of the model but the LDST unit */
	uint32_t reg_banks;
	uint32_t collector_units[CORE_COLLECTORS_MAX], collector_in[CORE_COLLECTORS_MAX], collector_out[CORE_COLLECTORS_MAX]; /* of each set of the model: units, ports */
	struct core_latencies latencies;
	struct cache_config l1i, l1c, l1t, l1d, l1d_pref_l1, l1d_pref_shared;
	bool skip_l1d;		  /* global accesses bypass L1D */
	bool perfect_mem;
	bool perfect_inst, perfect_const; /* every access of the L1I, of the L1C hits; the caches are not looked at */
	uint32_t shared_bytes, shared_banks, warp_parts;
	bool shared_limited_broadcast;
	uint32_t coalesce_arch;	  /* 13, or a compute capability 20..38 */
	bool local_map;		  /* -gpgpu_local_mem_map */
	uint32_t ldst_response_fifo, cluster_response_fifo; /* packets */
	bool clock_gated_lanes;
	enum core_writeback writeback;
	bool rotate_cores;	  /* -gpgpu_simt_core_sim_order 1 */
	uint32_t flit_bytes;	  /* of the counts of flits: 32, or 4.x's -icnt_flit_size */
	struct timing_rules rules;
	uint32_t l1_latency;	  /* cycles from the LDST unit to the L1D's tags, 0: looked up at once (as in 3.2.2) */
	uint32_t smem_latency;	  /* stages of the shared-memory pipeline, 1 to SMEM_LATENCY_MAX */};

/* ---- instructions in flight ---- */
struct inst {
	uint64_t uid;		/* order of issue over the whole machine: smaller is older */
	uint64_t issued;	/* cycle (now) */
	uint64_t dynamic_warp;
	uint32_t pc;		/* instruction index: timing_insn and text */
	uint32_t issue_mask;	/* active lanes before predication */
	uint32_t active;	/* lanes that execute it */
	uint32_t accesses;	/* memory accesses not yet sent, the next one first: index into the core's pool; 0: none */
	uint32_t n_accesses;	/* in that list */
	uint32_t pending;	/* accesses sent or to be sent whose data have not returned */
	uint32_t next;		/* free list */
	uint32_t effect;	/* its effect under way: entry of exec/pending.h, in the warp's list; 0: none */
	uint16_t warp;		/* hardware warp */
	uint16_t dispatch;	/* initiation cycles left; shared memory: access cycles left */
	uint8_t space;		/* enum isa_space the access went to (generic resolved); GENERIC: none */
	bool used;		/* not on the free list */
};
/* One memory transaction of a warp instruction. */
struct mem_access {
	uint64_t address;
	uint32_t size;	/* bytes */
	uint32_t lanes;
	uint32_t next;	/* in the instruction's list, or free list */
	uint64_t bytes[2]; /* 4.x, writes and atomics: of the line, a bit each */
	uint8_t chunks;	/* 4.x: sectors touched, a bit each; 0: all */
	uint8_t type;	/* enum access_type */
	uint8_t stream; /* number of a stream of the stream buffers */
	bool is_write;
};
#define CORE_INSTS 4096u
#define CORE_ACCESSES 65536u

/* A set of pipeline registers. An instruction goes into the lowest empty register; the oldest instruction leaves first. Every cycle reads the sets, hence
 * the narrow numbers. */
struct pipe_set {
	uint16_t used; /* registers that hold an instruction, a bit each */
	uint16_t all;  /* registers there are, a bit each */
	uint16_t reg[PIPE_WIDTH_MAX]; /* inst index, 0: empty */
};
static_assert(PIPE_WIDTH_MAX <= 16 && CORE_INSTS <= 65536, "a register is a bit of 16, an instruction a number of 16");
/* The pipeline registers of a core. (A core with parts that issue by themselves has one of these for each part.) */
struct core_pipes {
	uint32_t used, full; /* sets that hold an instruction, that have no empty register: a bit each, by number */
	struct pipe_set set[PIPE_SETS];
};
static_assert(PIPE_SETS <= 32, "a set is a bit of 32");

/* ---- warps ---- */
#define CORE_CTAS_MAX 64u
#define CORE_WARPS_MAX 64u /* hardware warps of a core: fits one 64-bit set */
struct ibuffer_entry {
	uint32_t pc; /* instruction index, REQUEST_NO_PC: there is none at that address */
	bool valid;
};
/* What keeps a warp from issuing, besides its instructions: bits of core_warp.waits. */
enum core_waits {
	CORE_AT_BARRIER = 1, /* exec has the warp waiting at a barrier */
	CORE_HELD = 2	     /* another warp runs alone (core_hold_warp) */
};
/* The members that the stages read in each cycle come first and fill one cache line of the host. */
struct core_warp {
	struct ibuffer_entry ibuffer[2];
	bool used;	 /* belongs to a CTA and is not retired */
	bool imiss;	 /* instruction-cache miss pending */
	bool membar;
	bool done;	 /* all lanes have exited */
	uint8_t waits;	 /* bits of enum core_waits */
	uint8_t next;	 /* I-buffer entry looked at next */
	uint8_t cta;	 /* core's CTA slot */
	uint8_t index;	 /* of the warp in its exec_cta */
	uint32_t cta_slot; /* of the exec_cta */
	uint32_t fetch_pc;
	uint32_t stores;       /* outstanding */
	uint16_t in_pipeline;  /* instructions between I-buffer and completion */
	uint16_t atomics;      /* outstanding */
	uint16_t n_reserved;   /* registers in the scoreboard */
	uint16_t threads;      /* that exist in it */
	uint64_t n_issued;     /* of this warp since it was placed */
	uint64_t dynamic_id;
	_Alignas(64) uint64_t last_fetch;
	uint32_t pending; /* first entry of the list of its effects under way (exec/pending.h); 0: none. A warp that has any issues nothing, so their operands stay in its registers */
};
static_assert(sizeof(struct core_warp) == 128 && offsetof(struct core_warp, last_fetch) == 64, "two lines");
static_assert(CORE_CTAS_MAX <= 256 && EXEC_WARPS_PER_CTA <= 256 && TIMING_OUT_MAX * CORE_INSTS < 65536, "narrow fields hold their values");
struct core_cta {
	bool used;
	uint32_t cta_slot;     /* exec_cta */
	uint32_t launch;
	uint32_t threads_left;
	uint32_t first_warp, n_warps;
};

/* ---- statistics of a core ---- */
enum stall_space { STALL_C_MEM, STALL_T_MEM, STALL_S_MEM, STALL_G_MEM_LD, STALL_L_MEM_LD, STALL_G_MEM_ST, STALL_L_MEM_ST, STALL_SPACES };
enum stall_reason { STALL_NONE, STALL_BK_CONF, STALL_MSHR_RC_FAIL, STALL_ICNT_RC_FAIL, STALL_COAL_STALL, STALL_DATA_PORT, STALL_WB_ICNT_RC_FAIL,
		    STALL_WB_CACHE_RSRV_FAIL, STALL_STREAM_READ, STALL_STREAM_WRITE, STALL_REASONS };
struct core_stats {
	uint64_t cycles;
	uint64_t insns; /* lanes of completed instructions whose guards were true */
	uint64_t thread_icount, warp_icount;  /* gpgpu_n_tot_thrd_icount, gpgpu_n_tot_w_icount */
	uint64_t repeated_insns, repeated_warps; /* of these, loads that 4.x counts again for each further register: of lanes, of warps */
	uint64_t stall, w0_idle, w0_scoreboard; /* scheduler-cycles */
	uint64_t n_stall_shd_mem;
	/* full warps and the counts after them lie together: most instructions touch both */
	uint64_t occupancy[LANES + 1];	      /* warp instructions issued with n active lanes */
	uint64_t n_load_insn, n_store_insn, n_shmem_insn, n_tex_insn, n_const_mem_insn, n_param_mem_insn; /* threads */
	uint64_t stall_shd_mem[STALL_SPACES][STALL_REASONS];	  /* as GPGPU-Sim counts them */
	uint64_t true_stall[STALL_SPACES][STALL_REASONS]; /* the real reasons */
	uint64_t n_cmem_portconflict;
	uint64_t mem_out[ACCESS_TYPE_COUNT];  /* packets injected, by type */
	uint64_t warp_issue[CORE_WARPS_MAX];  /* issue distribution as printed */
	uint64_t divergences;
};

/* ---- the core ---- */
/* The state of a scheduler's turn within a cycle: an interrupted cycle resumes from it. */
struct issue_turn {
	uint64_t left;		/* warps still to be tried, if the scheduler needs no list */
	uint32_t warp;		/* that is being tried */
	bool trying, seen_valid, seen_ready, seen_issued;
	uint32_t position, n_order; /* in core_state.order, if it needs one */
};
/* Members are in the order in which a cycle reads them, so that it touches few cache lines of the host. */
struct core_state {
	bool asleep;		 /* nothing changes until something arrives from outside */
	bool l1i_busy;		 /* its cycles do something; else they are only counted (l1i_uncounted) */
	bool fetch_valid;
	/* of the issue stage: a cycle that stopped in front of an instruction resumes from here */
	bool executed; /* the stages after issue are done, issue has not begun: stopped for an atomic */
	bool in_issue;
	uint32_t scheduler, issued; /* whose turn it is; instructions that the warp it tries has issued */
	uint32_t first_scheduler; /* 4.x: the one whose turn it is to issue first */
	uint32_t threads_left;	 /* unfinished threads */
	uint64_t runnable;	 /* warps with something in the I-buffer that wait for nothing (warp_waiting) */
	uint64_t blocked;	 /* of them those whose next instruction the scoreboard held back, and nothing has changed since */
	uint64_t starving;	 /* and those found ready while the pipeline registers they need (ID_OC_*) were full */
	uint64_t starved[CORE_UNITS_MAX]; /* of them, those that need registers of each kind of unit */
	uint64_t fetchable, retirable; /* warps that want instructions; that are hardware done: fetch walks over both */
	uint64_t l1i_uncounted;	 /* cycles not yet added to the L1I's count (core_wake) */
	uint32_t fetch_pc, fetch_warp, fetch_bytes, last_fetched;
	uint32_t free_inst, n_insts;	 /* pool heads; entry 0 is never used */
	uint32_t free_access, n_accesses;
	struct core_pipes pipes;
	uint64_t cycle_of_last_writeback;
	uint64_t slept;		 /* cycles asleep that are not in the statistics and counters yet */
	uint32_t passes;	 /* while it sleeps: numbers of requests used up in each cycle (request_pass) */
	uint64_t next_dynamic_id;
	uint64_t live;		 /* warps placed and not retired, a bit each */
	uint32_t active_ctas;
	uint32_t launch;	 /* kernel bound to it, UINT32_MAX: none */
	uint32_t max_ctas;	 /* of that kernel */
	struct issue_turn turn;
	uint8_t order[CORE_WARPS_MAX];
	struct core_cta cta[CORE_CTAS_MAX];
};

struct core {
	struct core_state *s;
	struct timing *t;
	const struct core_config *cfg;
	const struct timing_program *program;
	struct core_warp *warp;	   /* [cfg->n_warps] */
	struct inst *inst;	   /* pool */
	struct core_stats *stats;
	/* scoreboard: per warp a row of sb_words words (TIMING_LOW_WORDS at least) with a bit per register number, and after it one for
	 * those that long operations will write; see core_reserved, core_long_op */
	uint64_t *scoreboard;
	struct scheduler_state *scheduler; /* [cfg->schedulers], scheduler.h */
	const struct scheduler_rule *rule; /* that of cfg->scheduler */
	struct collector_state *collector;
	struct units *units;
	struct ldst *ldst;
	struct cache *l1i;
	struct mem_access *access; /* pool */
	struct textbook_state *textbook; /* NULL: it is no textbook core. If it is one, `scoreboard` has for each warp a row of sb_words cycles, by register number */
	uint32_t sb_words;
	uint32_t id, cluster;
};

/* Returns the number of sets of pipeline registers that a machine has: ID_OC of each kind of unit, OC_EX of each, EX_WB. */
static inline uint32_t core_pipe_count(const struct core_model *m) { return 2 * m->n_units + 1; }
/* Returns the number of a machine's k-th set of pipeline registers. */
static inline unsigned core_pipe_at(const struct core_model *m, uint32_t k)
{
	if (k < m->n_units)
		return PIPE_IN(k);
	return k < 2 * m->n_units ? PIPE_OUT(k - m->n_units) : PIPE_WB;
}

/* ---- pools and pipeline registers ---- */
/* Allocates an instruction and returns its index; the caller sets all fields. */
uint32_t core_new_inst(struct core *c);
/* Frees an instruction. */
void core_free_inst(struct core *c, uint32_t i);
/* Allocates a memory access and returns its index; the caller sets all fields. */
uint32_t core_new_access(struct core *c);
/* Frees a memory access. */
void core_free_access(struct core *c, uint32_t a);
/* Gives set number `set` of pipeline registers n registers, all of them empty. */
static inline void pipe_init(struct core_pipes *p, unsigned set, uint32_t n)
{
	p->set[set] = (struct pipe_set){.all = (uint16_t)((1u << n) - 1)};
	p->full |= n ? 0 : 1u << set;
}
/* Returns the number of registers of a set. */
static inline uint32_t pipe_width(const struct pipe_set *s) { return lanes_count(s->all); }
/* Puts an instruction into the lowest empty register of a set that is not full. */
static inline void pipe_put(struct core_pipes *p, unsigned set, uint32_t inst)
{
	struct pipe_set *s = &p->set[set];
	const unsigned at = (unsigned)__builtin_ctz(~(unsigned)s->used);
	s->reg[at] = (uint16_t)inst;
	s->used |= (uint16_t)(1u << at);
	p->used |= 1u << set;
	if (s->used == s->all)
		p->full |= 1u << set;
}
/* Returns the position of the oldest instruction of a set that is not empty. */
static inline unsigned pipe_set_oldest(const struct core *c, const struct pipe_set *p)
{
	unsigned best = (unsigned)__builtin_ctz(p->used);
	for (uint32_t left = p->used & (p->used - 1u); left; left &= left - 1) {
		const unsigned k = (unsigned)__builtin_ctz(left);
		if (c->inst[p->reg[k]].uid < c->inst[p->reg[best]].uid)
			best = k;
	}
	return best;
}
/* Empties the register at a position of a set and returns its instruction. */
static inline uint32_t pipe_take(struct core_pipes *p, unsigned set, unsigned at)
{
	struct pipe_set *s = &p->set[set];
	const uint32_t i = s->reg[at], bit = 1u << set;
	s->reg[at] = 0;
	s->used &= (uint16_t)~(1u << at);
	p->full &= ~bit;
	if (!s->used)
		p->used &= ~bit;
	return i;
}
/* Removes and returns the oldest instruction of a set that is not empty. */
static inline uint32_t pipe_take_oldest(const struct core *c, struct core_pipes *p, unsigned set)
{
	return pipe_take(p, set, pipe_set_oldest(c, &p->set[set]));
}
/* Returns the kinds of units, a bit each, with an instruction in front of the operand collector. */
static inline uint32_t pipes_in_used(const struct core_pipes *p) { return p->used & ((1u << CORE_UNITS_MAX) - 1); }
/* Returns the kinds of units, a bit each, whose pipeline registers in front of the units are all taken. */
static inline uint32_t pipes_out_full(const struct core_pipes *p) { return p->full >> CORE_UNITS_MAX & ((1u << CORE_UNITS_MAX) - 1); }
/* Returns the kinds of units of `units`, a bit each, that have an empty register in front of the operand collector. */
static inline uint32_t pipes_in_free(const struct core_pipes *p, core_unit_set units) { return units & ~p->full; }

/* Returns the static description of an instruction in flight. */
static inline const struct timing_insn *core_insn(const struct core *c, const struct inst *i)
{
	return &c->program->insns[i->pc];
}

/* ---- scoreboard ---- */
/* Returns a warp's row of reserved registers, a bit for each register number. */
static inline uint64_t *core_reserved(const struct core *c, uint32_t warp) { return c->scoreboard + (uint64_t)warp * 2 * c->sb_words; }
/* Returns a warp's row of registers that long operations will write. */
static inline uint64_t *core_long_op(const struct core *c, uint32_t warp) { return core_reserved(c, warp) + c->sb_words; }
/* Returns whether an instruction uses a reserved register of its warp. */
static inline bool scoreboard_collides(const struct core *c, uint32_t warp, const struct timing_insn *ti)
{
	const uint64_t *row = core_reserved(c, warp);
	if ((row[0] & ti->check_low[0]) | (row[1] & ti->check_low[1]))
		return true;
	for (unsigned k = 0; ti->has_high && k < ti->n_check; k++)
		if (row[ti->check[k] >> 6] >> (ti->check[k] & 63) & 1)
			return true;
	return false;
}
/* Returns true if a register of a warp, by its scoreboard number, is still to be written. */
bool core_register_is_pending(const struct core *c, uint32_t warp, uint32_t number);
/* Returns the lowest register number from `from` on, in the scoreboard, of a warp's registers that are still to be written. Returns UINT32_MAX if
 * there is none. */
uint32_t core_next_pending(const struct core *c, uint32_t warp, uint32_t from);
/* Returns true if a long operation will write a register of a warp. */
bool core_is_long(const struct core *c, uint32_t warp, uint32_t number);
/* Reserves an instruction's destinations at its issue; with `is_long` as long operations. */
void scoreboard_reserve(struct core *c, uint32_t warp, const struct timing_insn *ti, bool is_long);
/* Releases an instruction's destinations. `clear_long` is false where a load's last access returns: GPGPU-Sim 3.2.2 leaves the long-operation bit set there. */
void scoreboard_release(struct core *c, uint32_t warp, const struct timing_insn *ti, bool clear_long);

/* ---- the stages (issue.c, fetch.c, core.c) ---- */
enum core_result { CORE_DONE, CORE_STOPPED /* before an instruction or after an atomic; x->event has the reason */ };
/* Simulates one core cycle. After CORE_STOPPED the next call resumes the same cycle. */
enum core_result core_cycle(struct core *c, uint64_t now);
/* Wakes a core, and counts the cycles that it slept, if any. Call it before a reply, a CTA or a flush arrives at the core, and before the core's
 * counts are read. */
void core_wake(struct core *c);
/* Keeps a warp from issuing (`is_held`), or allows the warp to issue again. Does nothing if that is so already; else wakes the core. */
void core_hold_warp(struct core *c, uint32_t warp, bool is_held);
/* Loads the state that the core's next cycles read into the host's caches. Changes nothing. */
void core_prefetch(const struct core *c);
/* Counts an instruction that completes (GPGPU-Sim's warp_inst_complete). */
void core_complete(struct core *c, const struct inst *i, uint64_t now);
/* Decrements a warp's in_pipeline, and updates whether the warp may retire. */
void core_leave_pipeline(struct core *c, uint32_t warp);
/* Increments a warp's outstanding stores, and updates whether the warp may retire. */
void core_store_sent(struct core *c, uint32_t warp);
/* Decrements a warp's outstanding stores, and updates whether the warp may retire. */
void core_store_acknowledged(struct core *c, uint32_t warp);
/* Executes an instruction's deferred atomic for some of its lanes, and stops the machine if the atomic is watched. */
void core_execute_atomic(struct core *c, uint32_t inst, uint32_t lanes);
/* Returns the number of effects that a core may have under way at once. */
static inline uint32_t core_effects_most(const struct core_config *cfg) { return cfg->n_warps; /* a warp that has one issues nothing */ }
/* Decrements a warp's outstanding atomics by n_lanes, and updates whether the warp may issue or retire. */
void core_atomics_returned(struct core *c, uint32_t warp, uint32_t n_lanes);
/* Takes a reply of the instruction cache. */
void core_fill_instruction(struct core *c, uint32_t request, uint64_t now);

#endif
