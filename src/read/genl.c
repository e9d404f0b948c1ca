#include "read/genl.h"
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>

/* as the macros of linux/netlink.h, without their mixture of signs */
enum { HEADER = 16, GENERIC = 4, ATTRIBUTE = 4 };

static size_t aligned(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

int jm_genl_next(const void *datagram, size_t len, size_t *offset, struct jm_genl_message *ret)
{
	if (*offset >= len)
		return 0;
	const unsigned char *p = (const unsigned char *)datagram + *offset;
	size_t left = len - *offset;
	struct nlmsghdr h;
	if (left < sizeof h)
		return -EBADMSG;
	memcpy(&h, p, sizeof h);
	if (h.nlmsg_len < sizeof h || h.nlmsg_len > left)
		return -EBADMSG;
	struct jm_genl_message m = { .type = h.nlmsg_type, .seq = h.nlmsg_seq };
	size_t payload = h.nlmsg_len - HEADER;
	p += HEADER;
	if (h.nlmsg_type == NLMSG_ERROR) {
		if (payload < sizeof m.error)
			return -EBADMSG;
		memcpy(&m.error, p, sizeof m.error);
	} else if (payload >= GENERIC) {
		m.command = p[0];
		m.data = p + GENERIC;
		m.len = payload - GENERIC;
	}
	size_t whole = aligned(h.nlmsg_len);
	*offset += whole < left ? whole : left;
	*ret = m;
	return 1;
}

int jm_genl_attribute(const void *data, size_t len, size_t *offset, struct jm_genl_attribute *ret)
{
	if (*offset >= len)
		return 0;
	const unsigned char *p = (const unsigned char *)data + *offset;
	size_t left = len - *offset;
	struct nlattr a;
	if (left < sizeof a)
		return -EBADMSG;
	memcpy(&a, p, sizeof a);
	if (a.nla_len < ATTRIBUTE || a.nla_len > left)
		return -EBADMSG;
	size_t whole = aligned(a.nla_len);
	*offset += whole < left ? whole : left;
	*ret = (struct jm_genl_attribute){ (uint16_t)(a.nla_type & 0x3fffu), /* without its two flags */ p + ATTRIBUTE,
		                           a.nla_len - ATTRIBUTE };
	return 1;
}

int jm_genl_family(const struct jm_genl_message *m, uint16_t *ret)
{
	struct jm_genl_attribute a;
	size_t at = 0;
	while (jm_genl_attribute(m->data, m->len, &at, &a) > 0)
		if (a.type == CTRL_ATTR_FAMILY_ID && a.len >= sizeof *ret) {
			memcpy(ret, a.data, sizeof *ret);
			return 0;
		}
	return -EBADMSG;
}
