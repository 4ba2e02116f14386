/* Gates: each call of the program's to an entry point passes one, which knows the function's name and arguments. */
#ifndef HOST_GATE_H
#define HOST_GATE_H

#include <stdint.h>

/* An entry point as programs call it. */
struct gate_row {
	const char *name;
	const void *function; /* ws_NAME, which is called next */
	const char *target;   /* the NAME of that function, which has the same parameters */
};

/* A call that passes a gate, as the assembly in host/gate.c writes it. */
struct gate_call {
	uint64_t integer[6];	 /* arguments in registers */
	const uint64_t *stack;	 /* those behind them */
	const struct gate_row *row;
};

/* Notes the calling thread's call, and announces it. Called by the gates alone. */
__attribute__((used, visibility("hidden"))) void gate_enter(const struct gate_call *call);
/* Tells the debugger of the calling thread's present call if it wants to know of calls, and returns when the call may go on. Called again once the
 * process is connected, as the debugger's wish isn't known before. */
void gate_announce(void);

#endif
