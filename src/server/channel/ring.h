/* Rings of requests, as both sides of the channel use them. Shared with host/. */
#ifndef SERVER_CHANNEL_RING_H
#define SERVER_CHANNEL_RING_H

#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "server/channel/wire.h"

#define RING_ALIGN 16u

/* Tells the processor that this is a spin loop. Does nothing except on x86-64. */
static inline void ring_pause(void)
{
#if defined __x86_64__
	__builtin_ia32_pause();
#endif
}

/* Returns the size of a message, header included, with that many bytes of arguments and payload, rounded up to RING_ALIGN. */
static inline uint32_t ring_message_bytes(size_t arguments, size_t payload)
{
	return (uint32_t)((sizeof(struct wire_message) + arguments + payload + RING_ALIGN - 1) &
			  ~(size_t)(RING_ALIGN - 1));
}

/* Returns the space that a message of `bytes` bytes takes in a ring written up to `head`. If the message doesn't fit before the ring's end, that
 * includes the rest there. */
static inline uint32_t ring_needs(uint32_t head, uint32_t bytes)
{
	const uint32_t to_end = WIRE_RING_BYTES - (head & (WIRE_RING_BYTES - 1));
	return bytes > to_end ? to_end + bytes : bytes;
}

/* Writes message *m, n bytes of arguments and m->payload bytes of payload to the slot's ring, after padding if the ring's end is too near. m->bytes
 * is ring_message_bytes of both sizes. The caller makes sure that the ring has the space (ring_needs). */
static inline void ring_put(struct wire_slot *s, const struct wire_message *m, const void *arguments, size_t n,
			    const void *payload)
{
	uint32_t head = atomic_load_explicit(&s->head, memory_order_relaxed), at = head & (WIRE_RING_BYTES - 1);
	if (m->bytes > WIRE_RING_BYTES - at) {
		const struct wire_message pad = {.bytes = WIRE_RING_BYTES - at, .call = WIRE_PAD};
		memcpy(s->ring + at, &pad, sizeof pad);
		head += pad.bytes;
		at = 0;
	}
	memcpy(s->ring + at, m, sizeof *m);
	if (n)
		memcpy(s->ring + at + sizeof *m, arguments, n);
	if (m->payload)
		memcpy(s->ring + at + sizeof *m + n, payload, m->payload);
	atomic_store(&s->head, head + m->bytes);
}

/* Sleeps until ring_wake is called for the word, at most that many nanoseconds; a signal may end the sleep early. Returns at once if the word isn't
 * `seen`. The word may be shared between processes. */
static inline void ring_sleep(_Atomic uint32_t *word, uint32_t seen, long nanoseconds)
{
	const struct timespec most = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	syscall(SYS_futex, word, FUTEX_WAIT, seen, &most, NULL, 0);
}

/* Wakes all threads, of any process, that sleep on the word. */
static inline void ring_wake(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0); }

#endif
