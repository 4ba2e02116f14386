/* info limits: what cudaDeviceSetLimit and `set` can change. */
#include <inttypes.h>

#include "debug/scan.h"
#include "debug/info.h"

bool info_limits(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	static const char *const titles[] = {"<Setting", "Value", "<CUDA's name"};
	struct gpu_launch_info l;
	const uint32_t context = d->has_focus && gpu_launch_get(d->g, d->focus.launch, &l) ? l.launch.context : 0;
	struct table t;
	if (!scan_end(args, why))
		return false;
	table_init(&t, titles, 3);
	t.fit = d->settings.width;
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const struct gpu_limit_row *r = gpu_limit_row(k);
		table_row(&t, false);
		table_cell(&t, "%s", r->setting);
		table_cell(&t, "%" PRIu64, gpu_get_limit(d->g, context, k));
		table_cell(&t, "%s", r->name);
	}
	table_print(&t, out);
	text_addf(out, "Kernels' malloc has given %" PRIu64 " bytes.\n", gpu_kernel_heap(d->g, context));
	return true;
}
