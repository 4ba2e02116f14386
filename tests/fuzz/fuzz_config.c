/* Configuration files of any bytes, read as a file and as text of the command line: values or diagnostics with a place, nothing
 * else. Includes only reach the file itself, which the depth limit must end. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gpu/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_diags(const struct diag_list *diags, bool ok, bool has_place)
{
	assert(ok == !diags->n_errors);
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->v[i];
		assert(d->message && !strchr(d->message, '\n'));
		assert(!has_place || !d->file || (d->line >= 1 && d->col >= 1));
	}
}

/* What is known of a configuration can be shown and decoded, whatever was read. */
static void use(struct config *c, struct diag_list *diags, bool ok)
{
	struct text out = {0};
	struct config_device device;
	bool finished = config_finish(c, diags);
	assert(config_print(c, NULL, &out));
	if (ok && finished) {
		config_device(c, &device);
		assert(device.n_clusters);
		config_kernel_registers(c, "k");
	}
	text_free(&out);
}

static void read_as_file(const char *path)
{
	struct config *c = config_create();
	struct diag_list diags;
	diag_list_init(&diags);
	bool ok = config_load_file(c, path, &diags);
	check_diags(&diags, ok, true);
	use(c, &diags, ok);
	diag_list_free(&diags);
	config_free(c);
}

static void read_as_text(const uint8_t *data, size_t size)
{
	struct config *c = config_create();
	struct diag_list diags;
	diag_list_init(&diags);
	char *text = xstrndup((const char *)data, size);
	bool ok = config_set_text(c, text, &diags);
	check_diags(&diags, ok, false);
	use(c, &diags, ok);
	free(text);
	diag_list_free(&diags);
	config_free(c);
}

/* A name with a slash could reach any file, a device that never ends among them. */
static bool reaches_outside(const uint8_t *data, size_t size)
{
	return memmem(data, size, "-config", 7) && (memchr(data, '/', size) || memmem(data, size, "..", 2));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[64];
	if (fd < 0) {
		fd = memfd_create("fuzz.config", 0);
		assert(fd >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	if (reaches_outside(data, size))
		return 0;
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	read_as_file(path);
	read_as_text(data, size);
	return 0;
}
