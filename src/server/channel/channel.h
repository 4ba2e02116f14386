/* The channel to the program's processes: connections, messages, and access to their memory. */
#ifndef SERVER_CHANNEL_CHANNEL_H
#define SERVER_CHANNEL_CHANNEL_H

#include "server/internal.h"

/* Creates c->channel without connections, and the file of memory that the device shares with programs; accepts no connections yet. Returns false,
 * with the reason, if a descriptor can't be created; channel_close is needed then, too. */
bool channel_open(struct server *c, struct text *why);
/* Listens on a socket with a new random name, in place of an earlier one, for a program that is about to start. Returns false with the reason. */
bool channel_listen(struct server *c, struct text *why);
/* Closes the listening socket, if there is one: no further process can connect. Connections stay. */
void channel_stop_listening(struct server *c);
/* Accepts the program at the other end of `socket`, which the channel owns from then on. Returns whether a process is connected afterwards. */
bool channel_adopt(struct server *c, int socket);
/* Returns the number of connected processes. */
unsigned channel_clients(const struct server *c);
/* Closes all connections, all tickets and the channel's descriptors, and frees the channel; c->channel is NULL then. */
void channel_close(struct server *c);
/* Returns the name of the socket on which the channel listens, or listened last; "" if it never did. Valid until channel_listen or channel_close. */
const char *channel_name(const struct server *c);
/* Returns the number that handles carry for this debugger's device: a hash of the channel's socket name. Debuggers that never listened have the same
 * number. */
uint64_t channel_device(const struct server *c);
/* Returns the descriptor of the file, as large as device memory, in which shared memory lies at its device address. The channel owns the
 * descriptor. */
int channel_window(const struct server *c);
/* Closes the connections to all processes, without ending their contexts. Keeps the fault that the started or adopted process has reported, in
 * c->fault. */
void channel_drop_all(struct server *c);
/* Waits for a message, a connection or the end of a process, at most that many milliseconds (-1: no limit). Accepts a connecting process and drops
 * ended ones. Returns at once, doing nothing, if there is a message. */
void channel_wait(struct server *c, int milliseconds);
/* Accepts a connecting process, at most one, and drops ended ones, without waiting. */
void channel_poll(struct server *c);
/* Copies n bytes at `address` of the calling process' memory to `to`. Returns false if not all can be read or, if the process' thread copies, if the
 * user interrupts. The call's thread must be waiting, unless the debugger can access the process' memory. */
bool channel_read(struct server_call *c, uint64_t address, void *to, uint64_t n);
/* Copies n bytes to `address` in the calling process' memory. Returns false if not all can be written or, if the process' thread copies, if the user
 * interrupts. The call's thread must be waiting, unless the debugger can access the process' memory. */
bool channel_write(struct server_call *c, uint64_t address, const void *from, uint64_t n);
/* Prints n bytes through the calling process, whose thread must be waiting, on its standard output, or with `error` on its standard error. The rest
 * is lost if the thread is gone or the user interrupts. */
void channel_print(struct server_call *c, bool error, const char *s, size_t n);
/* Moves the next message in the ring of slot number `slot` to the slot's `message`. Returns false if there is none or the slot is busy with a call. A
 * malformed ring is emptied, which also returns false. */
bool channel_next_message(struct server_client *client, uint32_t slot);
/* Sends the answer to the call in slot number `slot`, its status and n bytes of results, at most WIRE_OUT_BYTES, and wakes the thread. */
void channel_answer(struct server_client *client, uint32_t slot, uint32_t status, const void *out, size_t n);
/* Returns whether a ring of a connected process has a message, not counting slots that are busy with a call. */
bool channel_has_message(const struct server *c);
/* Returns whether a thread of the process runs, is ready to run, or is in uninterruptible sleep (waits for a disk). Returns false if /proc can't be
 * read. */
bool channel_is_runnable(const struct server_client *client);
/* Returns whether a connected process has more threads than calls that wait for an answer, so a thread may make a call. */
bool channel_program_computes(const struct server *c);
/* Sets the error that all calls of the process return from now on; 0: none. */
void channel_set_sticky(struct server_client *client, uint32_t error);
/* Sets whether a process reports its next call that fails with the context's error. */
void channel_want_cause(struct server_client *client, bool is_wanted);

#endif
