/* The DRAM standards: each file of rows becomes a struct sdram_standard. */
#include "timing/sdram/standard.h"

/* the words of the rows */
enum { CHANNEL = SDRAM_CHANNEL, RANK = SDRAM_RANK, GROUP = SDRAM_GROUP, BANK = SDRAM_BANK, SUBARRAY = SDRAM_SUBARRAY, ROW = SDRAM_ROW, COLUMN = SDRAM_COLUMN };
enum {
#define X(name) name = 1 << SDRAM_##name,
	SDRAM_COMMAND_NAMES(X)
#undef X
};
enum { ALL = SDRAM_VARIANTS | SDRAM_TABLES_2023 | SDRAM_TABLES_2018, NOT_2018 = SDRAM_VARIANTS | SDRAM_TABLES_2023, ONLY_2018 = SDRAM_VARIANTS | SDRAM_TABLES_2018 };
enum { SALP_1 = 1, SALP_2 = 2, SALP_MASA = 4, DSARP_REFAB = 1, DSARP_REFPB = 2, DSARP_DARP = 4, DSARP_SARP = 8, DSARP_DSARP = 16 };
enum { SIBLINGS = 0 };

/* the memories a row is for: a row that names only variants is for both generations of tables */
#define FITS(for) (uint8_t)((for) & (SDRAM_TABLES_2023 | SDRAM_TABLES_2018) ? (for) : (for) | SDRAM_TABLES_2023 | SDRAM_TABLES_2018)
/* a command of a set that has one */
#define ONE(command) (uint8_t)__builtin_ctz(command)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)

#define ID ddr3
#define ROWS "timing/sdram/ddr3.def"
#include "timing/sdram/standard_tables.def"
#define ID ddr4
#define ROWS "timing/sdram/ddr4.def"
#include "timing/sdram/standard_tables.def"
#define ID lpddr3
#define ROWS "timing/sdram/lpddr3.def"
#include "timing/sdram/standard_tables.def"
#define ID lpddr4
#define ROWS "timing/sdram/lpddr4.def"
#include "timing/sdram/standard_tables.def"
#define ID gddr5
#define ROWS "timing/sdram/gddr5.def"
#include "timing/sdram/standard_tables.def"
#define ID wideio
#define ROWS "timing/sdram/wideio.def"
#include "timing/sdram/standard_tables.def"
#define ID wideio2
#define ROWS "timing/sdram/wideio2.def"
#include "timing/sdram/standard_tables.def"
#define ID hbm
#define ROWS "timing/sdram/hbm.def"
#include "timing/sdram/standard_tables.def"
#define ID salp
#define ROWS "timing/sdram/salp.def"
#include "timing/sdram/standard_tables.def"
#define ID tldram
#define ROWS "timing/sdram/tldram.def"
#include "timing/sdram/standard_tables.def"
#define ID dsarp
#define ROWS "timing/sdram/dsarp.def"
#include "timing/sdram/standard_tables.def"

const struct sdram_standard *const sdram_standards[] = {&ddr3_standard,	   &ddr4_standard, &lpddr3_standard, &lpddr4_standard, &gddr5_standard, &wideio_standard,
							&wideio2_standard, &hbm_standard,  &salp_standard,   &tldram_standard, &dsarp_standard};
const unsigned sdram_standard_count = COUNT(sdram_standards);
