#include "terminal.h"
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_USUAL = 80, WIDTH_MIN = 20, WIDTH_MAX = 1000 };

static bool is_set(const char *name)
{
	const char *v = getenv(name);
	return v && *v;
}

static bool forced(const char *name)
{
	return is_set(name) && strcmp(getenv(name), "0") != 0;
}

static bool colors(int fd, const struct options *o)
{
	const char *asked = option_text(o, OPT_COLOR), *term = getenv("TERM");

	if (asked && strcmp(asked, "auto") != 0)
		return !strcmp(asked, "always");
	if (is_set("NO_COLOR"))
		return false;
	if (forced("CLICOLOR_FORCE") || forced("FORCE_COLOR"))
		return true;
	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

static unsigned width(int fd)
{
	struct winsize w;
	const char *columns = getenv("COLUMNS");
	unsigned long n = 0;

	if (ioctl(fd, TIOCGWINSZ, &w) == 0)
		n = w.ws_col;
	if (n == 0 && columns)
		n = strtoul(columns, NULL, 10);
	if (n == 0)
		return WIDTH_USUAL;
	return n < WIDTH_MIN ? WIDTH_MIN : n > WIDTH_MAX ? WIDTH_MAX : (unsigned)n;
}

jm_render terminal_of(int fd, const struct options *o)
{
	return (jm_render){
		.size = sizeof(jm_render),
		.width = width(fd),
		.color = colors(fd, o),
		.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
}
