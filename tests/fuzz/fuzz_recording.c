/* A whole recording, from its magic to its summary. */
#include "frames.h"
#include "store/store.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_source *reader;
	const struct jm_sample *s;
	struct jm_err err = { 0 };
	if (jm_reader_new_memory(&reader, data, len, "fuzz", &err) < 0) {
		if (!err.text[0])
			abort(); /* each refusal has its sentence */
		return 0;
	}
	void *state[2] = { NULL };
	struct jm_buf out = { 0 };
	for (int i = 0; i < 2; i++)
		if (jm_exporters[i]->begin(&out, reader->run, &state[i]) < 0)
			abort();
	while (reader->next(reader, &s, &err) > 0) {
		for (int i = 0; i < 2; i++)
			(void)jm_exporters[i]->sample(state[i], &out, s, reader);
		jm_buf_clear(&out);
	}
	struct jm_reader_end end = jm_reader_end(reader);
	if ((end.lost_bytes > 0) != (end.reason != NULL) || end.lost_bytes > len)
		abort();
	for (int i = 0; i < 2; i++) {
		(void)jm_exporters[i]->end(state[i], &out, end.summary);
		jm_exporters[i]->free(state[i]);
	}
	jm_buf_done(&out);
	reader->free(reader);
	return 0;
}
