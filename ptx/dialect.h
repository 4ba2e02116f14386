/* A language whose files have PTX's declarations and statements, but instructions of its own. Its front end loads them with ptx_load_dialect. */
#ifndef PTX_DIALECT_H
#define PTX_DIALECT_H

#include <stdbool.h>

#include "isa/frontend.h"
#include "ptx/lower.h"
#include "ptx/parse.h"

struct ptx_dialect {
	/* Parses a statement of the module that PTX lacks. Returns false if the current token begins none; *ok says whether it was right. */
	bool (*item)(struct ptx_parser *p, bool *ok);
	/* Parses an instruction, from its guard to its semicolon, into *in, and stays in front of the semicolon. Returns false after an error. */
	bool (*instruction)(struct ptx_parser *p, struct ptx_insn *in);
	/* Returns the type that a register declared with a type gets. */
	enum isa_type (*register_type)(enum isa_type declared);
	/* Called when the module's variables have their places. */
	void (*placed)(struct lower *l);
	/* Called before a function's registers get their places: returns the predicate slots that it needs besides. */
	uint32_t (*slots)(struct lower *l);
	/* Called when they have them. */
	void (*begin)(struct lower *l);
	/* Lowers an instruction into l->insn, with l->writes, l->reads and the operands. */
	void (*lower)(struct lower *l, const struct ptx_insn *in);
	/* Called when all of a function's instructions are lowered, before blocks are made of them. */
	void (*end)(struct lower *l);
};

/* Loads a text of a dialect as ptx_frontend loads PTX. `frontend` is the dialect's row. */
bool ptx_load_dialect(struct isa_program *p, const struct isa_text *t, const struct ptx_dialect *dialect, const struct isa_frontend *frontend,
		      struct diag_list *diags);
/* Parses an instruction of PTX behind its guard, up to its semicolon, into *insn. Returns false after an error. */
bool ptx_parse_unguarded(struct ptx_parser *p, struct ptx_insn *insn);
/* Lowers an instruction of PTX in a function of a dialect. Keeps l->insn.guard, and the registers that are noted as read. */
void lower_plain(struct lower *l, const struct ptx_insn *in);
/* Appends the text of an instruction, on one line without comments. */
void ptx_list(const struct isa_program *p, uint32_t insn, struct text *out);

#endif
