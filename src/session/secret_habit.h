/* Options whose value is a secret in certain programs only: -u USER:SECRET of curl, -pSECRET of mysql, -p SECRET of
 * sshpass. */
#pragma once
#include "session/argument.h"

struct jm_habit {
	const char *program, *option;
	bool attached;     /* the value stands in the same argument */
	bool behind_colon; /* only what follows a colon is secret */
};

/* NULL: nothing is known of this option in this program. */
const struct jm_habit *jm_secret_habit(struct jm_argument program, struct jm_argument option);
