/* The answers that only the page of `report` shows. Inside src/command/picture only. */
#ifndef COMMAND_PICTURE_PAGE_H
#define COMMAND_PICTURE_PAGE_H

#include "debug/debug.h"
#include "debug/ground/ground.h"

/* Adds `functions` that were executed, with instructions and blocks, and `files` with their text. */
debug_answer_fn describe_program;

#endif
