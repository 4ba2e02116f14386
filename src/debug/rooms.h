/* Functions of each folder that debug.c calls to create, empty and free its state (room.h). */
#ifndef DEBUG_ROOMS_H
#define DEBUG_ROOMS_H

struct debug;

/* Allocates the state of view/. */
void view_room_create(struct debug *d);
/* Frees the state of view/. */
void view_room_free(struct debug *d);
/* Allocates the state of expr/. */
void expr_room_create(struct debug *d);
/* Frees the state of expr/. */
void expr_room_free(struct debug *d);
/* Allocates the state of stop/. */
void stop_room_create(struct debug *d);
/* Frees the state of stop/. */
void stop_room_free(struct debug *d);
/* Allocates the state of buffers/. */
void buffers_room_create(struct debug *d);
/* Frees the state of buffers/. */
void buffers_room_free(struct debug *d);
/* Allocates the state of setup/. */
void setup_room_create(struct debug *d);
/* Frees the state of setup/. */
void setup_room_free(struct debug *d);

struct record_reader;
struct text;
/* Appends structures, buffers and launches to a checkpoint's record. */
void setup_record(struct debug *d, struct text *out);
/* Replaces buffers and launches by those of a checkpoint's record, and declares its structures; those declared before stay. */
void setup_take(struct debug *d, struct record_reader *r);

/* Appends the texts of CUDA sources that are not the toolkit's to a checkpoint's record. */
void view_record_sources(struct debug *d, struct text *out);
/* Takes the texts of a checkpoint's record: they are used for sources that aren't found. */
void view_take_sources(struct debug *d, struct record_reader *r);
/* Drops what is known of the session that wrote the last restored checkpoint (struct debug_core). */
void debug_core_forget(struct debug *d);
/* Frees the texts of CUDA sources, which may have been edited. */
void view_forget_sources(struct debug *d);
/* Forgets the values kept for threads that have not started. */
void view_forget_pokes(struct debug *d);
/* Forgets which inlined calls are not entered yet. */
void view_forget_unentered(struct debug *d);
/* Detaches watchpoints from their launches, whose numbers are about to be reused. */
void stop_forget_launches(struct debug *d);
/* Resets the checkers for a machine that begins anew. */
void findings_forget_launches(struct debug *d);

#endif
