/* Where the samples of a run go: the recordings and live exports that were asked for, or the kept run. */
#pragma once
#include "base/arena.h"
#include "base/root.h"
#include "store/store.h"

enum { JM_SINKS_MAX = 16 };

struct jm_sinks {
	struct jm_output {
		struct jm_sink *sink;
		const char *path;
		bool is_recording;
		bool failed; /* said once */
	} outputs[JM_SINKS_MAX];
	size_t n;
	const char *recording; /* path of the first recording; NULL: none */
};

/* path: patterns are expanded already. Is it a name that we can write, in a folder that is there and writable? Before anything is started.
 * -EINVAL: no such format; -ENOENT, -EACCES, -EROFS, ...: err names the folder. */
int jm_sinks_check(const char *path, struct jm_err *err);
/* Opens one; path patterns are expanded already. */
int jm_sinks_open(struct jm_sinks *s, const char *path, const struct jm_run *run, const struct jm_subjects *subjects,
                  unsigned flags, struct jm_err *err);
/* Passes a sample on to all. What cannot be encoded is left out; a sentence goes to warn. */
void jm_sinks_put(struct jm_sinks *s, const struct jm_sample *sample, void (*warn)(void *ctx, const char *text),
                  void *ctx);
/* The last words of all. What a file lacks, as its disk was full or somebody had it cut or removed, is told to warn now
 * that it is known how much. */
void jm_sinks_end(struct jm_sinks *s, const char *summary, void (*warn)(void *ctx, const char *text), void *ctx);
/* The job did not start: files that were made for it are removed. */
void jm_sinks_discard(struct jm_sinks *s);
/* Where the run can be found: path of the first recording, NULL when the name leads to nothing or to another file by now. */
const char *jm_sinks_recording(const struct jm_sinks *s);
uint64_t jm_sinks_bytes(const struct jm_sinks *s); /* of the recordings */
void jm_sinks_done(struct jm_sinks *s);

/* %h host, %p our pid, %j job id, %t task, %n node of the batch system (SLURM_JOB_ID, SLURM_PROCID, SLURM_NODEID), %%
 */
char *jm_output_expand(struct jm_arena *arena, const char *pattern, const char *host);
