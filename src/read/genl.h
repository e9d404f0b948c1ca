/* Generic netlink as bytes: messages of a datagram, attributes of a message. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct jm_genl_message {
	uint16_t type;   /* number of a family, or NLMSG_ERROR: then error is 0 (it was done) or a negative errno */
	uint8_t command; /* 0: the message is too short to have one */
	int32_t error;
	uint32_t seq;     /* of the request that it answers; 0: none */
	const void *data; /* attributes, inside the datagram */
	size_t len;
};

/** Reads the next message of a datagram: *offset moves behind it (begin with 0).
 *  @return 1: a message; 0: the end; -EBADMSG: it makes no sense
 *  @source netlink(7); Documentation/networking/generic_netlink.rst of the kernel */
int jm_genl_next(const void *datagram, size_t len, size_t *offset, struct jm_genl_message *ret);

struct jm_genl_attribute {
	uint16_t type;
	const void *data; /* not aligned */
	size_t len;
};

/* The same for attributes, and for those inside of one. */
int jm_genl_attribute(const void *data, size_t len, size_t *offset, struct jm_genl_attribute *ret);
/* The number of a family, from the controller's answer (CTRL_CMD_NEWFAMILY). -EBADMSG: it is not in there. */
int jm_genl_family(const struct jm_genl_message *m, uint16_t *ret);
