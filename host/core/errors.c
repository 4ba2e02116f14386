/* Names and texts of errors, for both APIs. */
#include "host/host.h"

struct error {
	int number;
	const char *name, *of_driver, *text; /* name, text: NULL if the driver API alone has the error; of_driver: NULL if the runtime alone has it */
};

static const struct error errors[] = {
#define ERROR(name, of_driver, number, text) {number, #name, #of_driver, text},
#define RUNTIME_ERROR(name, number, text) {number, #name, NULL, text},
#define DRIVER_ERROR(name, number) {number, NULL, #name, NULL},
#include "host/core/errors.def"
#undef ERROR
#undef RUNTIME_ERROR
#undef DRIVER_ERROR
};

static const struct error *error_of(int number)
{
	for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
		if (errors[k].number == number)
			return &errors[k];
	return NULL;
}

API_OF(const char *, cudaGetErrorString)(int error)
{
	const struct error *e = error_of(error);
	return e && e->text ? e->text : "unrecognized error code";
}

API_OF(const char *, cudaGetErrorName)(int error)
{
	const struct error *e = error_of(error);
	return e && e->name ? e->name : "unrecognized error code";
}

API(cuGetErrorName)(int error, const char **name)
{
	const struct error *e = error_of(error);
	if (name)
		*name = e ? e->of_driver : NULL;
	return name && *name ? 0 : cudaErrorInvalidValue;
}

API(cuGetErrorString)(int error, const char **text)
{
	const char *name;
	if (!text)
		return cudaErrorInvalidValue;
	*text = ws_cuGetErrorName(error, &name) ? NULL : ws_cudaGetErrorString(error);
	return *text ? 0 : cudaErrorInvalidValue;
}
