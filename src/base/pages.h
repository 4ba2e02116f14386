/* Memory in pages straight from the host: of zeros, and given back as soon as it isn't needed, where malloc would keep it for later. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stdint.h>

/* Address space that begins where a large page may: pages cost something only when they are touched, and there may be more of them than
 * the host has. NULL: refused. */
void *pages_reserve(uint64_t bytes);
/* Memory to be filled. NULL: the host hasn't got that much. */
void *pages_take(uint64_t bytes);
/* What was reserved becomes more, perhaps elsewhere, with what it holds. NULL: refused, nothing has changed. */
void *pages_grow(void *p, uint64_t bytes, uint64_t more);
/* Gives whole pages back: they read as zero again. */
void pages_drop(void *p, uint64_t bytes);
/* The same also where they are pages of a file that others have: those read zeros, too. */
void pages_zero(void *p, uint64_t bytes);
/* The end of what was reserved or taken; NULL: nothing. */
void pages_free(void *p, uint64_t bytes);

#endif
