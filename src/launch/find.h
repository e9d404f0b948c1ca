/* Which file a command means: the rules of execvp(3), with the PATH of the job. */
#pragma once
#include "base/err.h"

/** name with a slash is the file itself; else the folders of PATH in envp are searched ("/bin:/usr/bin" without one).
 *  @error -ENOENT not found; -EACCES found and not executable; -EISDIR; others of stat(2)
 *  @owner *ret_path: release with free() */
int jm_launch_find(char **ret_path, const char *name, char *const envp[], struct jm_err *err);
