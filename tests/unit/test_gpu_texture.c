/* Texture and surface objects are state of the device: handles, owners, references, and what going back in time and a reset leave of them. */
#include "base/arena_marks.h"
#include "base/pool.h"
#include "gpu/rewind/rewind.h"
#include "gpu/texture.h"
#include "stream_device.h"

static struct gpu_texture rows_at(uint64_t address)
{
	return (struct gpu_texture){.texels = {.kind = GPU_TEXELS_ROWS, .address = address, .width = 16, .height = 4, .pitch = 512, .bits = {32}, .format = 2},
				    .sampler = {.address = {1, 1, 1}, .filter = 1}};
}

static uint64_t create(struct gpu *g, struct gpu_texture t)
{
	return (uint64_t)in(g, (struct gpu_input){.kind = GPU_INPUT_TEXTURE, .texture = {&t}});
}

static int64_t destroy(struct gpu *g, uint32_t context, uint64_t handle, bool is_surface)
{
	return in(g, (struct gpu_input){.kind = GPU_INPUT_TEXTURE_DESTROY, .texture_destroy = {handle, context, is_surface}});
}

static int64_t bind(struct gpu *g, uint64_t variable, uint64_t address)
{
	struct gpu_texture t = rows_at(address);
	t.variable = variable;
	return in(g, (struct gpu_input){.kind = GPU_INPUT_TEXTURE_BIND, .texture = {&t}});
}

static void handles(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	const uint64_t p = gpu_alloc(g, 2048, "p"), a = create(g, rows_at(p)), b = create(g, rows_at(p + 512));
	assert_true(a && b && a != b);
	assert_int_equal(a & ((UINT64_C(1) << GPU_TEXTURE_SHIFT) - 1), p);
	assert_int_equal(gpu_texture_at(g, a)->texels.height, 4);
	assert_int_equal(gpu_texture_at(g, b)->texels.address, p + 512);
	const uint64_t none[] = {0, p, 5, a + 1, a + (UINT64_C(7) << GPU_TEXTURE_SHIFT), UINT64_MAX};
	for (unsigned k = 0; k < sizeof none / sizeof *none; k++) {
		assert_null(gpu_texture_at(g, none[k]));
		assert_int_equal(destroy(g, 0, none[k], false), 0);
	}
	assert_int_equal(destroy(g, 0, a, true), 0); /* no surface */
	assert_int_equal(destroy(g, 1, a, false), 0); /* another context's */
	assert_int_equal(destroy(g, 0, a, false), 1);
	assert_int_equal(destroy(g, 0, a, false), 0);
	assert_null(gpu_texture_at(g, a));
	assert_non_null(gpu_texture_at(g, b));
}

static void wrong_descriptions(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	struct gpu_texture t = rows_at(0);
	assert_int_equal(create(g, t), 0);
	t.texels.address = UINT64_C(1) << GPU_TEXTURE_SHIFT;
	assert_int_equal(create(g, t), 0);
	t = rows_at(4096);
	t.texels.kind = GPU_TEXELS_ROWS + 1;
	assert_int_equal(create(g, t), 0);
	t = rows_at(4096);
	t.context = GPU_CONTEXTS;
	assert_int_equal(create(g, t), 0);
	t = rows_at(4096);
	t.is_surface = 2;
	assert_int_equal(create(g, t), 0);
}

/* A binding makes an object, whose handle the variable holds; it is replaced by the next binding, and isn't the program's to destroy. */
static void references(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	const uint64_t p = gpu_alloc(g, 2048, "p"), variable = gpu_alloc(g, 8, "reference");
	uint64_t first = 0, second = 0, now = 1;
	assert_int_equal(bind(g, variable, p), 1);
	assert_true(gpu_read(g, variable, &first, sizeof first));
	assert_int_equal(gpu_texture_at(g, first)->texels.address, p);
	assert_int_equal(destroy(g, 0, first, false), 0);
	assert_int_equal(bind(g, variable, p + 1024), 1);
	assert_true(gpu_read(g, variable, &second, sizeof second));
	assert_int_equal(gpu_texture_at(g, second)->texels.address, p + 1024);
	assert_null(gpu_texture_at(g, first));
	assert_int_equal(bind(g, variable, 0), 1);
	assert_true(gpu_read(g, variable, &now, sizeof now));
	assert_int_equal(now, 0);
	assert_null(gpu_texture_at(g, second));
	assert_int_equal(bind(g, variable + 4096, p), 0); /* no memory there */
}

static void end_of_a_context(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	struct gpu_texture t = rows_at(4096);
	assert_int_equal(in(g, (struct gpu_input){.kind = GPU_INPUT_CONTEXT, .of_context = {1}}), 1);
	const uint64_t mine = create(g, t);
	t.context = 1;
	const uint64_t its = create(g, t);
	in(g, (struct gpu_input){.kind = GPU_INPUT_CONTEXT_END, .of_context = {1}});
	assert_null(gpu_texture_at(g, its));
	assert_non_null(gpu_texture_at(g, mine));
	in(g, (struct gpu_input){.kind = GPU_INPUT_RESET}); /* what the host has made stays */
	assert_non_null(gpu_texture_at(g, mine));
}

/* The arena has all of it: at an earlier state an object that was made since isn't there, and one that was destroyed since is. */
static void going_back(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	struct gpu_beside beside;
	const uint64_t a = create(g, rows_at(4096));
	gpu_keep_beside(g, &beside);
	const uint64_t mark = arena_mark_whole(gpu_arena(g));
	assert_true(mark);
	const uint64_t b = create(g, rows_at(8192));
	assert_int_equal(destroy(g, 0, a, false), 1);
	assert_true(arena_go_back(gpu_arena(g), mark));
	gpu_revive(g, &beside);
	assert_non_null(gpu_texture_at(g, a));
	assert_null(gpu_texture_at(g, b));
	assert_int_equal(create(g, rows_at(8192)), b); /* the same run again */
}

static void a_journal_owns_its_copy(void **state)
{
	struct gpu *g = ((struct streams *)*state)->g;
	struct gpu_texture t = rows_at(4096);
	const struct gpu_input create_it = {.kind = GPU_INPUT_TEXTURE, .texture = {&t}};
	struct gpu_input kept;
	struct pool pool = {0};
	gpu_input_keep(g, &create_it, 1, &pool, &kept);
	t.texels.height = 0;
	assert_int_equal(gpu_texture_at(g, (uint64_t)in(g, kept))->texels.height, 4);
	pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FUNCTIONAL(handles),	      FUNCTIONAL(wrong_descriptions),
		FUNCTIONAL(references),	      FUNCTIONAL(end_of_a_context),
		FUNCTIONAL(going_back),	      FUNCTIONAL(a_journal_owns_its_copy),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
