/* What the targets that read recordings share: mutated frames get a right checksum again, or no input would ever reach what
 * stands behind it. */
#pragma once
#include "base/crc32c.h"
#include "store/frame.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);
size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t len, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(unsigned char *data, size_t len, size_t max) __attribute__((weak));

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
