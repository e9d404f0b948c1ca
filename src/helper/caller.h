/* Whom jobmeter-bpf works for: the other end of the socket that is its standard input. */
#pragma once
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

enum { JM_HELPER_SOCKET = 0 };

/* Is it such a socket, with somebody of our own user at its other end? If not there is nobody who could be answered. */
bool jm_helper_has_caller(void);
/* The request, which is there already: who starts us has sent it before. Anything but one whole request with one descriptor
 * is an error. */
int jm_helper_receive(int *ret_pidfd, struct jm_err *err);
/* Both answer. What else the caller has sent is thrown away: a socket that is closed over it would lose the answer. */
int jm_helper_refuse(const struct jm_err *err);
int jm_helper_hand_over(const int *fds, unsigned links, unsigned ring_bytes);
