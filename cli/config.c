/* What is said outside of the command line: JOBMETER_<OPTION> variables, and $XDG_CONFIG_HOME/jobmeter/config with lines of
 * `key = value`. Strict: a line that is not understood is an error that names it, not a setting that quietly is not there. */
#include "command.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 20, PATH_LENGTH_MAX = 4096 };

const char *option_key(const struct option_info *i)
{
	return !i->outside ? NULL : i->key ? i->key : i->name;
}

void option_variable(const struct option_info *i, char *buf, size_t size)
{
	const char *key = option_key(i);
	int n = snprintf(buf, size, "JOBMETER_%s", key);
	for (int k = 0; k < n && (size_t)k < size - 1; k++)
		buf[k] = (char)(buf[k] == '-' ? '_' : buf[k] >= 'a' && buf[k] <= 'z' ? buf[k] - 'a' + 'A' : buf[k]);
}

/* The job of a measured command that is measured again has our environment: two writers must not meet in one file. */
static bool is_for_outer_run(const struct option_info *i)
{
	const char *outer = getenv("JOBMETER_RUN_ID");
	return i->once && outer && *outer;
}

int options_read_environment(struct options *o, const struct command *c)
{
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		char name[64];
		if (!command_has(c, i) || !option_key(i) || is_for_outer_run(i))
			continue;
		option_variable(i, name, sizeof name);
		const char *value = getenv(name);
		/* set and empty is how a variable is taken back in a script */
		if (value && *value && options_put(o, (enum option_id)id, value, FROM_ENVIRONMENT, name) < 0)
			return -1;
	}
	return 0;
}

static char *trimmed(char *begin, char *end)
{
	while (begin < end && (*begin == ' ' || *begin == '\t'))
		begin++;
	while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	*end = 0;
	return begin;
}

static int config_line(struct options *o, const struct command *c, const char *path, unsigned line, char *begin,
                       char *end, bool *seen)
{
	begin = trimmed(begin, end);
	if (!*begin || *begin == '#')
		return 0;
	end = begin + strlen(begin);
	char *equals = strchr(begin, '=');
	if (!equals)
		return options_fail(o, "%.300s:%u: expected 'key = value', found '%.60s'", path, line, begin);
	char *value = trimmed(equals + 1, end), *key = trimmed(begin, equals), where[400];
	struct nearest near = { 0 };
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!option_key(i))
			continue;
		nearest_try(&near, key, option_key(i));
		if (strcmp(key, option_key(i)) != 0)
			continue;
		if (seen[id] && !i->repeats)
			return options_fail(o, "%.300s:%u: %s is given a second time", path, line, key);
		seen[id] = true;
		(void)snprintf(where, sizeof where, "%.300s:%u: %s", path, line, key);
		/* a wrong value is told even to who does not need it */
		struct options unused = { 0 };
		bool ours = (!c || command_has(c, i)) && !is_for_outer_run(i);
		int r = options_put(ours ? o : &unused, (enum option_id)id, value, FROM_CONFIG, where);
		if (!ours) {
			if (r < 0)
				(void)options_fail(o, "%s", unused.error);
			options_done(&unused);
		}
		return r;
	}
	if (near.name)
		return options_fail(o, "%.300s:%u: there is no option '%.60s'; the nearest is '%s'", path, line, key,
		                    near.name);
	return options_fail(o, "%.300s:%u: there is no option '%.60s'", path, line, key);
}

int options_read_config(struct options *o, const struct command *c, const char *path, char *text, size_t len)
{
	bool seen[OPTIONS_COUNT] = { 0 };
	unsigned line = 1;

	/* the text has room for a NUL behind it */
	if (memchr(text, 0, len))
		return options_fail(o, "%.300s: expected lines of text, found a NUL byte", path);
	text[len] = 0;
	for (char *p = text, *end = text + len; p < end; line++) {
		char *stop = memchr(p, '\n', (size_t)(end - p));
		char *next = stop ? stop + 1 : end;
		if (config_line(o, c, path, line, p, stop ? stop : end, seen) < 0)
			return -1;
		p = next;
	}
	return 0;
}

int options_read_config_file(struct options *o, const struct command *c)
{
	char path[PATH_LENGTH_MAX];
	const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	/* a relative one is to be ignored (XDG base directories) */
	if (folder && *folder == '/')
		n = snprintf(path, sizeof path, "%s/jobmeter/config", folder);
	else if (home && *home == '/')
		n = snprintf(path, sizeof path, "%s/.config/jobmeter/config", home);
	else
		return 0;
	if (n < 0 || (size_t)n >= sizeof path)
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) {
		/* HOME of another user (sudo, a container): not our configuration then */
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES)
			return 0;
		return options_fail(o, "%.300s: %s", path, strerror(errno));
	}
	o->config = malloc(CONFIG_MAX + 1);
	size_t len = 0;
	ssize_t k = -1;
	while (o->config && len < CONFIG_MAX && (k = read(fd, o->config + len, CONFIG_MAX - len)) > 0)
		len += (size_t)k;
	int why = errno;
	(void)close(fd);
	if (!o->config)
		return options_fail(o, "out of memory");
	if (k < 0)
		return options_fail(o, "%.300s: %s", path, strerror(why));
	if (len == CONFIG_MAX)
		return options_fail(o, "%.300s: expected at most 1 MiB", path);
	return options_read_config(o, c, path, o->config, len);
}
