/* The log file of samples that AerialVision shows (GPGPU-Sim's visualizer log). */
#ifndef REPL_VISUALIZER_LOG_H
#define REPL_VISUALIZER_LOG_H

#include "command/interpreter/interpreter.h"

struct repl_samples;
/* Opens the log in performance mode if -visualizer_outputfile, or -visualizer_enabled 1 on the command line, asks for one. Returns NULL if none does,
 * or, with the error printed, if the file can't be written. */
struct repl_samples *repl_samples_begin(struct interpreter *in);
/* Puts the file in the place of an earlier one. Returns false, and leaves the earlier one, if the log could not be written. */
bool repl_samples_end(struct interpreter *in, struct repl_samples *s);

#endif
