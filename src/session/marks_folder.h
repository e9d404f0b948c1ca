/* The folder of the job's socket: only its owner may enter it. Who was killed could not remove it, so each run removes what
 * runs before it have left in the same place: sockets at which nobody listens. A socket has its name from the moment on at
 * which somebody does; until then it has another. Only the running kernel knows who listens, so each name says which one
 * made it, and those of other machines, in a folder that is shared with them, are let alone. */
#pragma once
#include "base/err.h"
#include <stddef.h>

/** Makes the folder, and in it a datagram socket: in $XDG_RUNTIME_DIR, $TMPDIR or the temporary folder. Its path into
 *  ret_path, and removes the leftovers beside it. boot_id: of the running kernel, NULL: not known.
 *  @return the socket, close-on-exec, or -errno */
int jm_marks_folder_make(char *ret_path, size_t size, const char *boot_id, struct jm_err *err);
/* Removes both. path: of the socket; it is closed already. */
void jm_marks_folder_remove(const char *path);
