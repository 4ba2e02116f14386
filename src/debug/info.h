/* The functions behind `info`; inside src/debug only. */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include "debug/internal.h"

debug_text_fn info_line, info_source, info_symbol, info_address;	       /* list.c */
debug_text_fn info_scope, info_types;					       /* clocals.c */
debug_text_fn info_registers, info_locals, info_args, info_lanes, info_frame;  /* registers.c */
debug_text_fn info_threads, info_warps, info_blocks, info_kernels, info_cores; /* info_machine.c */
debug_text_fn info_simt, info_barriers, info_divergence, info_occupancy;       /* info_warp.c */
debug_text_fn info_statistics;						       /* statistics.c */
debug_text_fn info_functions, info_buffers, info_launches, info_config, info_program, info_variables,
	info_allocations; /* info.c */
debug_text_fn cuda_devices, cuda_sms, cuda_warps, cuda_lanes, cuda_kernels, cuda_blocks, cuda_threads, cuda_barriers,
	cuda_line;

#endif
