/* The channel to the program's processes: connections, messages, and access to their memory. */
#ifndef CUDA_CHANNEL_CHANNEL_H
#define CUDA_CHANNEL_CHANNEL_H

#include "cuda/internal.h"

/* Creates the channel and the shared window of device memory; accepts no connections yet. Returns false with the reason. */
bool channel_open(struct cuda *c, struct text *why);
/* Listens under a new name for the processes of a program that is about to start. Returns false with the reason. */
bool channel_listen(struct cuda *c, struct text *why);
/* Closes the listening socket; processes that start later can't connect. */
void channel_stop_listening(struct cuda *c);
/* Accepts a program that already runs, at the other end of `socket`. Returns false if it can't be accepted. */
bool channel_adopt(struct cuda *c, int socket);
/* Returns the number of connected processes. */
unsigned channel_clients(const struct cuda *c);
/* Closes all connections and frees the channel. */
void channel_close(struct cuda *c);
/* Returns the name of the socket the channel listens on. */
const char *channel_name(const struct cuda *c);
/* Returns a number that distinguishes this device's handles from those of other debuggers. */
uint64_t channel_device(const struct cuda *c);
/* Returns the descriptor of a file as large as device memory: memory shared with programs lies in it at its device address. */
int channel_window(const struct cuda *c);
/* Closes the connections to all processes. */
void channel_drop_all(struct cuda *c);
/* Waits for a message, a connection or the end of a process, at most that many milliseconds (-1: no limit); accepts new processes and drops ended
 * ones. */
void channel_wait(struct cuda *c, int milliseconds);
/* Accepts new processes and drops ended ones, without waiting. */
void channel_poll(struct cuda *c);
/* Copies n bytes of the calling process' memory to `to`. Returns false if not all can be read. Valid while one of its threads waits for an answer. */
bool channel_read(struct cuda_call *c, uint64_t address, void *to, uint64_t n);
/* Copies n bytes to the calling process' memory. Returns false if not all can be written. Valid while one of its threads waits for an answer. */
bool channel_write(struct cuda_call *c, uint64_t address, const void *from, uint64_t n);
/* Prints text through the calling process, on its standard output, or with `error` on its standard error. */
void channel_print(struct cuda_call *c, bool error, const char *s, size_t n);
/* Moves the next message of a slot to slot->message. Returns false if there is none; a malformed ring is emptied. */
bool channel_next_message(struct cuda_client *client, uint32_t slot);
/* Sends the answer to a slot's call: status and n bytes of results. */
void channel_answer(struct cuda_client *client, uint32_t slot, uint32_t status, const void *out, size_t n);
/* Returns whether a process has sent a call that can be taken now. */
bool channel_has_message(const struct cuda *c);
/* Returns whether a thread of the process runs, is ready to run, or waits for a disk. */
bool channel_is_runnable(const struct cuda_client *client);
/* Returns whether a thread of the program is not waiting for an answer, so it may make a call. */
bool channel_program_computes(const struct cuda *c);
/* Sets the error that all calls of the process return; 0: none. */
void channel_set_sticky(struct cuda_client *client, uint32_t error);

#endif
