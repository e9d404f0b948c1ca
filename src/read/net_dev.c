#include "read/net_dev.h"
#include <errno.h>
#include <string.h>

enum { COLUMNS = 16 };

int jm_net_dev_next(struct jm_span *text, struct jm_net_dev *ret)
{
	struct jm_span line;
	const char *colon;
	do {
		if (!jm_span_line(text, &line))
			return 0;
		/* a name may hold any byte but blanks, '/' and ':'; old kernels glue the first number to the colon */
		colon = memrchr(line.p, ':', jm_span_len(line));
	} while (!colon && memchr(line.p, '|', jm_span_len(line)));
	uint64_t v[COLUMNS];
	if (!colon)
		return -EBADMSG;
	jm_span_skip_blanks(&line);
	struct jm_net_dev d = { .name = { line.p, colon } };
	if (d.name.p >= d.name.end)
		return -EBADMSG;
	line.p = colon + 1;
	if (jm_parse_u64s(&line, v, COLUMNS) < 0)
		return -EBADMSG;
	d.received_bytes = v[0];
	d.received_packets = v[1];
	d.receive_errors = v[2];
	d.receive_drops = v[3];
	d.sent_bytes = v[8];
	d.sent_packets = v[9];
	d.send_errors = v[10];
	d.send_drops = v[11];
	*ret = d;
	return 1;
}
