/* Requests in words: GPGPU-Sim's line, and ours. */
#include <inttypes.h>

#include "timing/common/request.h"

static const char *const gpgpusim_type_names[ACCESS_TYPE_COUNT] = {
	[GLOBAL_ACC_R] = "GLOBAL_R",  [LOCAL_ACC_R] = "LOCAL_R ",   [CONST_ACC_R] = "CONST   ",
	[TEXTURE_ACC_R] = "TEXTURE ", [GLOBAL_ACC_W] = "GLOBAL_W",  [LOCAL_ACC_W] = "LOCAL_W ",
	[L1_WRBK_ACC] = "L1_WRBK ",   [L2_WRBK_ACC] = "L2_WRBK ",   [INST_ACC_R] = "INST    ",
	[L1_WR_ALLOC_R] = "unknown ", [L2_WR_ALLOC_R] = "unknown ",
};

static void add_number(struct text *out, bool given, uint32_t n)
{
	if (given)
		text_addf(out, "%02" PRIu32, n);
	else
		text_add(out, "--");
}

/* (Where there is no core or warp GPGPU-Sim prints 4294967295.) */
void request_print(const struct requests *q, uint32_t r, struct text *out)
{
	const struct mem_request *m = request_at(q, r);
	text_addf(out, "  mf: uid=%6" PRIu64 ", sid", m->uid);
	add_number(out, m->core != REQUEST_NO_CORE, m->core);
	text_add(out, ":w");
	add_number(out, m->warp != REQUEST_NO_WARP, m->warp);
	text_addf(out, ", part=%" PRIu32 ", addr=0x%" PRIx64 ", %s, size=%" PRIu32 ", %s status = %s (%" PRIu64 "), ",
		  m->dram.channel, m->address, m->is_write ? "store" : "load ", m->size, gpgpusim_type_names[m->type],
		  request_status_names[m->status], m->status_time);
}

static const char *const type_words[ACCESS_TYPE_COUNT] = {
	[GLOBAL_ACC_R] = "load global",	  [LOCAL_ACC_R] = "load local",	    [CONST_ACC_R] = "load constant",
	[TEXTURE_ACC_R] = "load texture", [GLOBAL_ACC_W] = "store global",  [LOCAL_ACC_W] = "store local",
	[L1_WRBK_ACC] = "L1 write-back",  [L2_WRBK_ACC] = "L2 write-back",  [INST_ACC_R] = "fetch",
	[L1_WR_ALLOC_R] = "L1 line read", [L2_WR_ALLOC_R] = "L2 line read",
};

void request_describe(const struct requests *q, uint32_t r, struct text *out)
{
	const struct mem_request *m = request_at(q, r);
	const char *what = m->is_atomic ? "atomic global" : type_words[m->type];
	text_addf(out, "#%-6" PRIu64 " %-13s 0x%08" PRIx64 " %4" PRIu32 " bytes", m->uid, what, m->address, m->size);
	if (m->core == REQUEST_NO_CORE)
		return;
	text_addf(out, "  core %2u", m->core);
	if (m->warp != REQUEST_NO_WARP)
		text_addf(out, " warp %2u", m->warp);
}
