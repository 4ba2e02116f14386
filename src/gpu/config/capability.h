/* GPUs by compute capability, and the configurations cc10 to cc120 made of them. */
#ifndef GPU_CONFIG_CAPABILITY_H
#define GPU_CONFIG_CAPABILITY_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/config/allocation.h"
#include "timing/core/textbook.h"

struct config;
struct diag_list;
struct text;

struct capability {
	uint32_t number; /* 86: 8.6 */
	struct textbook_config textbook; /* is_on is false: the option says so */
	uint32_t schedulers;
	struct allocation_rules rules;
};
/* Returns the GPU of a compute capability, 86 for 8.6. Returns NULL if there is no row. */
const struct capability *capability_find(uint32_t number);
/* Returns row k of the table, in ascending order. Returns NULL if there are fewer. */
const struct capability *capability_at(unsigned k);
/* Reads a compute capability, `8.6` or `86`, that the table has. Returns NULL if the text is none. */
const struct capability *capability_parse(const char *text);
/* Appends the numbers of all rows, `1.0, 1.1`. */
void capability_list(struct text *out);

/* Sets the options of a configuration that is named by a compute capability, as `cc35`: one textbook SM with the limits of 3.5. Returns false if the
 * name is no such name, or there were errors, which are in `diags`. */
bool config_load_capability(struct config *c, const char *name, struct diag_list *diags);
/* Returns whether `name` names a configuration that config_load_capability makes, as `cc35` does. */
bool config_is_capability(const char *name);

#endif
