/* A whole recording, from its magic to its summary. Mutated frames get a right checksum again, or no input would ever
 * reach what stands behind it. */
#include "base/crc32c.h"
#include "store/frame.h"
#include "store/store.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t len, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(unsigned char *data, size_t len, size_t max) __attribute__((weak));

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

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t len, size_t max, unsigned seed)
{
	len = LLVMFuzzerMutate(data, len, max);
	if (len < JM_HEAD_LEN || seed % 16 == 0) /* now and then a wrong checksum is what we want */
		return len;
	memcpy(data, JM_MAGIC, JM_MAGIC_LEN);
	memcpy(data + JM_MAGIC_LEN, "\x01\0\0\0", 4);
	for (size_t at = JM_HEAD_LEN; len - at >= JM_FRAME_OVERHEAD;) {
		size_t room = len - at - JM_FRAME_OVERHEAD;
		size_t n =
			data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16 | (size_t)data[at + 3] << 24;
		if (n > room) { /* the frame ends where the input does */
			n = room;
			for (int i = 0; i < 4; i++)
				data[at + (size_t)i] = (unsigned char)(n >> 8 * i);
		}
		uint32_t crc = jm_crc32c(data + at, JM_FRAME_HEAD + n);
		for (int i = 0; i < 4; i++)
			data[at + JM_FRAME_HEAD + n + (size_t)i] = (unsigned char)(crc >> 8 * i);
		at += JM_FRAME_OVERHEAD + n;
	}
	return len;
}
