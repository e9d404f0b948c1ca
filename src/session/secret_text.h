/* Secrets that one argument gives away by itself: by the name before a value, by its place in a URL or a header, by its
 * first letters. */
#pragma once
#include "session/argument.h"

/* Marks them in a.hide. */
void jm_secret_text(struct jm_argument a);
