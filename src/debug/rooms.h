/* Making, emptying and freeing the rooms of a debugger: what debug.c asks of each. */
#ifndef DEBUG_ROOMS_H
#define DEBUG_ROOMS_H

struct debug;

void view_room_create(struct debug *d);
void view_room_free(struct debug *d);
void expr_room_create(struct debug *d);
void expr_room_free(struct debug *d);
void stop_room_create(struct debug *d);
void stop_room_free(struct debug *d);
void show_room_create(struct debug *d);
void show_room_free(struct debug *d);
void perf_room_create(struct debug *d);
void perf_room_free(struct debug *d);
void perf_room_follow(struct debug *d); /* the device has become another one of the same kind */
void findings_room_create(struct debug *d);
void findings_room_free(struct debug *d);
void setup_room_create(struct debug *d);
void setup_room_free(struct debug *d);

struct record_reader;
struct text;
void setup_record(struct debug *d, struct text *out); /* what a checkpoint keeps of a room, */
void setup_take(struct debug *d, struct record_reader *r); /* and takes from it in place of what there is */

void view_forget_sources(struct debug *d);   /* they may have been edited */
void view_forget_pokes(struct debug *d);     /* the threads they wait for are gone */
void view_forget_unentered(struct debug *d); /* nobody stands in front of an inlined function */
void stop_forget_launches(struct debug *d);  /* they are about to vanish, and their numbers to come again */
void findings_forget_launches(struct debug *d); /* the machine begins anew */
void perf_forget(struct debug *d);	     /* the machine begins anew */
void perf_forget_launches(struct debug *d);  /* they were dropped */

#endif
