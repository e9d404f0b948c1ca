/* What people type: durations and sizes; and the spans that every reader is made of. */
#include "base/parse.h"
#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	char text[256];
	size_t n = len < sizeof text - 1 ? len : sizeof text - 1;
	memcpy(text, data, n);
	text[n] = '\0';
	uint64_t v = 0;
	if (jm_parse_duration(text, &v) == 0)
		assert(v <= INT64_MAX);
	if (jm_parse_size(text, &v) == 0)
		assert(v <= INT64_MAX);

	struct jm_span all = jm_span_over((const char *)data, len), line, word;
	size_t seen = 0;
	while (jm_span_line(&all, &line)) {
		seen += jm_span_len(line) + 1;
		while (jm_span_word(&line, &word)) {
			struct jm_span number = word;
			int64_t i;
			if (jm_parse_i64(&number, &i) == 0)
				assert(number.p > word.p && number.p <= word.end);
			number = word;
			if (jm_parse_hex64(&number, &v) == 0)
				assert(number.p > word.p && number.p <= word.end);
		}
	}
	assert(seen >= len && seen <= len + 1);
	return 0;
}
