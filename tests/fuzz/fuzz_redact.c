/* Command lines and tags are written by anybody. The result is never longer and has the same arguments. */
#include "session/redact.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_redact *r;
	char *text = malloc(len ? len : 1);
	if (!text || jm_redact_new(&r, NULL, NULL) < 0)
		abort();
	if (len)
		memcpy(text, data, len);
	size_t n = jm_redact_text(r, text, len), before = 0, after = 0;
	if (n > len)
		abort();
	for (size_t i = 0; i < len; i++)
		before += data[i] == 0;
	for (size_t i = 0; i < n; i++)
		after += text[i] == 0;
	if (before != after)
		abort();
	free(text);
	jm_redact_free(r);
	return 0;
}
