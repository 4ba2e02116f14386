/* Threads, frames, memory, registers and names as a user sees them: what the rooms of the debugger ask of this one. */
#ifndef DEBUG_VIEW_VIEW_H
#define DEBUG_VIEW_VIEW_H

#include "debug/expr/expr.h"
#include "debug/internal.h"
#include "debug/setup/buffer.h"
#include "debug/view/focus.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"

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

/* ---- what users see as frames: functions inlined into an activation count (frames.c) ---- */
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
/* Fills the frame that is `inlined` levels out of an activation's innermost one; `number` and `level` stay as they are. */
void debug_shown_frame_of(struct debug *d, const struct debug_frame *f, uint32_t inlined, struct debug_shown_frame *out);
/* Returns whether the frame's line is one of the CUDA source that the settings show. */
bool debug_shown_frame_is_cuda(struct debug *d, const struct debug_shown_frame *f);
bool debug_shown_frame(struct debug *d, const struct debug_where *w, uint64_t number, struct debug_shown_frame *out);
uint32_t debug_shown_frames(struct debug *d, const struct debug_where *w); /* how many */
uint32_t debug_selected_number(struct debug *d, const struct debug_where *w);
/* The selected frame's place, in the source the settings or the selection name; false: there is no frame. */
bool debug_selected_position(struct debug *d, struct debug_position *out);
void debug_shown_function(struct debug *d, const struct debug_shown_frame *f, struct text *out); /* its name */
/* Adds `number`, `function`, `pc`, `args`, `ptx` and `source` of a frame to the open object: `#1  0x58 in sum (n=3) at tree.ptx:33`. */
void describe_frame(struct debug *d, const struct debug_where *w, const struct debug_shown_frame *f, struct report *answer);

/* Adds the source line of a frame as people read it, `source_text`. */
void describe_frame_source(struct debug *d, const struct debug_shown_frame *f, struct report *answer);

/* The source line of a thread's innermost frame; nothing if there is no text. */
void debug_source_of(struct debug *d, const struct debug_where *w, struct text *out);

/* The basic block around an instruction of a function: [first, end). (block.c) */
void debug_block_at(const struct debug *d, const struct isa_function *f, uint32_t pc, uint32_t *first, uint32_t *end);
/* Can a kernel, by its number among the functions, come to a function: is it or calls it, others in between? (reach.c) */
bool debug_kernel_reaches(struct debug *d, uint32_t kernel, const struct isa_function *f);
/* One of CUDA's own functions; up to a NULL. By way of a pointer doesn't count. */
bool debug_kernel_calls(struct debug *d, uint32_t kernel, const char *const *names);

/* ---- memory as a thread sees it (memory.c) ---- */
bool debug_memory_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, uint64_t n);
bool debug_memory_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, uint64_t n);
/* Generic address of an address in a space; false with a message if it can't be one. */
bool debug_generic(enum isa_space space, uint64_t address, uint64_t *generic, struct text *why);
/* The allocation with a name that holds an address (the host's, too), and how far into it that is; NULL: none does. */
const struct gpu_allocation *debug_named_at(const struct debug *d, uint64_t generic, uint64_t *offset);
/* Appends the characters from an address as the focused thread sees it, up to a NUL, `most` or what can't be read; false: the first can't. */
bool debug_read_string(struct debug *d, uint64_t address, size_t most, struct text *out);
enum isa_space debug_space_of(uint64_t generic);
const char *debug_space_name(enum isa_space s); /* "global" */

/* "Cannot access ..." in the words of the space that was meant; always false. */
bool debug_access_fail(struct debug *d, const struct debug_where *w, uint64_t generic, struct text *why);

/* ---- values set in threads that have not started (poke.c) ---- */
void poke_add(struct debug *d, const struct debug_where *w, enum expr_place_kind kind, uint64_t at, const void *data,
	      uint64_t n);
void poke_overlay(const struct debug *d, const struct debug_where *w, enum expr_place_kind kind, uint64_t at, void *dst,
		  uint64_t n);
void poke_apply(struct debug *d); /* to the blocks that have started since */
void *pokes_remember(const struct debug *d, size_t *bytes); /* the caller frees it */
bool pokes_are(const struct debug *d, const void *pokes, size_t bytes);
void pokes_recall(struct debug *d, const void *pokes, size_t bytes);
struct record_reader;
void poke_record(const struct debug *d, struct text *out);
void poke_take(struct debug *d, struct record_reader *r); /* instead of those there are */
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
/* Bytes of a register of a type as rows hold it (8-bit ones live in 16). */
static inline unsigned debug_reg_bytes(enum isa_type t)
{
	unsigned n = isa_type_bytes(t);
	return n < 2 ? 2 : n;
}

/* ---- names (names.c) ---- */
struct debug_symbol {
	enum { SYMBOL_NONE, SYMBOL_REG, SYMBOL_VECTOR /* of registers */, SYMBOL_VARIABLE, SYMBOL_BUFFER } kind;
	struct isa_reg_place reg;
	const struct isa_variable *var;
	uint64_t generic;  /* address of a VARIABLE as the thread sees it */
	bool in_param_reg; /* VARIABLE that is a .reg parameter: ref in reg.ref */
	const struct debug_buffer *buffer;
	bool of_module; /* VARIABLE of a module, not of the function */
	bool ambiguous; /* nothing was found, as several modules have the name */
};
bool debug_lookup(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
		  struct debug_symbol *out);
/* Address of a module's variable; w: for what is in dynamic shared memory, may be NULL. */
uint64_t debug_variable_generic(const struct debug_where *w, const struct isa_variable *v);
/* Returns true if the generic address is one of constant memory, or behind it in its window; appends ` is in constant memory ...`. */
bool debug_is_constant_memory(const struct debug *d, uint64_t address, struct text *out);
/* The same of a function's, too, in an activation (NULL: none). */
uint64_t debug_variable_in(const struct debug_where *w, const struct debug_frame *f, const struct isa_variable *v);
/* A module's variable that a name outside of functions means, its own or the source's, whether or not a buffer hides it: `coef`, `A::coef`. */
bool debug_module_lookup(struct debug *d, const struct debug_frame *f, const char *name, size_t n,
			 struct debug_symbol *out);
/* Is a module's variable called so, without a namespace? And the buffer that a new one, of this name and in the source `plain`, would be
 * hidden by; NULL: none. */
bool debug_is_module_name(struct debug *d, const char *name, size_t n);
const struct debug_buffer *debug_buffer_of_module_name(const struct debug *d, const char *mangled, const char *plain);
/* Skips registers and parameters that are no array: what `NAME[` means when NAME is both. */
bool debug_lookup_array(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			size_t n, struct debug_symbol *out);

/* ---- modules (modules.c): 'MODULE'::NAME chooses one; the name of its PTX does it, too ---- */
#define DEBUG_ANY_MODULE UINT32_MAX
bool debug_module_named(struct debug *d, const char *name, size_t n, uint32_t *module);
size_t debug_module_prefix(const char *name, size_t n); /* length of 'MODULE'::, 0: there is none */
/* Takes it away; *module is DEBUG_ANY_MODULE without one. False: there is no such module. */
bool debug_module_chosen(struct debug *d, const char **name, size_t *n, uint32_t *module);
/* `'a.ptx'::scale, 'b.ptx'::scale`, for names that are in these files. */
void debug_module_choices(struct debug *d, const uint32_t *files, size_t n_files, const char *name, size_t n,
			  struct text *out);

/* Fails: nothing has that name in a function, or (NULL) anywhere. If the function came from CUDA without its variables, says what would
 * bring them. */
bool debug_no_symbol(struct debug *d, const struct isa_function *f, const char *name, struct text *why);

/* ---- what `info cuda` is to be about (focus_cmd.c): coordinates, as `cuda` takes them ---- */
struct debug_cuda_filter {
	bool logical, block, thread; /* of a kernel, a block, one thread */
	bool physical, core, warp;   /* of a core, a warp */
	uint32_t core_number;
	bool has_thread;
	struct debug_where w; /* the thread that the coordinates say; without any the focus */
};
bool debug_cuda_filter(struct debug *d, const char *args, struct debug_cuda_filter *out, struct text *why);

/* ---- many threads as few runs (threads.c), places as text ---- */
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
/* Where lanes of an entry stand: those that have come to a barrier stand at it until it opens, not at what comes next. */
uint32_t debug_standing_pc(const struct exec_warp *w, const struct exec_simt *e, uint32_t lanes);
void debug_split3(uint64_t linear, const uint32_t dims[3], uint32_t out[3]);
/* Resident blocks' slots, by core then slot; returns the number. The caller frees *slots. */
size_t debug_resident_slots(struct debug *d, uint32_t **slots);
/* Resident blocks of a launch, in the order of the grid; likewise. */
size_t debug_resident_of(struct debug *d, uint32_t launch, const struct exec_cta ***blocks);
void debug_place_text(struct debug *d, uint32_t pc, struct text *out); /* vecadd.ptx:33 (vecadd.cu:5) */
/* Adds the innermost frame of a thread whose line is the user's own, if the line `shown` isn't: `, called from insert at hash.cu:10`. Returns
 * false if nothing was added. */
bool debug_called_from_text(struct debug *d, const struct debug_where *w, struct debug_position shown, struct text *out);
/* Adds both for a lane of a resident warp that is at pc. Returns true if it names a caller. */
bool debug_lane_place_text(struct debug *d, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out);
/* The same for the device's own texts: gpu_name_places. */
gpu_place_fn debug_name_place;
/* Forgets which file was listed or stopped in last. */
void view_forget_files(struct debug *d);
/* Notes that the machine has stopped in a file. */
void view_stopped_in(struct debug *d, uint32_t file);
/* Returns the file last listed (*listed) or else stopped in. Returns false if there is none. */
bool view_last_file(const struct debug *d, bool *listed, uint32_t *file);
bool debug_find_file(struct debug *d, const char *name, size_t n, uint32_t *file);
bool debug_find_label(struct debug *d, const char *name, size_t n, uint32_t *pc);
/* What `list` begins with: the selected frame's place, else where the last kernel begins. */
bool debug_default_position(struct debug *d, struct debug_position *out);
/* The file of a LINE without one: last listed or stopped in, at first the PTX loaded last. */
bool debug_line_file(struct debug *d, uint32_t *file);
const char *debug_state_name(const struct thread_run *r);

void debug_names_changed(
	struct debug *d); /* functions.c: prepares short names of functions loaded since the last call */
/* Does a name, as users write functions', fit the one of PTX? */
bool debug_name_fits(struct debug *d, const char *name, size_t n, const char *function);
void debug_inlined_free(struct debug *d); /* inlined.c */

/* Where a space begins in generic addresses. */
uint64_t access_window(enum isa_space space);
/* Where a lane's access by the instruction goes, a generic address, from the registers of an activation as they are now. */
uint64_t access_address(struct debug *d, const struct isa_insn *i, uint64_t frame, const struct debug_where *lane);

#endif
