/* Threads, frames, memory, registers and names as a user sees them: for other folders of the debugger. */
#ifndef DEBUG_VIEW_VIEW_H
#define DEBUG_VIEW_VIEW_H

#include "debug/ground/ground.h"
#include "debug/buffers/buffers.h"
#include "debug/view/focus.h"
#include "debug/view/frame.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "debug/view/toolkit.h"

/* ---- what users see as frames: functions inlined into an activation count (frames.c) ---- */
struct debug_shown_frame {
	uint32_t number;	 /* as `bt` counts */
	uint32_t level, inlined; /* activation, level of inlining in it */
	bool is_inlined;	 /* a function that was inlined; else the activation's own */
	struct debug_frame frame;
	struct debug_position cuda; /* line 0: none */
	const char *function;	    /* is_inlined: mangled name or NULL */
};
/* Selects the innermost frame of the focus; inlined calls that are not entered yet don't count. */
void debug_select_innermost(struct debug *d);
/* Fills the frame that is `inlined` levels out of activation *f's innermost one; out->number and out->level stay as they are. */
void debug_shown_frame_of(struct debug *d, const struct debug_frame *f, uint32_t inlined, struct debug_shown_frame *out);
/* Returns true if the frame is at least one level of inlining out of its activation's innermost frame and its CUDA line's file is readable. */
bool debug_shown_frame_is_cuda(struct debug *d, const struct debug_shown_frame *f);
/* Fills the frame that `bt` shows under `number`, from 0. Returns false if the thread hasn't so many frames. */
bool debug_shown_frame(struct debug *d, const struct debug_where *w, uint64_t number, struct debug_shown_frame *out);
/* Returns the number of frames that `bt` shows for a thread, at least 1; inlined functions that the thread hasn't entered don't count. */
uint32_t debug_shown_frames(struct debug *d, const struct debug_where *w);
/* Returns the number, as `bt` counts, of the selected frame. */
uint32_t debug_selected_number(struct debug *d, const struct debug_where *w);
/* Stores the position of the focus's selected frame. The position is the frame's CUDA line if debug_shown_frame_is_cuda is true, else that of
 * debug_position_at. Returns false if there is no focus or no such frame. */
bool debug_selected_position(struct debug *d, struct debug_position *out);
/* Appends the name of a frame's function, `inlined code` if an inlined one has none. */
void debug_shown_function(struct debug *d, const struct debug_shown_frame *f, struct text *out);

/* Appends the source line at which stops show a thread, with its number, and after a CUDA line the thread's instruction. Appends nothing for a PTX
 * line without text. */
void debug_source_of(struct debug *d, const struct debug_where *w, struct text *out);

/* Returns whether a kernel, by its number among the functions, is `f` or may call `f`, directly or not. A call through a pointer may reach every
 * function but kernels. (reach.c) */
bool debug_kernel_reaches(struct debug *d, uint32_t kernel, const struct isa_function *f);
/* Returns whether a kernel may call, directly or not, an undefined function with one of the names, a list that ends with NULL. Calls through pointers
 * don't count. */
bool debug_kernel_calls(struct debug *d, uint32_t kernel, const char *const *names);

/* ---- memory as a thread sees it (memory.c) ---- */
/* Reads n bytes at a generic address as the thread sees it; before the thread's block has begun, shared and local memory hold zeros or what was set.
 * If `w` is NULL, only global and constant memory can be read. Returns false if a byte can't be read; `dst` is undefined then. */
bool debug_memory_read(struct debug *d, const struct debug_where *w, uint64_t generic, void *dst, uint64_t n);
/* Writes n bytes at a generic address as the thread sees it; shared and local bytes are kept until the thread's block begins. If `w` is NULL, only
 * global and constant memory can be written. Returns false if the bytes can't be written. The caller notes the change with debug_poked. */
bool debug_memory_write(struct debug *d, const struct debug_where *w, uint64_t generic, const void *src, uint64_t n);
/* Converts an address in a space to a generic address; a generic address of that space, and any of global memory, stays. Returns false, with an error
 * in `why`, if the space has no such address. */
bool debug_generic(enum isa_space space, uint64_t address, uint64_t *generic, struct text *why);
/* Returns the live allocation with a name that holds an address, and stores the offset from the start of its object (gpu_allocation_start). The
 * address may be the host's of memory that host and device share. Returns NULL, storing nothing, if there is none. */
const struct gpu_allocation *debug_named_at(const struct debug *d, uint64_t generic, uint64_t *offset);
/* Appends the characters from an address on, as the focused thread (or none) sees memory. Ends at a NUL, after `most` characters, or at the first
 * unreadable one. Returns false if the first one can't be read; an empty string is read. */
bool debug_read_string(struct debug *d, uint64_t address, size_t most, struct text *out);
/* Returns the space whose window holds a generic address, ISA_SPACE_GLOBAL if no window does. */
enum isa_space debug_space_of(uint64_t generic);
/* Returns the name of a space: "global". */
const char *debug_space_name(enum isa_space s);

/* Appends the error "Cannot access ..." for a generic address to `why`, in the words of the address's space. Returns false. */
bool debug_access_fail(struct debug *d, const struct debug_where *w, uint64_t generic, struct text *why);

/* ---- values set in threads that have not started (poke.c) ---- */
enum poke_kind { POKE_NOWHERE, POKE_MEMORY, POKE_ROW, POKE_PRED };
/* Keeps n bytes that poke_apply stores when the block of thread w->thread has started; later ones override earlier ones. `at` is a row ref, a
 * predicate slot or a generic address, as `kind` says. */
void poke_add(struct debug *d, const struct debug_where *w, enum poke_kind kind, uint64_t at, const void *data,
	      uint64_t n);
/* Copies kept bytes of kind `kind` over `dst`, which holds n bytes read at `at`. Bytes kept for the thread count, and those for its block's shared
 * memory. Does nothing if none are kept there. */
void poke_overlay(const struct debug *d, const struct debug_where *w, enum poke_kind kind, uint64_t at, void *dst,
		  uint64_t n);
/* Stores the kept bytes of threads whose blocks have started since. Forgets these bytes, and those of blocks that are over or gone. Does nothing while
 * the machine is in its past: recorded inputs then store them. */
void poke_apply(struct debug *d);
/* Returns a copy, of *bytes bytes, of the values kept for threads that have not started. The caller frees it with free(). */
void *pokes_remember(const struct debug *d, size_t *bytes);
/* Returns whether the values kept for threads that have not started equal a copy of pokes_remember. */
bool pokes_are(const struct debug *d, const void *pokes, size_t bytes);
/* Replaces the values kept for threads that have not started by a copy of pokes_remember, which stays the caller's. */
void pokes_recall(struct debug *d, const void *pokes, size_t bytes);
struct record_reader;
/* Appends the values kept for threads that have not started to a checkpoint's record. */
void poke_record(const struct debug *d, struct text *out);
/* Replaces the values kept for threads that have not started by those of a checkpoint's record. */
void poke_take(struct debug *d, struct record_reader *r);
/* Adds MARK_POKE to the first instruction's mark of each kernel for whose threads values are kept; `marks` are by instruction. */
void poke_write_marks(struct debug *d, uint8_t *marks);

/* ---- registers (memory.c): of a lane; in threads that have not started zero, or what was set ---- */
/* Copies the `bytes` bytes of one lane out of a register row; values of 16 bytes are there in two halves. */
void debug_row_lane(const char *row, unsigned lane, unsigned bytes, void *out);
/* Reads a thread's register of `bytes` bytes. `frame` is the activation's offset in section FRAME. In a thread without a warp the value is zero or
 * what was set. */
void debug_row_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		    void *out);
/* Writes a thread's register of `bytes` bytes. In a thread without a warp the value is kept until its block starts; constant rows stay as they are.
 * The caller notes the change with debug_poked. */
void debug_row_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t ref, unsigned bytes,
		     const void *in);
/* Returns a thread's predicate. In a thread without a warp the predicate is false or what was set. */
bool debug_pred_read(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot);
/* Sets a thread's predicate. In a thread without a warp the value is kept until its block starts. The caller notes the change with debug_poked. */
void debug_pred_write(struct debug *d, const struct debug_where *w, uint64_t frame, uint32_t slot, bool v);
/* Returns the bytes of a register of a type as rows hold it, 2 at least. */
static inline unsigned debug_reg_bytes(enum isa_type t)
{
	unsigned n = isa_type_bytes(t);
	return n < 2 ? 2 : n;
}

/* ---- names (names.c) ---- */
struct debug_symbol {
	enum { SYMBOL_NONE, SYMBOL_REG, SYMBOL_VECTOR /* of registers */, SYMBOL_VARIABLE, SYMBOL_BUFFER, SYMBOL_FREED } kind;
	struct isa_reg_place reg;
	const struct isa_variable *var;
	uint64_t generic;  /* address of a VARIABLE as the thread sees it */
	bool in_param_reg; /* VARIABLE that is a .reg parameter: ref in reg.ref */
	const struct debug_buffer *buffer;
	const struct gpu_allocation *freed; /* FREED: a program's allocation whose bytes are still there */
	bool of_module; /* VARIABLE of a module, not of the function */
	bool ambiguous; /* nothing was found, as several modules have the name */
};
/* Finds what a name means: register, vector, parameter, variable of the function, buffer, variable of a module, name in the source, freed allocation. Without `f`
 * (NULL) functions' own names are skipped; `w` may be NULL. Returns false if there is none, or several (out->ambiguous). */
bool debug_lookup(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, size_t n,
		  struct debug_symbol *out);
/* Returns the generic address of a module's variable, as debug_variable_in does without an activation. */
uint64_t debug_variable_generic(const struct debug_where *w, const struct isa_variable *v);
/* Returns whether a generic address is in the window of constant memory, and the program has constant memory. Then appends ` is in constant memory
 * ...`, or how far past the end of constant memory the address is. */
bool debug_is_constant_memory(const struct debug *d, uint64_t address, struct text *out);
/* Returns the generic address of a variable of a module, or of the function of activation `f`. Without `w` (NULL) dynamic shared memory begins at
 * offset 0, without `f` the local frame does. */
uint64_t debug_variable_in(const struct debug_where *w, const struct debug_frame *f, const struct isa_variable *v);
/* Finds the module variable that a name outside of functions means, PTX's or the source's: `coef`, `A::coef`. Buffers don't hide it. Returns false
 * if there is none, or several (out->ambiguous). */
bool debug_module_lookup(struct debug *d, const struct debug_frame *f, const char *name, size_t n,
			 struct debug_symbol *out);
/* Returns whether a loaded module's variable has this name of n bytes, in the PTX, or in the source outside of namespaces. */
bool debug_is_module_name(struct debug *d, const char *name, size_t n);
/* Returns the first buffer that would hide a new module variable, `mangled` in the PTX, `plain` in the source (may be NULL). Returns NULL if there is
 * none. */
const struct debug_buffer *debug_buffer_of_module_name(const struct debug *d, const char *mangled, const char *plain);
/* Finds the array, vector or buffer that `NAME[` means; skips registers, and parameters and variables that are no array or vector. Finds a freed
 * allocation last. Returns false if there is none, or the name is ambiguous (out->ambiguous). `f` may be NULL. */
bool debug_lookup_array(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			size_t n, struct debug_symbol *out);

/* ---- modules (modules.c): 'MODULE'::NAME chooses one; the name of its PTX does it, too ---- */
#define DEBUG_ANY_MODULE UINT32_MAX
#define DEBUG_ANY_FILE UINT32_MAX
/* Where a name is looked up. */
struct debug_chosen {
	uint32_t module; /* DEBUG_ANY_MODULE: everywhere */
	uint32_t file;	 /* PTX file of that module whose own names come first; DEBUG_ANY_FILE: none was chosen */
};
/* Stores the newest loaded module with a name of n bytes; out->file is DEBUG_ANY_FILE. If there is none, stores the PTX file with that name, or the
 * only one made from the source with that name, with its module. Returns false if there is none. */
bool debug_module_named(struct debug *d, const char *name, size_t n, struct debug_chosen *out);
/* Appends the error that debug_module_named finds nothing. Returns false. */
bool debug_module_fail(struct debug *d, const char *name, size_t n, struct text *why);
/* Returns the length of 'MODULE':: at the start of a name, 0 if there is none. */
size_t debug_module_prefix(const char *name, size_t n);
/* Removes 'MODULE':: from the front of a name and stores what it names; without such a prefix the name is looked up everywhere. Returns false, with the prefix
 * removed, if nothing has that name. */
bool debug_module_chosen(struct debug *d, const char **name, size_t *n, struct debug_chosen *out);
/* Appends `'a.ptx'::scale, 'b.ptx'::scale` for a name that is in these files; 8 at most, then `, ...`. */
void debug_module_choices(struct debug *d, const uint32_t *files, size_t n_files, const char *name, size_t n,
			  struct text *out);

/* Appends the error that no symbol has a name, in a function or (NULL) anywhere, and why: several modules have it, or CUDA variables need `nvcc -G`.
 * Returns false. */
bool debug_no_symbol(struct debug *d, const struct isa_function *f, const char *name, struct text *why);

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
/* Calls `fn` with `self` for each run of a launch's threads, in uid order; with `resident_only` only for threads of resident blocks. Does nothing if
 * there is no such launch. */
void debug_thread_runs(struct debug *d, uint32_t launch, bool resident_only, thread_run_fn *fn, void *self);
/* Returns the instruction at which `lanes` of SIMT entry *e stand: the barrier's if one of them waits at the warp's barrier, else e->pc. */
uint32_t debug_standing_pc(const struct exec_warp *w, const struct exec_simt *e, uint32_t lanes);
/* Splits a linear index into three coordinates, x first. */
void debug_split3(uint64_t linear, const uint32_t dims[3], uint32_t out[3]);
/* Stores the slots of resident blocks, by core, then by slot, and returns their number. The caller frees *slots. */
size_t debug_resident_slots(struct debug *d, uint32_t **slots);
/* Stores the resident blocks of a launch, in the order of the grid, and returns their number. The caller frees the array *blocks; the blocks stay
 * the device's. */
size_t debug_resident_of(struct debug *d, uint32_t launch, const struct exec_cta ***blocks);
/* Appends the PTX position of an instruction, and the CUDA line that it counts as, if any: `vecadd.ptx:33 (vecadd.cu:5)`. */
void debug_place_text(struct debug *d, uint32_t pc, struct text *out);
/* Adds `, called from insert at hash.cu:10`, the thread's innermost frame at a user's line, unless line `shown` is already a user's (not a toolkit
 * header's). Returns false if nothing was added. */
bool debug_called_from_text(struct debug *d, const struct debug_where *w, struct debug_position shown, struct text *out);
/* Appends the position of an instruction. If that is no user's line (none, or in a toolkit header), adds the lane's innermost frame that is:
 * `, called from insert at hash.cu:10`. Returns true if such a frame was added. */
bool debug_lane_place_text(struct debug *d, const struct exec_warp *w, uint32_t lane, uint32_t pc, struct text *out);
/* Appends the place of a lane for the device's own texts (gpu_name_places). */
gpu_place_fn debug_name_place;
/* Frees the texts of sources that came from a checkpoint file. */
void view_forget_kept(struct debug *d);
/* Forgets which file was listed or stopped in last. */
void view_forget_files(struct debug *d);
/* Notes that the machine has stopped in a file. */
void view_stopped_in(struct debug *d, uint32_t file);
/* Finds the file loaded last that a name fits, by the end of its path or else by the name's base name. Returns false if there is none. */
bool debug_find_file(struct debug *d, const char *name, size_t n, uint32_t *file);
/* Stores in *out the indices of loaded files whose path ends with the n bytes of `name`, a whole number of components, in load order. If there are
 * none, stores files with the same base name whose path `name` may mean: `name` is absolute, has ./ or ../, or ends with that path. Returns their
 * number; the caller frees *out. */
size_t debug_find_files(struct debug *d, const char *name, size_t n, uint32_t **out);
/* Stores the instruction of a label, looked for in the selected frame's function first, then in the other loaded functions, newest first. Returns
 * false if no function has the label. */
bool debug_find_label(struct debug *d, const char *name, size_t n, uint32_t *pc);
/* Stores the position that `list` begins with: the selected frame's, else the first CUDA line of the function loaded last, or its first PTX line.
 * Returns false if there is neither. */
bool debug_default_position(struct debug *d, struct debug_position *out);
/* Stores the file of a line number that is written without a file: the one listed last, else that of the selected frame, the one stopped in last, or
 * that of the function loaded last. Returns false if no function is loaded and no file was listed. */
bool debug_line_file(struct debug *d, uint32_t *file);
/* Returns the state of a run of threads: "not started", "finished", "barrier", "running". */
const char *debug_state_name(const struct thread_run *r);

/* Makes the short names of functions loaded since the last call: demangled, without parameters. (functions.c) */
void debug_names_changed(struct debug *d);
/* Returns whether a name of n bytes, as users write functions', fits a function by its mangled name; none fits NULL. */
bool debug_name_fits(struct debug *d, const char *name, size_t n, const char *function);
/* Frees the .locs made for inlined functions; a look-up makes them anew. (inlined.c) */
void debug_inlined_free(struct debug *d);

/* Returns the generic address where shared, local, constant or parameter memory begins; 0 for other spaces. */
uint64_t access_window(enum isa_space space);
/* Returns the generic address of a lane's access by an instruction, computed from the present registers of the activation at `frame`; a host address
 * or alias becomes the device's address. */
uint64_t access_address(struct debug *d, const struct isa_insn *i, uint64_t frame, const struct debug_where *lane);
struct exec_sample;
/* Appends the coordinates of a texture or surface instruction: `(0.5, 2) layer 1`. */
void debug_coordinates_text(const struct isa_insn *i, const struct exec_sample *s, struct text *out);

#endif
