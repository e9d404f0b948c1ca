#include "read/diskstats.h"
#include <errno.h>

enum { COLUMNS = 11 }; /* behind the name; later kernels add discards (4.18) and flushes (5.5) */

int jm_diskstats_next(struct jm_span *text, struct jm_diskstats *ret)
{
	struct jm_span line;
	struct jm_diskstats d;
	uint64_t number[2], v[COLUMNS];
	if (!jm_span_line(text, &line))
		return 0;
	if (jm_parse_u64s(&line, number, 2) < 0 || !jm_span_word(&line, &d.name) ||
	    jm_parse_u64s(&line, v, COLUMNS) < 0)
		return -EBADMSG;
	d.major = number[0];
	d.minor = number[1];
	d.reads = v[0];
	d.read_sectors = v[2];
	d.writes = v[4];
	d.write_sectors = v[6];
	d.busy_ms = v[9];
	d.wait_ms = v[10];
	*ret = d;
	return 1;
}
