#include "session/secret_habit.h"

static const struct jm_habit habits[] = {
	{ "curl", "-u", false, true },       { "curl", "--user", false, true },   { "curl", "-U", false, true },
	{ "mysql", "-p", true, false },      { "mysqldump", "-p", true, false },  { "mariadb", "-p", true, false },
	{ "mysqladmin", "-p", true, false }, { "sshpass", "-p", true, false },    { "sshpass", "-p", false, false },
	{ "docker", "-p", false, false },    { "redis-cli", "-a", false, false },
};

const struct jm_habit *jm_secret_habit(struct jm_argument program, struct jm_argument option)
{
	size_t begin = program.len;
	while (begin > 0 && program.s[begin - 1] != '/')
		begin--;
	for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
		size_t n = strlen(habits[i].program), m = strlen(habits[i].option);
		if (program.len - begin == n && !memcmp(program.s + begin, habits[i].program, n) &&
		    (habits[i].attached ? option.len > m : option.len == m) && !memcmp(option.s, habits[i].option, m))
			return &habits[i];
	}
	return NULL;
}
