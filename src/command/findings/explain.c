/* What a finding means, and what to do about it. */
#include "command/findings/findings.h"
#include "debug/ground/ground.h"

/* How the two accesses of a race are related: what orders them depends on it. */
enum race_between { RACE_HOST, RACE_WARP, RACE_BLOCK, RACE_GRID, RACE_LAUNCHES };

static enum race_between race_between(const struct debug *d, const struct check_access *a, const struct check_access *b)
{
	if (a->by_host || b->by_host)
		return RACE_HOST;
	if (a->launch != b->launch)
		return RACE_LAUNCHES;
	if (a->cta != b->cta)
		return RACE_GRID;
	return debug_warp_of(d, a->in_block) == debug_warp_of(d, b->in_block) ? RACE_WARP : RACE_BLOCK;
}

static const char *race_remedy(const struct debug *d, const struct check_finding *f)
{
	static const char *const remedies[] = {
		[RACE_HOST] = "let the host wait between them: cudaStreamSynchronize, or an event if they are in two streams",
		[RACE_WARP] = "put __syncwarp() between them, or let one lane make both",
		[RACE_BLOCK] = "put __syncthreads() between them",
		[RACE_GRID] = "make both atomic, give each block its own memory, or end the kernel between them",
		[RACE_LAUNCHES] = "launch both kernels in one stream, or let the second stream wait for an event of the first"};
	if (f->flag_write)
		return "put __threadfence() in front of the write of the flag, and another one behind its read";
	return remedies[race_between(d, &f->access, &f->other)];
}

static const struct {
	const char *meaning, *remedy;
} kinds[] = {
	[CHECK_OUT_OF_BOUNDS] = {"the address lies in no allocation or variable; on a GPU the access may change other data in silence",
				 "look at the index (`info locals`, `why` of the address register) and at the size that was allocated"},
	[CHECK_MISALIGNED] = {"the address is no multiple of the access's size", "align the pointer, or access smaller elements"},
	[CHECK_USE_AFTER_FREE] = {"the memory was freed before, and may belong to other data by now",
				  "free it later, after the host has waited for the kernel"},
	[CHECK_LEAK] = {"the program ended with this memory allocated", "free it"},
	[CHECK_INVALID_FREE] = {"no allocation begins at this address", "pass the pointer that the allocation returned"},
	[CHECK_DOUBLE_FREE] = {"this memory was freed before", "free it once, or set the pointer to NULL after the first time"},
	[CHECK_API_ERROR] = {"CUDA refused this call and did nothing; what comes after it works on old data",
			     "mend the argument, and check what every call returns"},
	[CHECK_WRITE_WRITE] = {"nothing orders the two writes: which value remains depends on the hardware", NULL},
	[CHECK_READ_WRITE] = {"nothing orders the read and the write: what is read depends on the hardware", NULL},
	[CHECK_UNINITIALIZED_MEMORY] = {"the value decides something here, and neither host nor kernel has written it",
					"initialise the memory: cudaMemset, or in shared memory a loop and __syncthreads()"},
	[CHECK_UNINITIALIZED_REGISTER] = {"the value decides something here, and the thread has not computed it",
					  "give the variable a value on all paths"},
	[CHECK_DIVERGENT_BARRIER] = {"only a part of the threads comes to the barrier",
				     "move the barrier out of the branch, so that all threads of the block come to it"},
	[CHECK_MISSING_THREADS] = {"threads that the barrier or the mask waits for never come",
				   "count the threads that come; in a mask name only lanes that take this path (`why barrier`)"},
	[CHECK_BAD_MASK] = {"the lane that executes the instruction is not in its own mask", "compute the mask with __ballot_sync or __activemask"},
};

void explain_finding(struct debug *d, uint32_t n, struct report *answer)
{
	const struct check_finding *f = check_at(d->check, n);
	const char *remedy = kinds[f->kind].remedy ? kinds[f->kind].remedy : race_remedy(d, f);
	report_number(answer, "finding", n + 1);
	report_text(answer, "kind", check_kind_name((enum check_kind)f->kind));
	report_line(answer, "finding {finding} ({kind}): ");
	findings_text(d, f, report_prose(answer));
	report_text(answer, "meaning", kinds[f->kind].meaning);
	report_text(answer, "what_to_do", remedy);
	report_line(answer, "  meaning: {meaning}\n  to do: {what_to_do}\n");
}
