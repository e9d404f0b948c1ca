#include "read/diskstats.h"
#include <errno.h>

enum { COLUMNS = 11 }; /* behind the name; later kernels add discards (4.18) and flushes (5.5) */

static int number(struct jm_span *line, uint64_t *ret)
{
	jm_span_skip_blanks(line);
	return jm_parse_u64(line, ret);
}

int jm_diskstats_next(struct jm_span *text, struct jm_diskstats *ret)
{
	struct jm_span line;
	struct jm_diskstats d;
	uint64_t v[COLUMNS];
	if (!jm_span_line(text, &line))
		return 0;
	if (number(&line, &d.major) < 0 || number(&line, &d.minor) < 0 || !jm_span_word(&line, &d.name))
		return -EBADMSG;
	for (int i = 0; i < COLUMNS; i++)
		if (number(&line, &v[i]) < 0)
			return -EBADMSG;
	d.reads = v[0];
	d.read_sectors = v[2];
	d.writes = v[4];
	d.write_sectors = v[6];
	d.busy_ms = v[9];
	d.wait_ms = v[10];
	*ret = d;
	return 1;
}
