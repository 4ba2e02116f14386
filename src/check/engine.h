/* What a checker is, and what the frame does for it. Inside src/check only. */
#ifndef CHECK_ENGINE_H
#define CHECK_ENGINE_H

#include "check/check.h"
#include "gpu/input.h"

/* All functions may be NULL; `self` is what `create` gave. Hooks are as in struct exec_checker; they are only called while the checker is on. A hook in
 * front of an instruction is called once for it, even if the machine stops there and goes on. */
struct check_engine {
	uint32_t kinds; /* EXEC_LOOK(...) for before and after */
	bool records, local_frames;
	void *(*create)(struct check *c); /* with the device; adds its sections to the arena */
	void (*destroy)(void *self);
	bool (*on)(void *self);	 /* false: no room */
	void (*off)(void *self); /* what it has remembered may go */
	void (*reset)(void *self);
	void (*rebuilt)(void *self); /* the arena is another one, without its sections */
	bool (*before)(void *self, const struct exec *x, const struct exec_effect *e);
	void (*after)(void *self, const struct exec *x, const struct exec_effect *e);
	enum exec_judgement (*wrong)(void *self, const struct exec *x, const struct exec_wrong *w);
	enum exec_judgement (*wrong_free)(void *self, const struct exec *x, unsigned lane, uint64_t address,
					  enum exec_heap_state state, bool again);
	enum exec_judgement (*misuse)(void *self, const struct exec *x, const struct exec_misuse *m);
	void (*parts)(void *self, const struct exec *x, bool exits, bool leaves);
	/* These two of one checker at most. `insn` is called again if the machine stops in front of the instruction: check_insn_again. */
	enum exec_insn (*insn)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*insn_over)(void *self, const struct exec *x, const struct isa_insn *i);
	void (*wrote)(void *self, const struct exec *x, enum isa_space space, uint64_t offset, uint64_t n);
	void (*allocated)(void *self, uint64_t address, uint64_t n);
	void (*input)(void *self, const struct gpu_input *in, int64_t result);	  /* after what came from outside */
	void (*host_read)(void *self, const struct check_access *by, uint64_t n); /* as a result */
};
#define CHECKER(id, name) extern const struct check_engine check_engine_##name;
#include "check/checkers.def"

struct gpu *check_gpu(const struct check *c);

/* A lane of the warp that runs: all but op, space, size and address. */
void check_thread(const struct exec *x, unsigned lane, struct check_access *out);
/* The same of a lane of any resident warp, at an instruction. */
void check_thread_of(struct check *c, const struct exec_cta *cta, uint32_t warp, unsigned lane, uint32_t pc,
		     struct check_access *out);
/* The thread with that uid, whether it still runs or not. False: there was none. */
bool check_thread_of_uid(const struct check *c, uint64_t uid, uint32_t pc, struct check_access *out);
void check_near(const struct check *c, uint64_t address, struct check_near *out);

/* Returns true if it has been called in front of this instruction before: then what is to be reported there has been. */
bool check_insn_again(struct check *c, const struct exec *x);

/* Something was found, for these lanes of the warp of f->access (which is the first of them); 0: no thread did it. Findings that agree in kind and in both
 * places are one. True: the machine is to stop, as it is new and the user wants that; hooks in front then return true (or STOP). */
bool check_report(struct check *c, const struct check_finding *f, uint32_t lanes);

#endif
