/* Does a name say that its value is a secret? --api-key, PGPASSWORD, DB_PASS, clientSecret, X-Auth-Token: yes.
 * --max-tokens, --password-file, --tokenizer, PWD: no. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

bool jm_secret_name(const char *name, size_t len);
