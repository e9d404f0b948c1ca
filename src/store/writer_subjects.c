/* Whom the file knows: tracks by slot, the living by id, and the frames of starts and ends. */
#include "base/grow.h"
#include "store/writer_impl.h"
#include <errno.h>
#include <string.h>

struct jm_track *jm_writer_track(struct jm_writer *w, const struct jm_subject *s)
{
	struct jm_track *t = s->slot < w->n_tracks ? &w->tracks[s->slot] : NULL;
	return t && t->id == s->id ? t : NULL;
}

static size_t lower_bound(const struct jm_writer *w, uint32_t id)
{
	size_t low = 0, high = w->n_live;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (w->live[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void gone(struct jm_writer *w, uint32_t id)
{
	size_t i = lower_bound(w, id);
	if (i == w->n_live || w->live[i].id != id)
		return;
	struct jm_track *t = &w->tracks[w->live[i].slot];
	t->live = false;
	memmove(w->live + i, w->live + i + 1, (w->n_live - i - 1) * sizeof *w->live);
	w->n_live--;
}

/* Should the events that wait be given up, the file would have it alive for ever: remember whom to end then. */
static int note_unended(struct jm_writer *w, uint32_t id, uint64_t batch)
{
	if (batch > w->written_batch)
		return 0; /* neither is its start in the file */
	if (!jm_grow(&w->unended, &w->cap_unended, w->n_unended + 1, sizeof *w->unended))
		return -ENOMEM;
	w->unended[w->n_unended++] = id;
	return 0;
}

int jm_writer_end_subject(struct jm_writer *w, const struct jm_sample *s, const struct jm_event *e, uint32_t id,
                          uint64_t at_us)
{
	size_t i = lower_bound(w, id);
	if (i < w->n_live && w->live[i].id == id) {
		int r = note_unended(w, id, w->tracks[w->live[i].slot].batch);
		if (r < 0)
			return r;
	}
	jm_writer_add_end(w, JM_FRAME_SUBJECT_END, s, e, id, at_us);
	gone(w, id);
	return 0;
}

void jm_writer_end_unended(struct jm_writer *w, uint64_t at_us)
{
	for (size_t i = 0; i < w->n_unended; i++)
		jm_writer_add_end(w, JM_FRAME_SUBJECT_END, NULL, NULL, w->unended[i], at_us);
}

int jm_writer_texts(struct jm_writer *w, const struct jm_subject *s, uint32_t id[3])
{
	size_t name = strlen(s->name), group = strlen(s->group);
	jm_strings_make_room(&w->strings, 3, name + s->command_len + group);
	int r = jm_strings_get(&w->strings, s->name, name, &w->out, &id[0]);
	if (r >= 0)
		r = jm_strings_get(&w->strings, s->command, s->command_len, &w->out, &id[1]);
	if (r >= 0)
		r = jm_strings_get(&w->strings, s->group, group, &w->out, &id[2]);
	return r;
}

int jm_writer_announce(struct jm_writer *w, const struct jm_subject *s, const struct jm_event *e, uint64_t at_us)
{
	if (s->kind == 0 || s->kind >= JM_SUBJECT_KIND_COUNT)
		return -EINVAL;
	if (!jm_grow(&w->tracks, &w->n_tracks, s->slot + 1, sizeof *w->tracks) ||
	    !jm_grow(&w->live, &w->cap_live, w->n_live + 1, sizeof *w->live))
		return -ENOMEM;
	struct jm_track *t = &w->tracks[s->slot];
	if (t->id != s->id) {
		int r = t->live ? jm_writer_end_subject(w, NULL, NULL, t->id, at_us) : 0; /* it went without a word */
		if (r < 0)
			return r;
		t->id = s->id;
		t->n = 0; /* the memory stays */
		t->live = false;
		t->batch = 0;
	}
	uint32_t id[3];
	int r = jm_writer_texts(w, s, id);
	if (r < 0)
		return r;
	size_t at = jm_frame_begin(&w->out, JM_FRAME_SUBJECT_START);
	jm_buf_add_varint(&w->out, s->id);
	jm_buf_add_varint(&w->out, e ? 0 : JM_START_RESTATED);
	jm_buf_add_varint(&w->out, s->kind);
	jm_buf_add_varint(&w->out, s->parent);
	jm_buf_add_varint(&w->out, e ? e->at_ns / 1000 : at_us);
	jm_buf_add_zigzag(&w->out, e ? e->status : 0);
	jm_buf_add_varint(&w->out, s->start_ns / 1000);
	jm_buf_add_varint(&w->out, s->pid > 0 ? (uint64_t)s->pid : 0);
	jm_buf_add_varint(&w->out, s->pid_namespace);
	for (int i = 0; i < 3; i++)
		jm_buf_add_varint(&w->out, id[i]);
	jm_frame_end(&w->out, at);
	t->renames = s->renames;
	if (!t->live) {
		t->live = true;
		t->batch = w->batch;
		size_t i = lower_bound(w, s->id);
		memmove(w->live + i + 1, w->live + i, (w->n_live - i) * sizeof *w->live);
		w->live[i] = (struct jm_live){ s->id, s->slot };
		w->n_live++;
	}
	return 0;
}
