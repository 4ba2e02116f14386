/* GPGPU-Sim's GDDR: its timing rules as rows. Source: GPGPU-Sim 3.2.2's and 4.2's controller. */
#include "timing/dram/dram.h"

#define READ (1u << DRAM_READ)
#define WRITE (1u << DRAM_WRITE)
#define COLUMN (READ | WRITE)
#define ACTIVATE (1u << DRAM_ACTIVATE)
#define PRECHARGE (1u << DRAM_PRECHARGE)

static const struct dram_rule rules[] = {
	{"RRD", DRAM_CHANNEL, ACTIVATE, ACTIVATE, "RRD", true},
	{"CCD", DRAM_CHANNEL, COLUMN, COLUMN, "CCD", true},
	{"RTW", DRAM_CHANNEL, READ, WRITE, "CL + BURST + 2 - WL", true},
	{"WTR", DRAM_CHANNEL, WRITE, READ, "WL + BURST + CDLR", true},
	{"CCDL", DRAM_GROUP, COLUMN, COLUMN, "CCDL", false},
	{"RTPL", DRAM_GROUP, READ, PRECHARGE, "RTPL", false},
	{"RCD", DRAM_BANK, ACTIVATE, READ, "RCD", true},
	{"RCDWR", DRAM_BANK, ACTIVATE, WRITE, "RCD - WL - 1", true},
	{"RAS", DRAM_BANK, ACTIVATE, PRECHARGE, "RAS", true},
	{"RP", DRAM_BANK, PRECHARGE, ACTIVATE, "RP", true},
	{"RC", DRAM_BANK, ACTIVATE, ACTIVATE, "RC", true},
	{"WTP", DRAM_BANK, WRITE, PRECHARGE, "WL + BURST + WR", false},
	{"RTP", DRAM_BANK, READ, PRECHARGE, "BURST", false},
};

const struct dram_model dram_gddr = {"GDDR", rules, sizeof rules / sizeof *rules};
