#include "help.h"
#include "say.h"
#include <fcntl.h>
#include <jobmeter.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A standard stream that we were started without must not become a file of ours, or the summary goes into a recording.
 * Closed at exec: the job is started without it too. */
static void fill_streams(void)
{
	int fd;
	while ((fd = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		(void)close(fd);
}

static int unknown_command(const char *name)
{
	struct nearest n = { 0 };
	for (size_t i = 0; commands[i]; i++)
		nearest_try(&n, name, commands[i]->name);
	if (n.name)
		return say_usage(&command_program, "there is no command '%.60s'; the nearest is '%s'", name, n.name);
	return say_usage(&command_program, "there is no command '%.60s'; to measure a program: jobmeter run -- %.60s",
	                 name, name);
}

/* jobmeter --help-man [COMMAND]: for the build, which makes the man pages */
static int man(const char *name)
{
	const struct command *c = name && *name ? command_find(name) : &command_program;
	if (!c)
		return unknown_command(name);
	help_man(stdout, c);
	return say_done();
}

static int help(const struct command *c)
{
	help_print(stdout, c);
	return say_done();
}

static int run_command(const struct command *c, char **argv)
{
	struct options o = { 0 };
	int status;
	if (options_read(&o, c, argv) < 0)
		status = say_usage(c, "%s", o.error);
	else if (option_flag(&o, OPT_HELP))
		status = help(c);
	else
		status = c->run(c, &o);
	options_done(&o);
	return status;
}

int main(int argc, char **argv)
{
	fill_streams();
	/* characters only: numbers are written the same everywhere */
	(void)setlocale(LC_CTYPE, "");
	if (argc < 2) {
		help_print(stderr, &command_program);
		return EXIT_WRONG_USAGE;
	}
	if (!strcmp(argv[1], "--help-man"))
		return man(argv[2]);
	if (!strcmp(argv[1], "help")) {
		const struct command *c = argc > 2 ? command_find(argv[2]) : &command_program;
		return c ? help(c) : unknown_command(argv[2]);
	}
	if (argv[1][0] != '-') {
		const struct command *c = command_find(argv[1]);
		return c ? run_command(c, argv + 2) : unknown_command(argv[1]);
	}
	struct options o = { 0 };
	int status;
	if (options_read(&o, &command_program, argv + 1) < 0) {
		status = say_usage(&command_program, "%s", o.error);
	} else if (option_flag(&o, OPT_VERSION)) {
		(void)printf("jobmeter %s\n", jm_version());
		status = say_done();
	} else if (option_flag(&o, OPT_HELP)) {
		status = help(&command_program);
	} else {
		status = say_usage(&command_program, "expected a command first");
	}
	options_done(&o);
	return status;
}
