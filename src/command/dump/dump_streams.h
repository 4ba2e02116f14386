/* What the files of the trace streams share: the streams, what was seen last, and the requests that are followed. */
#ifndef COMMAND_DUMP_STREAMS_H
#define COMMAND_DUMP_STREAMS_H

#include "command/dump/dump_internal.h"

#define STREAMS(X) \
	X(WARP_SCHEDULER, "what each scheduler's warps could do, and what was issued; a line when it changes") \
	X(SCOREBOARD, "registers reserved and released") \
	X(MEMORY_PARTITION_UNIT, "requests that enter a partition, go to its DRAM, come back, and leave") \
	X(FETCH, "instruction fetches: misses, and what comes to the I-buffers") \
	X(ISSUE, "instructions issued") \
	X(LDST, "the LDST unit: instructions that enter, stalls, requests, replies") \
	X(ICNT, "packets that enter and leave the network") \
	X(DRAM, "commands: activate, precharge, read, write")
enum stream {
#define X(name, help) STREAM_##name,
	STREAMS(X)
#undef X
		STREAM_COUNT
};

/* What a core was like after its last cycle. */
struct seen_core {
	uint64_t *reserved;
	uint8_t wait[CORE_WARPS_MAX];
	bool imiss[CORE_WARPS_MAX], fetch_valid;
	uint64_t fetching
		[CORE_WARPS_MAX]; /* number of the request that a warp's miss has made, 0: another's fetches the line */
	uint32_t dispatch;
	uint32_t stall;
	uint64_t dispatch_uid;
};
struct seen_bank {
	bool active, is_write;
	uint32_t row, request, transferred;
	uint64_t uid; /* of the request */
};
/* `trace request N`. */
struct followed {
	uint64_t uid;
	uint32_t request; /* in the pool, 0: it is still to come */
	bool reported;	  /* of its beginning */
};
#define FOLLOWED_MAX 32u
struct trace_streams {
	uint32_t on;		 /* a bit per stream */
	int32_t core, partition; /* only this one; -1: all */
	struct seen_core *cores;
	uint32_t sb_words;
	int64_t memory_cycle; /* of a DRAM standard's memory, when its commands were looked at last */
	struct seen_bank *banks; /* of all partitions */
	struct icnt_totals net;
	struct followed followed[FOLLOWED_MAX];
	uint32_t n_followed;
	struct text line;
};

/* Begins a line of the output, `CYCLE CORE COMPONENT: `, in place of the last one; `-` stands for the core if `c` is NULL. Returns the text to
 * append to, which belongs to the streams; stream_end prints it. */
struct text *stream_begin(struct trace_streams *s, uint64_t now, const struct core *c, const char *component);
/* Prints the line that stream_begin began, with a newline. Prints nothing while the machine is in its past. */
void stream_end(struct observer *l);

/* ---- requests that are followed (dump_requests.c) ---- */
/* Prints lines about a memory request whose status has changed from `before`, if the request, or the one of which it is a part, is followed. Notes a
 * followed request that was just made, and ends following one that ends. */
void follow_event(struct observer *l, uint32_t request, enum request_status before, uint64_t now);
/* Prints a line for each followed request that hasn't moved since it was made. Stops following numbers that were used up without a request, and
 * prints a line for each of them, too. */
void follow_tick(struct observer *l, uint64_t now);
/* Prints a line that a DRAM bank executes command `what` on a row for request number `uid`, if that request is followed. */
void follow_command(struct observer *l, uint32_t partition, uint32_t bank, const char *what, uint32_t row, uint64_t uid,
		    uint64_t now);
/* Runs `trace request N [on|off]` and `trace request off`, which ends following all; `args` begins behind `request`. Appends the state of a request
 * that is under way to `out`. Returns false, with an error in `why`, if N is no number, has ended, isn't followed (`off`), or FOLLOWED_MAX are
 * followed. */
bool follow_cmd(struct observer *l, const char *args, struct text *out, struct text *why);
/* Adds the list `requests` of the followed requests' numbers. Adds nothing if no request is followed. */
void follow_describe(const struct trace_streams *s, struct report *answer);

#endif
