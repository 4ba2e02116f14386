/* The version of warpstep. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define WARPSTEP_VERSION "0.1"

#endif
