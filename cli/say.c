#include "say.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One write(2) a sentence: the job writes there as well. */
static void sentence(const char *before, const char *fmt, va_list ap, const char *after)
{
	char text[2048];
	int n = vsnprintf(text, sizeof text, fmt, ap);
	if (n >= 0)
		(void)fprintf(stderr, "jobmeter: %s%s%s\n", before, text, after);
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
