/* The program's processes, and their memory. */
#ifndef CUDA_CHANNEL_CHANNEL_H
#define CUDA_CHANNEL_CHANNEL_H

#include "cuda/internal.h"

bool channel_open(struct cuda *c, struct text *why);
/* For the processes of a program that is about to start; no longer for those that come after its end. */
bool channel_listen(struct cuda *c, struct text *why);
void channel_hang_up(struct cuda *c);
/* A program that runs already. */
bool channel_adopt(struct cuda *c, int socket);
unsigned channel_clients(const struct cuda *c); /* so many processes are connected */
void channel_close(struct cuda *c);
const char *channel_name(const struct cuda *c); /* of the socket it listens on */
/* What tells this device's handles from those of others. */
uint64_t channel_device(const struct cuda *c);
/* A file as large as device memory: what is shared with programs, at its addresses. */
int channel_window(const struct cuda *c);
void channel_drop_all(struct cuda *c);
/* Sleeps until there is something to look at, at most so many milliseconds, -1: any time; takes in who comes, and lets go who is gone. */
void channel_wait(struct cuda *c, int milliseconds);
/* Looks whether somebody has come, or gone, without waiting. */
void channel_poll(struct cuda *c);
/* The process' memory; false: not all of it is there. For as long as one of its threads waits for an answer. */
bool channel_read(struct cuda_call *c, uint64_t address, void *to, uint64_t n);
bool channel_write(struct cuda_call *c, uint64_t address, const void *from, uint64_t n);
/* The process prints it, as if by printf; `error`: to its standard error. */
void channel_print(struct cuda_call *c, bool error, const char *s, size_t n);
/* The next message of a slot, copied to slot->message; false: there is none. */
bool channel_take(struct cuda_client *client, uint32_t slot);
void channel_answer(struct cuda_client *client, uint32_t slot, uint32_t status, const void *out, size_t n);
bool channel_has_message(const struct cuda *c);
bool channel_is_runnable(
	const struct cuda_client *client); /* one of its threads has a processor, or waits for one, or for a disk */
unsigned channel_threads(const struct cuda_client *client); /* of the process; 0: it has gone, or nobody may know */
void channel_set_sticky(struct cuda_client *client, uint32_t error);

#endif
