/* names KIND --ms T : runs itself again under a hostile file name (so comm is hostile), argv[0] and argv[1], then burns T ms.
 * KIND: blank paren newline utf8 script quote escape empty long
 * Truth: comm (at most 15 bytes) and argv[0] as hexadecimal, since they need not be text. */
#include "truth.h"

static const struct {
	const char *kind, *name;
} names[] = {
	{ "blank", "two words x" },
	{ "paren", "a) R 1 (b" },
	{ "newline", "line1\nline2" },
	{ "utf8", "bad\xff\xfe\xc3(" },
	{ "script", "<script>alert(1)<" },
	{ "quote", "q\"'`$&;|\\" },
	{ "escape", "\x1b[2J\x1b]0;t\a" },
	{ "empty", "x" },
	{ "long", "long" },
};

static void hex(char *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sprintf(out + 2 * i, "%02x", (unsigned char)s[i]);
	out[2 * n] = 0;
}
int main(int argc, char **argv)
{
	truth_open();
	const char *kind = getenv("NAMES_KIND"), *dir = getenv("NAMES_DIR");
	if (kind && dir) {
		char comm[32] = "", a[64], c[64];
		prctl(PR_GET_NAME, comm);
		burn_user(strtoull(getenv("NAMES_MS"), NULL, 10) * MS);
		size_t n = strlen(argv[0]);
		hex(a, argv[0], n > 24 ? 24 : n);
		hex(c, comm, strlen(comm));
		truth("{\"program\":\"names\",\"kind\":\"%s\",\"comm_hex\":\"%s\",\"argv0_hex\":\"%s\",\"argc\":%d,"
		      "\"argv_bytes\":%zu,\"total_ns\":%" PRIu64 "}",
		      kind, c, a, argc, n + 1 + (argc > 1 ? strlen(argv[1]) + 1 : 0), cpu_ns());
		return 0;
	}
	kind = argc > 1 ? argv[1] : "blank";
	const char *name = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(kind, names[i].kind))
			name = names[i].name;
	if (!name) {
		fprintf(stderr, "names: no such kind: %s\n", kind);
		return 2;
	}
	char tmp[] = "names.XXXXXX", link[128], ms[24];
	if (!mkdtemp(tmp))
		die("mkdtemp");
	snprintf(link, sizeof link, "%s/%s", tmp, name);
	for (char *p = link + strlen(tmp) + 1; *p; p++)
		if (*p == '/')
			*p = '|';
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		die("readlink");
	self[n] = 0;
	if (symlink(self, link) < 0)
		die("symlink");
	snprintf(ms, sizeof ms, "%" PRIu64, arg(argc, argv, "--ms", 10));
	setenv("NAMES_KIND", kind, 1);
	setenv("NAMES_DIR", tmp, 1);
	setenv("NAMES_MS", ms, 1);
	char *more = strdup(name);
	if (!strcmp(kind, "long")) {
		more = malloc(100001);
		memset(more, 'x', 100000);
		more[100000] = 0;
	}
	pid_t p = fork(); /* the parent stays to remove the folder */
	if (p == 0) {
		execv(link, (char *[]){ strcmp(kind, "empty") ? (char *)name : "", more, NULL });
		die("execv");
	}
	int st;
	waitpid(p, &st, 0);
	unlink(link);
	rmdir(tmp);
	return st ? 1 : 0;
}
