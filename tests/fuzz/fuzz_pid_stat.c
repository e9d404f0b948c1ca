#include "read/pid_stat.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	const char *text = (const char *)data;
	struct jm_pid_stat s;
	int status;
	uint64_t ticks;
	if (jm_pid_stat_parse(text, len, &s) == 0 && (s.comm < text || s.comm_len > len))
		abort(); /* the name lies in the text */
	if (jm_pid_stat_exit_code(text, len, &status) == 0 && (status < 0 || status > 0xffff))
		abort();
	(void)jm_pid_stat_disk_wait(text, len, &ticks);
	return 0;
}
