/* The file of executed instructions and their registers, -gpgpu_ptx_inst_debug_to_file. */
#ifndef REPL_INST_LOG_H
#define REPL_INST_LOG_H

#include "command/interpreter/interpreter.h"

struct repl_inst_log;
/* Opens the file if -gpgpu_ptx_inst_debug_to_file asks for one. Returns NULL if it doesn't, or, with the error printed, if the file can't be written.
 * */
struct repl_inst_log *repl_inst_log_begin(struct interpreter *in);
/* Puts the file in the place of an earlier one. Returns false, and leaves the earlier one, if it could not be written. */
bool repl_inst_log_end(struct interpreter *in, struct repl_inst_log *l);

#endif
