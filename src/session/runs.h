/* The last runs, kept in $XDG_STATE_HOME/jobmeter/runs (0700; files 0600): the newest 20, 200 MB at most. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

/* Path for a new run; makes the folders. NULL: there is no place (no home, not writable): err says why. */
char *jm_runs_new_path(struct jm_arena *arena, uint64_t wall_ns, const char *name, struct jm_err *err);
/* Path of the newest one. NULL: none. */
char *jm_runs_last(struct jm_arena *arena, struct jm_err *err);
/* Drops what is too old or too much; never the newest, nor one that is being written. */
void jm_runs_prune(void);
