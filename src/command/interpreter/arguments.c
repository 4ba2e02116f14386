/* Words of a command's arguments. */
#include <string.h>

#include "base/xalloc.h"
#include "command/interpreter/interpreter.h"

bool argument_abbreviates(const char *args, size_t n, const char *word, size_t least)
{
	return n >= least && n <= strlen(word) && !strncmp(args, word, n);
}

char *argument_unquoted(const char *args)
{
	size_t n = strlen(args);
	if (n >= 2 && (*args == '"' || *args == '\'') && args[n - 1] == *args)
		return xstrndup(args + 1, n - 2);
	return xstrdup(args);
}
