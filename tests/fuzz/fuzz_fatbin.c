/* Any bytes are a fat binary or none; what its entries unpack to is read as a cubin, too. And they are an object, or an archive, or none. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/module/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void look_at(const struct fatbin_entry *e, const struct fatbin_reader *r)
{
	struct text why = {0}, names = {0};
	size_t size;
	char *bytes = e->n_unpacked < 1 << 24 ? fatbin_unpack(e, r, &size, &why) : NULL;
	if (bytes) {
		assert(size <= e->n_unpacked && !bytes[size]);
		char *exact = malloc(size ? size : 1); /* a read past the end is found */
		memcpy(exact, bytes, size);
		fatbin_cubin_kernels(exact, size, &names);
		free(exact);
	}
	free(bytes);
	text_free(&why);
	text_free(&names);
}

static void link_to(enum wire_link kind, const uint8_t *data, size_t n)
{
	struct linker *l = linker_create(75);
	struct module_log log = {0};
	const enum wire_status error = linker_add(l, kind, data, n, "input", &log);
	assert(error != WIRE_NO_BINARY || log.error.n);
	module_log_free(&log);
	linker_destroy(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	link_to(WIRE_LINK_OBJECT, data, n);
	link_to(WIRE_LINK_LIBRARY, data, n);
	struct fatbin_bytes b = {data, n};
	struct fatbin_reader r = fatbin_reader_of(&b);
	struct fatbin f = {0};
	struct text why = {0};
	uint32_t units;
	bool exceeds;
	bool ok = fatbin_add(&f, &r, 0, 0, &why) || fatbin_add_wrapped(&f, &r, 0, &units, &why);
	assert(ok || why.n);
	for (size_t k = 0; k < f.n; k++)
		look_at(&f.entries[k], &r);
	fatbin_choose(&f, 0, n ? data[n - 1] : 0, &exceeds);
	fatbin_free(&f);
	text_free(&why);
	return 0;
}
