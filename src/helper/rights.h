/* What jobmeter-bpf may do: two file capabilities, used where nothing else helps, and given up before it answers. */
#pragma once
#include "base/err.h"

/* Are we what we should be: an ordinary user's program, which has these capabilities from its file and no others? From here
 * on they are in reserve. */
int jm_helper_rights_check(struct jm_err *err);
int jm_helper_rights_use(struct jm_err *err);  /* until they are given up */
int jm_helper_rights_drop(struct jm_err *err); /* for good */
