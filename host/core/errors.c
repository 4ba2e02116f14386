/* Names and texts of errors. */
#include "host/host.h"

static const struct {
	int number;
	const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {number, #name, text},
#include "host/core/errors.def"
#undef ERROR
};

API_OF(const char *, cudaGetErrorString)(int error)
{
	for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
		if (errors[k].number == error)
			return errors[k].text;
	return "unrecognized error code";
}

API_OF(const char *, cudaGetErrorName)(int error)
{
	for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
		if (errors[k].number == error)
			return errors[k].name;
	return "unrecognized error code";
}
