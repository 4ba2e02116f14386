/* info limits: what cudaDeviceSetLimit and `set` can change. */
#include <inttypes.h>

#include "debug/ground/scan.h"
#include "command/info.h"

bool info_limits(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	static const char *const titles[] = {"<Setting", "Value", "<CUDA's name"};
	struct gpu_launch_info l;
	const uint32_t context = d->has_focus && gpu_launch_get(d->g, d->focus.launch, &l) ? l.launch.context : 0;
	if (!scan_end(args, why))
		return false;
	report_table(answer, "limits", titles, 3);
	for (unsigned k = 0; k < GPU_LIMITS; k++) {
		const struct gpu_limit_row *r = gpu_limit_row(k);
		report_row(answer, false);
		report_text(answer, NULL, r->setting);
		report_number(answer, NULL, gpu_get_limit(d->g, context, k));
		report_text(answer, NULL, r->name);
	}
	report_close(answer);
	report_number(answer, "heap_bytes", gpu_kernel_heap(d->g, context));
	report_line(answer, "Kernels' malloc has given {heap_bytes} bytes.\n");
	return true;
}
