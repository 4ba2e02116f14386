#include "isa/texture.h"

const struct isa_geometry_info isa_geometry_info[ISA_GEOMETRIES] = {
	[ISA_GEOMETRY_1D] = {"1d", 0, 1, 1, 1, false, false, false},
	[ISA_GEOMETRY_2D] = {"2d", 0, 2, 2, 2, false, false, false},
	[ISA_GEOMETRY_3D] = {"3d", 0, 3, 4, 3, false, false, false},
	[ISA_GEOMETRY_A1D] = {"a1d", 1, 1, 2, 1, true, false, false},
	[ISA_GEOMETRY_A2D] = {"a2d", 1, 2, 4, 2, true, false, false},
	[ISA_GEOMETRY_CUBE] = {"cube", 0, 3, 4, 3, false, true, false},
	[ISA_GEOMETRY_ACUBE] = {"acube", 1, 3, 4, 3, true, true, false},
	[ISA_GEOMETRY_2DMS] = {"2dms", 1, 2, 4, 2, false, false, true},
	[ISA_GEOMETRY_A2DMS] = {"a2dms", 2, 2, 4, 2, true, false, true},
};

const char *const isa_texture_query_names[ISA_QUERIES] = {
	[ISA_QUERY_WIDTH] = "width",
	[ISA_QUERY_HEIGHT] = "height",
	[ISA_QUERY_DEPTH] = "depth",
	[ISA_QUERY_CHANNEL_TYPE] = "channel_data_type",
	[ISA_QUERY_CHANNEL_ORDER] = "channel_order",
	[ISA_QUERY_NORMALIZED] = "normalized_coords",
	[ISA_QUERY_ARRAY_SIZE] = "array_size",
	[ISA_QUERY_LEVELS] = "num_mipmap_levels",
	[ISA_QUERY_SAMPLES] = "num_samples",
	[ISA_QUERY_UNNORMALIZED] = "force_unnormalized_coords",
	[ISA_QUERY_FILTER] = "filter_mode",
	[ISA_QUERY_ADDRESS_0] = "addr_mode_0",
	[ISA_QUERY_ADDRESS_1] = "addr_mode_1",
	[ISA_QUERY_ADDRESS_2] = "addr_mode_2",
	[ISA_QUERY_LAYOUT] = "memory_layout",
};
