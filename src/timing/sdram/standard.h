/* A DRAM standard as rows: struct sdram_standard, made of a file of rows (rows_begin.def). */
#ifndef TIMING_SDRAM_STANDARD_H
#define TIMING_SDRAM_STANDARD_H

#include <stdbool.h>
#include <stdint.h>

/* Parts of a memory, from the largest. A standard that lacks a level has one part of it in each part above. */
enum sdram_level { SDRAM_CHANNEL, SDRAM_RANK, SDRAM_GROUP, SDRAM_BANK, SDRAM_SUBARRAY, SDRAM_ROW, SDRAM_COLUMN, SDRAM_LEVELS };
#define SDRAM_NODE_LEVELS ((unsigned)SDRAM_ROW) /* levels whose parts have a state of their own */

#define SDRAM_COMMAND_NAMES(X) \
	X(ACT) X(ACTF) X(ACTM) X(SASEL) X(PRE) X(PREF) X(PREM) X(PRE_OTHER) X(PREA) X(PREAF) X(PREAM) \
	X(RD) X(RDA) X(MIG) X(WR) X(WRA) X(REF) X(REFPB)
enum sdram_command {
#define X(name) SDRAM_##name,
	SDRAM_COMMAND_NAMES(X)
#undef X
	SDRAM_COMMANDS
};

/* The memories a row is for: bits of variants, and of the two generations of tables. A row fits if it has the memory's bit of each kind. */
enum sdram_for {
	SDRAM_VARIANTS = 0x1f, /* variant k of the standard is bit k; a standard without variants has bit 0 */
	SDRAM_TABLES_2023 = 0x20,
	SDRAM_TABLES_2018 = 0x40,
};

/* A condition of a row NEEDS, asked of a part of the memory. "Near" is a property of the row that the request wants. */
enum sdram_condition {
	SDRAM_IS_CLOSED,
	SDRAM_IS_CLOSED_AND_NEAR,
	SDRAM_IS_OPEN,
	SDRAM_HAS_OTHER_ROW, /* it is open, with another row or subarray than the wanted one */
	SDRAM_HAS_OTHER_ROW_AND_NEAR,
	SDRAM_HAS_OPEN_SIBLING, /* another subarray of the bank is open */
	SDRAM_IS_UNSELECTED,	/* its row is open, but it isn't the selected subarray */
	SDRAM_HAS_OPEN_BANK,	/* a bank or subarray of it is open */
	SDRAM_HAS_OPEN_BANK_AND_ALL_NEAR,
	SDRAM_CONDITIONS
};
enum sdram_effect_kind { SDRAM_OPENS, SDRAM_SELECTS, SDRAM_CLOSES, SDRAM_CLOSES_WITH_CHILD, SDRAM_CLOSES_ALL, SDRAM_EFFECTS };

struct sdram_command_row {
	uint8_t command;
	const char *name;
	uint8_t scope; /* enum sdram_level */
};
struct sdram_scope_row {
	uint8_t fits, command, scope;
};
struct sdram_needs_row {
	uint8_t fits, level, condition, command;
	uint32_t last; /* last commands of requests, 1 << enum sdram_command */
};
struct sdram_effect_row {
	uint8_t fits, level, effect;
	uint32_t commands;
};
struct sdram_level_row {
	uint8_t fits, level;
};
struct sdram_rule_row {
	uint8_t fits, level, nth; /* nth 0: the row holds siblings back */
	uint32_t before, after;
};
struct sdram_organisation {
	const char *name; /* without the standard's */
	uint32_t channels; /* 0: any number */
	uint32_t mbit, dq, groups, banks, rows, columns; /* rows: of a bank with all its subarrays */
};

#define SDRAM_PARAMETERS_MAX 24u
enum sdram_parameter_kind { SDRAM_OF_SPEED, SDRAM_OF_SIZE, SDRAM_OF_PAGE };
struct sdram_speed {
	const char *name; /* without the standard's */
	uint32_t rate;	  /* MT/s */
	int16_t at[SDRAM_PARAMETERS_MAX];
};
struct sdram_speed_part {
	uint8_t fits, speed;
	uint32_t key; /* Mbit, or bytes of a row */
	int16_t at[4];
};

#define SDRAM_RULES_MAX 64u
/* What depends on the parameters: cycles of each rule, in the order of the rows. */
struct sdram_times {
	int32_t rule[SDRAM_RULES_MAX];
	int32_t read_latency, burst; /* burst: cycles of the data bus for an access */
};

struct sdram_variant {
	const char *name;
};
struct sdram_standard {
	const char *name;
	uint32_t prefetch, width;
	uint8_t level[SDRAM_LEVELS]; /* enum sdram_level, those that it has */
	uint8_t n_levels;
	const struct sdram_variant *variant;
	const struct sdram_command_row *command;
	const struct sdram_scope_row *scope;
	const struct sdram_needs_row *needs;
	const struct sdram_effect_row *effect;
	const struct sdram_level_row *hit, *open;
	const struct sdram_rule_row *rule;
	const struct sdram_organisation *organisation;
	const struct sdram_speed *speed;
	const struct sdram_speed_part *by_size, *by_page;
	const uint8_t *parameter; /* enum sdram_parameter_kind of each */
	uint8_t n_variants, n_commands, n_scopes, n_needs, n_effects, n_hits, n_opens, n_rules, n_organisations, n_speeds, n_parameters;
	uint16_t n_by_size, n_by_page;
	/* Computes what depends on the parameters. */
	void (*times)(const int32_t *parameters, struct sdram_times *out);
	/* Returns the cycles between refreshes. */
	int32_t (*refresh_every)(const int32_t *parameters, unsigned fits);
};

extern const struct sdram_standard *const sdram_standards[];
extern const unsigned sdram_standard_count;

#endif
