/* The netlink socket of the proc connector: events of all processes of the machine. */
#pragma once
#include "base/err.h"
#include <stddef.h>

/** Connected, listening and not blocking; *ret_buffer: bytes that the kernel keeps for us.
 *  @error -EPERM: not permitted, or not in the first pid and user namespace; -EPROTONOSUPPORT: no proc connector */
int jm_connector_open(int *ret_fd, size_t *ret_buffer, struct jm_err *err);
