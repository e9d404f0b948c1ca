#include "session/group.h"
#include "session/regex.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_MAX = 64 << 10, NAME_MAX_LEN = 255, GROUPS_MAX = 1000 };

struct group {
	char *name;
	struct jm_regex *regex;
};

struct jm_groups {
	struct group *groups;
	size_t count, given_up;
	char command[COMMAND_MAX]; /* with blanks between the arguments */
};

static int add(struct jm_groups *g, const char *spec, struct jm_err *err)
{
	const char *equals = strchr(spec, '=');
	size_t len = equals ? (size_t)(equals - spec) : 0;

	if (len == 0 || len > NAME_MAX_LEN || !equals[1])
		return jm_err_set(err, -EINVAL, "a group is NAME=REGEX, found '%.100s'", spec);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)spec[i] < ' ' || spec[i] == 127)
			return jm_err_set(err, -EINVAL, "the name of a group has no control characters");
	struct group *to = &g->groups[g->count];
	int r = jm_regex_new(&to->regex, equals + 1, err);
	if (r < 0)
		return r;
	g->count++;
	return (to->name = strndup(spec, len)) ? 0 : -ENOMEM;
}

int jm_groups_new(struct jm_groups **ret, const char *const *specs, struct jm_err *err)
{
	size_t n = 0;

	while (specs && specs[n])
		n++;
	if (n > GROUPS_MAX)
		return jm_err_set(err, -EINVAL, "there are %zu groups, at most %d are possible", n, (int)GROUPS_MAX);
	struct jm_groups *g = calloc(1, sizeof *g);
	if (!g)
		return -ENOMEM;
	int r = (g->groups = calloc(n + 1, sizeof *g->groups)) ? 0 : -ENOMEM;
	for (size_t i = 0; i < n && r == 0; i++)
		r = add(g, specs[i], err);
	if (r < 0) {
		jm_groups_free(g);
		return r;
	}
	*ret = g;
	return 0;
}

struct jm_groups *jm_groups_free(struct jm_groups *g)
{
	if (!g)
		return NULL;
	for (size_t i = 0; i < g->count; i++) {
		jm_regex_free(g->groups[i].regex);
		free(g->groups[i].name);
	}
	free(g->groups);
	free(g);
	return NULL;
}

const char *jm_groups_find(struct jm_groups *g, const char *name, const char *command, size_t command_len)
{
	size_t begin, end;

	if (!g || g->count == 0)
		return NULL;
	while (command_len > 0 && command[command_len - 1] == 0)
		command_len--;
	if (command_len == 0) {
		command = name;
		command_len = name ? strlen(name) : 0;
	}
	if (command_len > sizeof g->command)
		command_len = sizeof g->command;
	for (size_t i = 0; i < command_len; i++)
		g->command[i] = command[i] ? command[i] : ' ';
	for (size_t i = 0; i < g->count; i++) {
		int r = jm_regex_find(g->groups[i].regex, g->command, command_len, 0, &begin, &end);
		if (r > 0)
			return g->groups[i].name;
		if (r < 0)
			g->given_up++;
	}
	return NULL;
}

size_t jm_groups_given_up(struct jm_groups *g)
{
	size_t n = g ? g->given_up : 0;
	if (g)
		g->given_up = 0;
	return n;
}
