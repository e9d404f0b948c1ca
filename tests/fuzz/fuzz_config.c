/* The configuration file. Whatever is in it, an answer or a sentence comes back. */
#include "../../cli/command.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	char *text = malloc(len + 1);
	struct options o = { 0 };
	if (!text)
		abort();
	if (len)
		memcpy(text, data, len);
	int r = options_read_config(&o, &cmd_run, "config", text, len);
	if ((r < 0) != (o.error[0] != 0))
		abort();
	options_done(&o);
	free(text);
	return 0;
}
