/* Names of headers that came with the toolkit or the compiler. */
#ifndef BASE_TOOLKIT_H
#define BASE_TOOLKIT_H

#include <stdbool.h>

/* Returns true if a file's name (as .file has it) is that of a header of the CUDA toolkit: by where it lies, or by its name, wherever it lies. */
bool toolkit_is_header(const char *path);

#endif
