/* Commands about buffers, their types and files, and the mode of launches. */
#ifndef COMMAND_SETUP_BUFFERS_H
#define COMMAND_SETUP_BUFFERS_H

#include "debug/debug.h"

/* Runs `buffer NAME TYPE[COUNT] [= INIT]` (debug_buffer_define). */
debug_answer_fn command_buffer;
/* Runs `struct NAME {TYPE FIELD, ...}` (debug_struct_define). */
debug_answer_fn command_struct;
/* Runs `texture NAME FORMAT[W[,H[,D]]] ... = INIT ...` (debug_texture_define). */
debug_answer_fn command_texture;
/* Runs `surface NAME FORMAT[W[,H[,D]]] ... = INIT` (debug_texture_define). */
debug_answer_fn command_surface;
/* Runs `bind TEXREF NAME` (debug_texture_bind). */
debug_answer_fn command_bind;
/* Runs `delete buffer NAME` (debug_buffer_delete). */
debug_answer_fn command_delete_buffer;
/* Runs `simulate all | none | NAME[#K]...` (debug_simulate). Without arguments answers what holds. */
debug_answer_fn command_simulate;
/* Runs `save NAME FILE`; NAME may be a slice NAME[A..B]. */
debug_answer_fn buffer_save;
/* Runs `compare NAME FILE [ABS [REL]]`. Fails if the contents differ; the answer then lists the first differences. */
debug_answer_fn command_compare;

#endif
