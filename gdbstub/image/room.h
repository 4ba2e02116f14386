/* State of this folder in the stub: the files that were made, and what was found out while they were. Only its own files include this. */
#ifndef GDBSTUB_IMAGE_ROOM_H
#define GDBSTUB_IMAGE_ROOM_H

#include "gdbstub/image/frame_layout.h"
#include "gdbstub/image/image.h"

#define IMAGE_FACES 2

struct image_room {
	struct image **images; /* [0] the main one */
	struct image
		*faces[IMAGE_FACES]; /* the main one with lines of PTX, of CUDA; NULL: gdb has not asked for it yet */
	size_t n_images, cap_images;
	bool libraries_changed;
	uint32_t generation;   /* the program's, when it was last looked which images are gone */
	char *folder, **texts; /* files that were written for gdb, by file; NULL: none (paths.c) */
	int folder_lock;       /* held while there is a folder */
	uint32_t n_texts;
	uint32_t *same_text; /* by instruction: the first one of its image with the same text, whose symbol it shares */
	uint32_t n_same_text;
	struct frame_layout *layouts; /* by function */
	uint32_t n_layouts;
};

/* Removes the files with PTX text that were written for gdb, and their folder, and frees their paths, as the stub ends. */
void paths_free(struct stub *s);

/* ---- folder.c ---- */
/* Creates the temporary folder for PTX text, r->folder, if there is none, and removes folders that dead processes have left. Returns false if that
 * fails. */
bool folder_make(struct image_room *r);
/* Removes the folder and frees its name, if there is one, as the stub ends; it must be empty. */
void folder_free(struct image_room *r);

#endif
