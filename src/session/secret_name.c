#include "session/secret_name.h"
#include <string.h>

enum { NAME_MAX_LEN = 128 };

bool jm_secret_name(const char *name, size_t len)
{
	/* how a name ends, without its separators */
	static const char *const ends[] = {
		"password",        "passwd",      "passphrase", "secret",     "apikey",        "accesskey",
		"secretkey",       "privatekey",  "authkey",    "accountkey", "masterkey",     "mysqlpwd",
		"credential",      "credentials", "authtoken",  "signature",  "encryptionkey", "licensekey",
		"secretaccesskey", "sharedkey",   "signingkey",
	};
	char flat[NAME_MAX_LEN];
	size_t n = 0, word = 0; /* where the last word begins in flat */

	if (len > sizeof flat) {
		name += len - sizeof flat;
		len = sizeof flat;
	}
	for (size_t i = 0; i < len && n < sizeof flat; i++) {
		char c = name[i];
		if (c == '-' || c == '_' || c == '.') {
			word = n;
			continue;
		}
		bool upper = c >= 'A' && c <= 'Z';
		if (upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z')
			word = n;
		flat[n++] = (char)(upper ? c - 'A' + 'a' : c);
	}
	/* only as words of their own: tokens are counted, and other words end in these letters */
	if ((n - word == 5 && !memcmp(flat + word, "token", 5)) || (n - word == 4 && !memcmp(flat + word, "pass", 4)))
		return true;
	/* PWD alone is the working directory */
	if (word > 0 && n - word == 3 && !memcmp(flat + word, "pwd", 3))
		return true;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		size_t k = strlen(ends[i]);
		if (n >= k && !memcmp(flat + n - k, ends[i], k))
			return true;
	}
	return false;
}
