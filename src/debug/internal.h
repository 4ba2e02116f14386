/* What the files of the debugger share. Nobody outside src/debug includes this. */
#ifndef DEBUG_INTERNAL_H
#define DEBUG_INTERNAL_H

#include "base/hash.h"
#include "base/pool.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "debug/debug.h"
#include "debug/expr/expr.h"
#include "debug/view/focus.h"
#include "debug/expr/format.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"

struct debug_variable {
	char *name;
	struct expr_value value;
};

/* Lines of a CUDA source read on demand; parallel to the program's files. */
struct debug_source {
	bool tried;
	char *text; /* owned, NULL: not readable (or a PTX file, whose text the program holds) */
	char *path; /* it was read from; owned */
	size_t n_text;
	uint32_t *line_start;
	uint32_t n_lines;
};

/* A warp that stands on instructions whose breakpoints were already reported: it doesn't hit them again. */
struct debug_stood {
	uint32_t launch, warp;
	uint64_t cta, executed;
};
#define DEBUG_STOOD 64

/* A memory access of a warp that had executed so many instructions before it (access.h). */
struct debug_access {
	uint32_t launch, warp;
	uint64_t cta, executed;
	uint32_t pc;
	struct exec_access a; /* an address for each lane that executes it */
};

struct debug {
	struct gpu *g;
	struct debug_host host;
	struct debug_settings settings;
	uint64_t changes;

	bool has_focus;
	struct debug_thread focus;
	uint32_t frame;	 /* selected by up and down: activation, */
	uint32_t inlined; /* and level of inlining in it, 0 the innermost */
	uint32_t unentered, unentered_pc; /* inlined functions in front of which a warp stands, and where (inlined.h) */
	struct debug_stood unentered_by;

	struct debug_stop last;
	bool has_last;

	struct breakpoint **bps;
	size_t n_bps, cap_bps;
	uint32_t next_number, next_internal;
	bool marks_stale; /* marks have to be written anew before the next run */
	struct debug_stood stood[DEBUG_STOOD];
	uint32_t n_stood, next_stood;
	bool hit_passed; /* breakpoint_check_code has counted a hit that was to be ignored, or has printed for it */

	struct debug_buffer *buffers;
	size_t n_buffers, cap_buffers;

	struct expr_value *history;
	size_t n_history, cap_history;
	struct debug_variable *variables;
	size_t n_variables, cap_variables;

	struct debug_source *sources;
	uint32_t n_sources;
	char searched_path[sizeof((struct debug_settings *)0)->source_path]; /* settings.source_path when they were looked for */

	bool told_warm, told_split; /* that caches are; that a load was written in parts */
	char *last_launch;	     /* its text; memory was marked behind it (gpu_memory_mark) */
	struct pool names;	     /* demangled names without parameters, found by PTX name */
	struct hash_map short_names; /* -> index into short_list */
	const char **short_list;
	size_t n_short, cap_short;

	/* x: where it goes on, with what */
	uint64_t x_next;
	struct format_spec x_spec;
	struct expr_value x_last; /* $__ */
	bool x_valid;
	bool has_access;
	struct debug_access access; /* the one the focused warp stood in front of when the machine last began to run */
	/* list: lines shown last */
	uint32_t list_file, list_first, list_last;
	bool list_valid;
	bool list_counts; /* with `list /s` */
	uint32_t shown_file; /* last listed or stopped in */
	bool has_shown_file;

	/* pages whose flags are set for watchpoints */
	struct {
		uint64_t first, last;
	} * armed;
	size_t n_armed, cap_armed;

	struct debug_poke *pokes; /* values set in blocks that have not started (poke.c) */
	size_t n_pokes, cap_pokes;

	struct { /* PTX_SIM_DEBUG: what is printed, of whom (0: all), and the counts in its lines */
		int level;
		uint64_t uid, n;
		uint32_t *executed; /* by uid */
		size_t cap;
		void (*write)(void *self, const char *s, size_t n); /* a log besides; NULL: none */
		void *write_self;
		uint64_t write_uid;
	} trace;
	struct looking *looking; /* performance mode (dump_internal.h) */
	struct debug_inlined *inlined_code; /* inlined functions by the debug information; NULL: nobody has asked yet */
	struct cnames *cnames; /* what the source calls things; NULL: nobody has asked yet */
	char *toolkit;	       /* of each file: is it a header of the toolkit, 'y', 'n', 0: not yet known (toolkit.c) */
	uint32_t n_toolkit;
};

static inline const struct isa_program *debug_program(const struct debug *d) { return gpu_program(d->g); }

/* Ends a failing command: the line goes to `why`, false comes back. */
__attribute__((format(printf, 2, 3))) bool debug_fail(struct text *why, const char *fmt, ...);

/* A line for the user beside the results. */
__attribute__((format(printf, 2, 3))) void debug_note(struct debug *d, const char *fmt, ...);

void debug_changed(struct debug *d);
void debug_poked(
	struct debug *d); /* a user changed memory or registers: what the device knows about spinning warps is void */

static inline bool debug_same_thread(const struct debug_thread *a, const struct debug_thread *b)
{
	return a->launch == b->launch && a->cta == b->cta && a->thread == b->thread;
}

/* ---- frames of a thread, innermost first ---- */
struct debug_frame {
	const struct isa_function *function;
	uint32_t pc;	/* its next instruction; in outer frames the call that is under way */
	uint64_t frame; /* offset in section FRAME; valid only for live threads */
	uint32_t local_sp;
	uint32_t depth; /* call depth: 0 the kernel */
	bool has_state; /* registers exist: false for threads not yet placed (all zero) and finished ones */
	bool waiting;	/* not yet placed: registers read as zero */
};
/* Frame number `level`; false if there are not so many. */
bool debug_frame_get(struct debug *d, const struct debug_where *w, uint32_t level, struct debug_frame *out);
/* A walk over the activations, for those who want many: begin, then up until it says false. */
struct debug_frame_walk {
	const struct exec_simt *first, *entry;
	uint32_t pc;
};
bool debug_frames_begin(struct debug *d, const struct debug_where *w, struct debug_frame_walk *walk);
bool debug_frames_up(struct debug_frame_walk *walk);

/* ---- what users see as frames: functions inlined into an activation count (backtrace.c) ---- */
struct debug_shown_frame {
	uint32_t number;	 /* as `bt` counts */
	uint32_t level, inlined; /* activation, level of inlining in it */
	bool is_inlined;	 /* a function that was inlined; else the activation's own */
	struct debug_frame frame;
	struct debug_position cuda; /* line 0: none */
	const char *function;	    /* is_inlined: mangled name or NULL */
};
/* The innermost frame of the focus becomes the selected one. */
void debug_select_innermost(struct debug *d);
bool debug_shown_frame(struct debug *d, const struct debug_where *w, uint64_t number, struct debug_shown_frame *out);
uint32_t debug_shown_frames(struct debug *d, const struct debug_where *w); /* how many */
uint32_t debug_selected_number(struct debug *d, const struct debug_where *w);
/* The selected frame's place, in the source the settings or the selection name; false: there is no frame. */
bool debug_selected_position(struct debug *d, struct debug_position *out);
void debug_shown_function(struct debug *d, const struct debug_shown_frame *f, struct text *out); /* its name */
/* `#1  0x58 in sum (n=3) at tree.ptx:33`, with the source line below if asked. */
void debug_shown_frame_text(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *f, bool with_source,
			    struct text *out);

/* The source line of a thread's innermost frame; nothing if there is no text. */
void debug_source_of(struct debug *d, const struct debug_where *w, struct text *out);

/* ---- the source's variables of a frame (clocals.c); false: nothing is known of them ---- */
/* `void (int, float *)`, with `inner` in front of the parameters; of the source's types, or of PTX's. */
void debug_function_type(struct debug *d, const struct isa_function *f, const char *inner, struct text *out);
bool clocals_show(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool arguments, struct text *out);
/* ` (n=3, p=0x80000000 <A>)`, of the function that is `inlined` levels up in the frame. */
bool clocals_arguments(struct debug *d, const struct debug_where *w, const struct debug_frame *f, uint32_t inlined,
		       struct text *out);

/* The basic block around an instruction of a function: [first, end). (block.c) */
void debug_block_at(const struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t *first, uint32_t *end);
/* Can a kernel, by its number among the functions, come to a function: is it or calls it, others in between? (reach.c) */
bool debug_kernel_reaches(struct debug *d, uint32_t kernel, const struct isa_function *f);

/* ---- memory as a thread sees it (memory.c) ---- */
bool debug_memory_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, uint64_t n);
bool debug_memory_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, uint64_t n);
/* Generic address of an address in a space; false with a message if it can't be one. */
bool debug_generic(enum isa_space space, uint64_t address, uint64_t *generic, struct text *why);
/* Appends the characters from an address as the focused thread sees it, up to a NUL, `most` or what can't be read; false: the first can't. */
bool debug_read_string(struct debug *d, uint64_t address, size_t most, struct text *out);
enum isa_space debug_space_of(uint64_t generic);
const char *debug_space_name(enum isa_space s); /* "global" */

/* "Cannot access ..." in the words of the space that was meant; always false. */
bool debug_access_fail(struct debug *d, const struct debug_where *w, uint64_t generic, struct text *why);

/* ---- values set in threads that have not started (poke.c) ---- */
void poke_add(struct debug *d, const struct debug_where *w, enum expr_place_kind kind, uint64_t at, const void *data, uint64_t n);
void poke_overlay(const struct debug *d, const struct debug_where *w, enum expr_place_kind kind, uint64_t at, void *dst, uint64_t n);
void poke_apply(struct debug *d); /* to the blocks that have started since */
void poke_write_marks(struct debug *d, uint8_t *marks);

/* ---- registers (memory.c): of a lane; in threads that have not started zero, or what was set ---- */
void debug_row_lane(const char *row, unsigned lane, unsigned bytes, void *out);
void debug_row_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		    void *out);
void debug_row_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		     const void *in);
bool debug_pred_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot);
void debug_pred_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot, bool v);
/* A special register of a thread by name with its dimension ("%tid.x"); false: no such. */
bool debug_special_read(struct debug *d, const struct debug_where *w, const char *name, size_t n,
			struct expr_value *out);
/* TYPE[COUNT] of a buffer, or of a variable whose type only its user knows; *s moves behind it (buffer.c). */
struct init;
bool debug_parse_shape(struct debug *d, const char **s, struct init *f, struct text *why);
/* Bytes of a register of a type as rows hold it (8-bit ones live in 16). */
static inline unsigned debug_reg_bytes(enum isa_type t)
{
	unsigned n = isa_type_bytes(t);
	return n < 2 ? 2 : n;
}

/* ---- values (value.c) ---- */
void value_int(struct expr_value *v, enum isa_type t, uint64_t bits); /* wraps to the type */
void value_float(struct expr_value *v, enum isa_type t, double x);    /* rounds to the type */
void value_pointer(struct expr_value *v, enum isa_type t, unsigned levels, uint64_t address);
/* From and to little-endian bytes of v->type (pointers: 8 bytes). */
void value_load(struct expr_value *v, enum isa_type t, unsigned pointers, const void *bytes);
void value_store(const struct expr_value *v, void *bytes);
void value_object_decay(struct expr_value *v);
unsigned value_element_bytes(const struct expr_value *v);
bool value_convert(struct expr_value *v, enum isa_type t, unsigned pointers, struct text *why);
const char *value_type_text(const struct expr_value *v, struct text *out); /* "f32 *", "s32 [4]"; returns out's text */
static inline bool value_is_pointer(const struct expr_value *v)
{
	return v->pointers || (v->c && ctype_value(v->c)->kind == CTYPE_POINTER);
}
static inline bool value_is_number(const struct expr_value *v)
{
	return !v->is_array && !v->is_object && !v->is_string && v->type != ISA_NOTYPE;
}
/* Converts a number a user wrote to a type it has to fit: no lost fraction, no overflow; .bN take a float's bits. */
bool value_fit(struct expr_value *v, enum isa_type t, struct text *why);
/* Element i of an array value as a scalar with its place. */
void value_element(const struct expr_value *array, uint64_t i, struct expr_value *out);

/* A value of one of the source's types from its bytes (cvalue.c); bit_size: a bit-field in them, 0: none. */
void cvalue_of_bytes(const struct ctype *t, const void *bytes, unsigned bit_size, unsigned bit_shift, struct expr_value *out);

/* ---- names (names.c) ---- */
struct debug_symbol {
	enum { SYMBOL_NONE, SYMBOL_REG, SYMBOL_VECTOR /* of registers */, SYMBOL_VARIABLE, SYMBOL_BUFFER } kind;
	struct isa_reg_place reg;
	const struct isa_variable *var;
	uint64_t generic;  /* address of a VARIABLE as the thread sees it */
	bool in_param_reg; /* VARIABLE that is a .reg parameter: ref in reg.ref */
	const struct debug_buffer *buffer;
	bool of_module; /* VARIABLE of a module, not of the function */
};
bool debug_lookup(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
		  struct debug_symbol *out);
/* Address of a module's variable; w: for what is in dynamic shared memory, may be NULL. */
uint64_t debug_variable_generic(const struct debug_where *w, const struct isa_variable *v);
/* The same of a function's, too, in an activation (NULL: none). */
uint64_t debug_variable_in(const struct debug_where *w, const struct debug_frame *f, const struct isa_variable *v);
/* A module's variable that a name outside of functions means, its own or the source's, whether or not a buffer hides it: `coef`, `A::coef`. */
bool debug_module_lookup(struct debug *d, const struct debug_frame *f, const char *name, size_t n, struct debug_symbol *out);
/* Is a module's variable called so, without a namespace? And the buffer that a new one, of this name and in the source `plain`, would be
 * hidden by; NULL: none. */
bool debug_is_module_name(struct debug *d, const char *name, size_t n);
const struct debug_buffer *debug_buffer_of_module_name(const struct debug *d, const char *mangled, const char *plain);
/* Skips registers and parameters that are no array: what `NAME[` means when NAME is both. */
bool debug_lookup_array(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			size_t n, struct debug_symbol *out);

/* Fails: nothing has that name in a function, or (NULL) anywhere. If the function came from CUDA without its variables, says what would
 * bring them. */
bool debug_no_symbol(struct debug *d, const struct isa_function *f, const char *name, struct text *why);

/* ---- breakpoints' inside (breakpoint.c, match.c, watch.c) ---- */
/* A lane that is about to execute an instruction: thread, warp and instruction of an event. */
struct debug_hit {
	struct debug_thread thread; /* of lane 0 of the warp */
	struct exec_cta *cta;
	uint32_t warp, pc;
	uint32_t active;    /* lanes of the SIMT stack's top entry */
	uint32_t executing; /* those of them whose guard is true */
};
bool debug_hit_of(struct debug *d, const struct gpu_event *ev, struct debug_hit *out);
/* Lanes of `lanes` that a breakpoint is meant for: uid, thread, block, warp and condition. `note` gets a condition's error. */
uint32_t breakpoint_lanes(struct debug *d, struct breakpoint *b, const struct debug_hit *h, uint32_t lanes,
			  struct text *note);
/* Counts a hit; false if it is to be ignored. */
bool breakpoint_count_hit(struct breakpoint *b);
/* Adds a breakpoint to the reasons of a stop, deletes it if temporary. */
void breakpoint_report(struct debug *d, struct breakpoint *b, struct debug_stop *stop);
/* Moves the focus: to the focused lane if it is among `lanes`, else to the lowest of them. */
void debug_focus_on(struct debug *d, const struct debug_hit *h, uint32_t lanes);
/* Code breakpoints and catchpoints at a marked instruction; true: stop is filled. */
bool breakpoint_check_code(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* `Catchpoint 1 (exit)`. */
void debug_catch_text(const struct breakpoint *b, struct text *out);
/* divergence.c: the parts of a warp's lanes that a branch sends to different places; n is 1 where it parts none, 0 where it is no branch. */
struct debug_parts {
	unsigned n;
	uint32_t pc[LANES + 1], lanes[LANES + 1];
};
void debug_parts_ahead(struct debug *d, const struct debug_hit *h, struct debug_parts *out);
bool debug_diverges(struct debug *d, const struct debug_hit *h);
/* `lanes 0x000000ff go to k.ptx:19, lanes 0xffffff00 to k.ptx:16` */
void debug_divergence_text(struct debug *d, const struct debug_hit *h, struct text *out);
/* `catch divergence after`: whether one wants to stop behind the branch that is about to execute; and, when it has, the stop. */
bool breakpoint_wants_split(struct debug *d, const struct debug_hit *h);
bool breakpoint_check_split(struct debug *d, const struct debug_hit *h, struct debug_stop *stop);
/* Catchpoints of the machine (launch, exit, exception, kernel NAME). */
bool breakpoint_check_event(struct debug *d, enum breakpoint_catch what, uint32_t launch, struct debug_stop *stop);
bool breakpoint_wants_launches(const struct debug *d);
void breakpoint_write_marks(struct debug *d);

/* Watchpoints: which are concerned by what is about to happen, and what came of it. */
struct watch_pending {
	struct breakpoint *b;
	uint32_t lanes; /* that touch it */
	uint32_t pc;	/* the instruction that does; a call for what its return writes */
};
#define WATCH_PENDING_MAX 32
size_t watch_find_registers(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
size_t watch_find_access(struct debug *d, const struct debug_hit *h, struct watch_pending *out);
/* After the instruction was executed: compares, reports. */
bool watch_check(struct debug *d, const struct debug_hit *h, const struct watch_pending *p, size_t n,
		 const struct exec_access *access, struct debug_stop *stop);
void watch_arm(struct debug *d);     /* page flags and switches for the watchpoints there are */
void watch_forget_launches(struct debug *d); /* they are about to vanish, and their numbers to come again */
void watch_refresh(struct debug *d); /* takes present values as the old ones */
bool watch_call_writes(const struct debug *d, const struct breakpoint *b, uint32_t pc); /* a call whose return writes the register */
bool watch_any_memory(const struct debug *d);
bool watch_any_field(const struct debug *d);
/* At the end of a cycle: the machine's fields that are watched. */
bool watch_check_fields(struct debug *d, struct debug_stop *stop);
bool watch_looks_at(const struct debug *d, const struct breakpoint *b, uint32_t pc); /* names the register it is on */
bool watch_read_value(struct debug *d, const struct breakpoint *b, unsigned char *out);

struct breakpoint *breakpoint_new(struct debug *d, enum breakpoint_kind kind, bool internal);
void breakpoint_drop(struct debug *d, struct breakpoint *b);
void breakpoint_resolve_all(struct debug *d, struct text *notes);
/* What is looked up again after a load, of a location as it was written, which is freed if it is another. */
char *breakpoint_lasting_location(struct debug *d, const struct debug_location *l, char *written);
bool breakpoint_fits(struct debug *d, const struct breakpoint *b,
		     const struct debug_where *w); /* uid, thread, block, warp */

#define MARK_BREAK 1u
#define MARK_GOAL 2u  /* run control's own */
#define MARK_WATCH 4u /* writes or reads a watched register */
#define MARK_CATCH 8u
#define MARK_POKE 32u /* a block that starts here has values waiting for it */
#define MARK_TRACE 16u /* is printed when executed */

/* TYPE [*...] at *s, PTX's names and C's (expr_type.c); *s moves behind it. False: none is there. */
bool expr_parse_type(const char **s, enum isa_type *t, uint8_t *pointers);
/* Evaluates n bytes of text without a thread: numbers, buffers, variables. */
bool debug_eval_text(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
/* The same for a number or an address: an array in memory says where it is, its elements aren't read. */
bool debug_eval_number(struct debug *d, const char *s, size_t n, struct expr_value *out, struct text *why);
bool debug_eval_count(struct debug *d, const char *s, size_t n, uint64_t *out, struct text *why); /* >= 0 */

/* ---- what `info cuda` is to be about (focus_cmd.c): coordinates, as `cuda` takes them ---- */
struct debug_cuda_filter {
	bool logical, block, thread; /* of a kernel, a block, one thread */
	bool physical, core, warp;   /* of a core, a warp */
	uint32_t core_number;
	bool has_thread;
	struct debug_where w; /* the thread that the coordinates say; without any the focus */
};
bool debug_cuda_filter(struct debug *d, const char *args, struct debug_cuda_filter *out, struct text *why);

/* ---- tables and thread runs (table.c, threads.c) ---- */
/* Rows of cells, columns as wide as their widest cell. A title that begins with < is a left-aligned column. */
struct table {
	const char *const *titles;
	unsigned n_columns;
	char **cells;
	bool *starred;
	size_t n_rows, cap_cells, cap_rows;
	char **groups; /* a line above the row, or NULL */
	uint32_t
		fit; /* columns of the screen: a wider table becomes several, one below the other; 0: one in any case */
};
void table_init(struct table *t, const char *const *titles, unsigned n_columns);
void table_row(struct table *t, bool starred); /* begins a row */
void table_group(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3))); /* line above the newest row */
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_dim3(struct table *t, const uint32_t v[3]);
void table_print(struct table *t, struct text *out); /* and frees */
/* Appends lines; those wider than the screen, if there is one, are broken at blanks, and the rest of them is indented. */
void debug_wrap(const struct debug *d, struct text *lines, struct text *out);

/* Neighbouring threads of a launch, in uid order, that stand at one place in one state. */
struct thread_run {
	uint64_t first, last; /* linear in the launch */
	uint32_t pc;
	enum debug_thread_state state;
	bool waits; /* at a barrier */
	bool has_focus;
};
typedef void thread_run_fn(void *self, const struct exec_launch *l, const struct thread_run *r);
void debug_thread_runs(struct debug *d, uint32_t launch, bool resident_only, thread_run_fn *fn, void *self);
/* The user wants no more of what is being done. */
static inline bool debug_interrupted(const struct debug *d) { return d->host.interrupt && *d->host.interrupt; }
/* Where lanes of an entry stand: those that have come to a barrier stand at it until it opens, not at what comes next. */
uint32_t debug_standing_pc(const struct exec_warp *w, const struct exec_simt *e, uint32_t lanes);
void debug_split3(uint64_t linear, const uint32_t dims[3], uint32_t out[3]);
/* Resident blocks' slots, by core then slot; returns the number. The caller frees *slots. */
size_t debug_resident_slots(struct debug *d, uint32_t **slots);
void debug_place_text(struct debug *d, uint32_t pc, struct text *out); /* vecadd.ptx:33 (vecadd.cu:5) */
bool debug_find_file(struct debug *d, const char *name, size_t n, uint32_t *file);
bool debug_find_label(struct debug *d, const char *name, size_t n, uint32_t *pc);
/* What `list` begins with: the selected frame's place, else where the last kernel begins. */
bool debug_default_position(struct debug *d, struct debug_position *out);
/* The file of a LINE without one: last listed or stopped in, at first the PTX loaded last. */
bool debug_line_file(struct debug *d, uint32_t *file);
const char *debug_state_name(const struct thread_run *r);

void debug_names_changed(struct debug *d); /* functions.c: prepares short names of functions loaded since the last call */
/* Does a name, as users write functions', fit the one of PTX? */
bool debug_name_fits(struct debug *d, const char *name, size_t n, const char *function);
void debug_inlined_free(struct debug *d); /* inlined.c */

/* ---- stops (stop.c) ---- */
void stop_exception(struct debug *d, const struct gpu_event *ev, struct debug_stop *stop);
void stop_kernel_line(struct debug *d, uint32_t launch, const char *what,
		      struct text *out); /* Kernel 0 vecadd finished */
void stop_stepped(struct debug *d, struct debug_stop *stop);
/* Fills what every stop has, sees that the focus is on a thread that lives, hands out the device's output. */
void stop_finish(struct debug *d, struct debug_stop *stop);

/* ---- runs (run.c) ---- */
bool run_freely(struct debug *d, struct debug_stop *stop); /* until something stops the machine; true */
bool run_finish(struct debug *d, struct debug_stop *stop); /* what ends every command that runs; true */

/* ---- text of inputs (scan.c) ---- */
const char *scan_blanks(const char *s);
bool scan_word(const char **s, const char *word); /* takes `word` if it stands there as a whole word */
size_t scan_name(const char *s);		  /* length of an identifier, 0: none */
bool scan_u64(const char **s, uint64_t *out);	  /* decimal or 0x; false: no number */
bool scan_dim3(const char **s, uint32_t out[3], unsigned *n,
	       struct text *why); /* (X,Y,Z), (X,Y), (X), X, X,Y,Z; missing ones 0 */
/* Length of the part up to a comma, closing bracket or (if stop_blank) blank outside of brackets and strings. */
size_t scan_part(const char *s, bool stop_blank);
bool scan_end(const char *s, struct text *why); /* nothing but blanks left */

#endif
