#include "say.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the character at s when a terminal only shows it; 0: it would act upon it, or it is no UTF-8. */
static size_t harmless(const unsigned char *s)
{
	if (*s < 0x80)
		return *s >= 0x20 && *s != 0x7f;
	size_t n = *s >= 0xf0 && *s <= 0xf4 ? 4 : *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xc2 && *s < 0xe0 ? 2 : 0;
	unsigned long c = n ? *s & (0x7fu >> n) : 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	bool overlong = c<(n == 4   ? 0x10000u
	                   : n == 3 ? 0x800u
	                            : 0x80u),
	                  beyond = c> 0x10ffff ||
	                (c >= 0xd800 && c < 0xe000);
	/* C1, and what turns the direction of the text around */
	bool acts =
		c < 0xa0 || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
	return overlong || beyond || acts ? 0 : n;
}

/* Sentences hold names that somebody chose: what is not to be seen is written out. */
static void make_harmless(char *to, size_t size, const char *text)
{
	size_t len = 0, n;
	for (const unsigned char *s = (const unsigned char *)text; *s && len + 5 < size; s += n) {
		n = harmless(s);
		if (n) {
			memcpy(to + len, s, n);
			len += n;
		} else {
			n = 1;
			len += (size_t)snprintf(to + len, size - len, "\\x%02x", *s);
		}
	}
	to[len] = '\0';
}

/* One write(2) a sentence: the job writes there as well. */
__attribute__((format(printf, 2, 0))) static void sentence(const char *before, const char *fmt, va_list ap,
                                                           const char *after)
{
	char text[2048], shown[2 * sizeof text];
	int n = vsnprintf(text, sizeof text, fmt, ap);
	if (n < 0)
		return;
	make_harmless(shown, sizeof shown, text);
	(void)fprintf(stderr, "jobmeter: %s%s%s\n", before, shown, after);
}

void say(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	sentence("", fmt, ap, "");
	va_end(ap);
}

void say_warn(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	sentence("warning: ", fmt, ap, "");
	va_end(ap);
}

int say_usage(const struct command *c, const char *fmt, ...)
{
	va_list ap;
	char hint[100];
	bool program = c == &command_program;
	(void)snprintf(hint, sizeof hint, "\nTry 'jobmeter %s%s--help'.", program ? "" : c->name, program ? "" : " ");
	va_start(ap, fmt);
	sentence("", fmt, ap, hint);
	va_end(ap);
	return c->wrong_usage;
}

void say_name(const char *text)
{
	char shown[4096];
	make_harmless(shown, sizeof shown, text);
	(void)fputs(shown, stdout);
}

int say_done(void)
{
	/* fclose and not fflush: some file systems tell of a full disk only then (NFS) */
	bool failed = ferror(stdout) != 0;
	errno = 0;
	if (fclose(stdout) != 0 || failed) {
		if (errno != EPIPE) /* a reader that has seen enough, as in | head */
			say("standard output cannot be written: %s",
			    errno ? strerror(errno) : "an earlier write failed");
		return EXIT_FAILED;
	}
	return 0;
}
