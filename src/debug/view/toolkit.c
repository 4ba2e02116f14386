/* Which of the program's files are headers of the toolkit or the compiler. */
#include "debug/view/toolkit.h"

#include <string.h>

#include "base/toolkit.h"
#include "base/xalloc.h"
#include "debug/ground/ground.h"
#include "debug/view/inlined.h"
#include "debug/view/room.h"
#include "debug/view/source.h"

bool debug_is_toolkit_header(struct debug *d, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	if (file >= p->n_files || p->files[file].frontend)
		return false;
	if (d->view->n_toolkit < p->n_files) {
		d->view->toolkit = xrealloc(d->view->toolkit, p->n_files);
		memset(d->view->toolkit + d->view->n_toolkit, 0, p->n_files - d->view->n_toolkit);
		d->view->n_toolkit = p->n_files;
	}
	if (!d->view->toolkit[file])
		d->view->toolkit[file] = toolkit_is_header(p->files[file].name) ? 'y' : 'n';
	return d->view->toolkit[file] == 'y';
}

uint32_t debug_own_loc(struct debug *d, uint32_t pc)
{
	uint32_t loc = debug_loc_at(d, pc);
	for (uint32_t depth = 0; loc != ISA_NO_LOC && depth <= DEBUG_INLINED_MAX; depth++) {
		if (!debug_is_toolkit_header(d, debug_loc(d, loc)->file))
			return loc;
		loc = debug_loc_outer(d, loc);
	}
	return ISA_NO_LOC;
}
