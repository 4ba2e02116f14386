/* Any bytes must parse to a tree or to errors, each with a place in the text and one line of message. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_operand(const struct ptx_operand *o, unsigned depth)
{
	assert(depth < 4);
	assert(o->kind != PTX_OP_NONE && o->kind <= PTX_OP_LIST);
	if (o->kind == PTX_OP_REG || o->kind == PTX_OP_SYMBOL)
		assert(o->symbol && (!o->symbol->count || o->number < o->symbol->count));
	if (o->kind == PTX_OP_VECTOR || o->kind == PTX_OP_ADDRESS || o->kind == PTX_OP_TEXADDR ||
	    o->kind == PTX_OP_PAIR || o->kind == PTX_OP_LIST || o->kind == PTX_OP_SUM)
		for (unsigned i = 0; i < o->n_elems; i++)
			check_operand(&o->elems[i], depth + 1);
}

static void check_function(const struct ptx_function *f)
{
	for (uint32_t i = 0; i < f->n_insns; i++) {
		const struct ptx_insn *in = &f->insns[i];

		assert(in->opcode && in->at < in->end);
		for (unsigned k = 0; k < in->n_operands; k++)
			check_operand(&in->operands[k], 0);
	}
	for (uint32_t i = 0; i < f->n_labels; i++)
		assert(f->labels[i]->label_at <= f->n_insns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = malloc(n ? n : 1);
	struct diag_list diags = {0};

	if (!text)
		return 0;
	memcpy(text, data, n);
	struct ptx_module m = {.file = "fuzz.ptx", .text = text, .n_text = n, .diags = &diags};
	bool ok = ptx_parse(&m);

	assert(ok == !diags.n_errors);
	for (size_t i = 0; i < diags.n; i++) {
		assert(diags.v[i].line >= 1 && diags.v[i].col >= 1 && !strchr(diags.v[i].message, '\n'));
		assert(diags.v[i].line <= m.n_lines);
	}
	for (const struct ptx_function *f = m.functions; ok && f; f = f->next)
		check_function(f);
	ptx_module_free(&m);
	diag_list_free(&diags);
	free(text);
	return 0;
}
