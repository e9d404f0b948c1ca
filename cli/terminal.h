/* What a stream can show. */
#pragma once
#include "command.h"
#include <jobmeter.h>

/* For a stream's descriptor: colours (--color, then NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR, then is it a terminal),
 * UTF-8, width. */
jm_render terminal_of(int fd, const struct options *o);
