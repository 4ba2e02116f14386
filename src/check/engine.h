/* The interface of a checker, and the services of the frame. Private to src/check. */
#ifndef CHECK_ENGINE_H
#define CHECK_ENGINE_H

#include "check/check.h"
#include "gpu/input.h"

/* A checker. All functions may be NULL; `self` is the result of `create`. Hooks are those of struct exec_watcher, called only while the checker is on. A hook in
 * front of an instruction is called once for that instruction, even if the machine stops there and is resumed. */
struct check_engine {
	uint32_t kinds; /* EXEC_LOOK(...) for before and after */
	bool records, local_frames;
	const struct exec_limits *(*limits)(void *self); /* those of exec_watcher */
	void *(*create)(struct check *c); /* called when the device is created; adds the checker's sections to the arena */
	void (*destroy)(void *self);
	bool (*on)(void *self);	 /* false: no room */
	void (*off)(void *self); /* the checker's state may be released */
	void (*reset)(void *self);
	void (*rebuilt)(void *self); /* the arena was replaced by one without the checker's sections */
	bool (*before)(void *self, const struct exec *x, const struct exec_effect *e);
	void (*after)(void *self, const struct exec *x, const struct exec_effect *e);
	enum exec_judgement (*wrong)(void *self, const struct exec *x, const struct exec_wrong *w);
	enum exec_judgement (*wrong_free)(void *self, const struct exec *x, unsigned lane, uint64_t address,
					  enum exec_heap_state state, bool again);
	enum exec_judgement (*misuse)(void *self, const struct exec *x, const struct exec_misuse *m);
	void (*parts)(void *self, const struct exec *x, bool exits, bool leaves);
	/* `insn` and `insn_over`: set in one checker at most. `insn` is called again if the machine stops in front of the instruction (check_insn_again). */
	enum exec_insn (*insn)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*insn_over)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*wrote)(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n);
	void (*allocated)(void *self, uint64_t address, uint64_t n);
	void (*launched)(void *self, const struct exec *x, unsigned lane);
	void (*waited)(void *self, const struct exec *x);
	void (*input)(void *self, const struct gpu_input *in, int64_t result);	  /* after an input (gpu/input.h) was executed */
	void (*host_read)(void *self, const struct check_access *by, uint64_t n); /* as a result */
};
#define CHECKER(id, name) extern const struct check_engine check_engine_##name;
#include "check/checkers.def"

/* Stores a function's arrays and structures in local memory. Returns their number, `cap` at most. */
size_t check_find_locals(const struct check *c, const struct isa_function *f, struct check_local *out, size_t cap);
/* Returns the device that is checked. */
struct gpu *check_gpu(const struct check *c);

/* Fills `out` with a lane of the warp that runs, at its instruction. Leaves op, space, size and address empty. */
void check_thread(const struct exec *x, unsigned lane, struct check_access *out);
/* Fills `out` with a lane of a resident block's warp, at instruction `pc`. Leaves op, space, size and address empty. */
void check_thread_of(struct check *c, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint32_t pc,
		     struct check_access *out);
/* Fills `out` with the thread that has this uid, running, exited or not begun, at instruction `pc`. Returns false if no launch has such a thread. */
bool check_thread_of_uid(const struct check *c, uint64_t uid, uint32_t pc, struct check_access *out);
/* Sets f->near to the allocation nearest to an address, and f->has_near if there is one. */
void check_near(const struct check *c, uint64_t address, struct check_finding *f);

/* Returns true if the hook `insn` was called before in front of this instruction, so that its findings are already reported. Records the call. */
bool check_insn_again(struct check *c, const struct exec *x);

/* Reports a finding, merging it with an earlier finding of the same kind and places. `lanes`: the lanes of the warp of f->access, 0 if no thread made
 * the access. Returns true if the machine must stop: the finding is new, isn't suppressed, and settings.stops is set. Hooks in front of an instruction
 * then return true, or EXEC_JUDGE_STOP. Without room in the arena drops the finding. */
bool check_report(struct check *c, const struct check_finding *f, uint32_t lanes);

#endif
