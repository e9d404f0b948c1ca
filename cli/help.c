#include "help.h"
#include <string.h>

enum { OPTION_COLUMNS = 30, COMMAND_COLUMNS = 14 };

static void options_of(FILE *to, const struct command *c)
{
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!command_has(c, i) || i->hidden)
			continue;
		char left[64], letter[8] = "    ";
		if (i->letter)
			(void)snprintf(letter, sizeof letter, "-%c, ", i->letter);
		(void)snprintf(left, sizeof left, "  %s--%s%s%s", letter, i->name, i->argument ? "=" : "",
		               i->argument ? i->argument : "");
		if (strlen(left) < OPTION_COLUMNS)
			(void)fprintf(to, "%-*s%s\n", OPTION_COLUMNS, left, i->help);
		else
			(void)fprintf(to, "%s\n%*s%s\n", left, OPTION_COLUMNS, "", i->help);
	}
}

/* A text of the table for a terminal: without the stars and underlines of scdoc. */
static void plain(FILE *to, const char *text)
{
	for (; *text; text++)
		if (*text != '*')
			(void)fputc(*text, to);
}

void help_print(FILE *to, const struct command *c)
{
	if (c == &command_program) {
		(void)fprintf(to, "Usage: jobmeter COMMAND ...\n%s\n\nCommands:\n", c->help);
		for (size_t i = 0; commands[i]; i++)
			(void)fprintf(to, "  %-*s%s\n", COMMAND_COLUMNS - 2, commands[i]->name, commands[i]->help);
		(void)fputs("\nOptions:\n", to);
		options_of(to, c);
		(void)fputs("\n'jobmeter COMMAND --help' tells more about a command.\n", to);
		return;
	}
	(void)fprintf(to, "Usage: jobmeter %s [OPTION...]%s%s\n%s.\n\n", c->name, *c->operands ? " " : "", c->operands,
	              c->help);
	plain(to, c->text);
	(void)fputs("\n\nOptions:\n", to);
	options_of(to, c);
	bool outside = false;
	for (int id = 0; id < OPTIONS_COUNT; id++)
		outside = outside || (command_has(c, &option_table[id]) && option_table[id].outside);
	if (outside)
		(void)fputs("\nOptions have variables, JOBMETER_INTERVAL for --interval, and lines in\n"
		            "$XDG_CONFIG_HOME/jobmeter/config, as 'interval = 100ms'. The command line is\n"
		            "stronger than the environment, the environment than the file.\n",
		            to);
	if (c->example)
		(void)fprintf(to, "\nExamples:\n%s", c->example);
}

/* scdoc gives meaning to _ * \ # and leading blanks. */
static void escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (strchr("_*\\", *text))
			(void)fputc('\\', to);
		(void)fputc(*text, to);
	}
}

static void man_options(FILE *to, const struct command *c)
{
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!command_has(c, i) || i->hidden)
			continue;
		if (i->letter)
			(void)fprintf(to, "*-%c*, ", i->letter);
		(void)fprintf(to, "*--%s*", i->name);
		if (i->argument) {
			(void)fputs("=_", to);
			(void)fputs(i->argument, to);
			(void)fputs("_", to);
		}
		(void)fputs("\n\t", to);
		char first = i->help[0];
		(void)fputc(first >= 'a' && first <= 'z' ? first - 'a' + 'A' : first, to);
		escaped(to, i->help + 1);
		(void)fprintf(to, ".%s%s\n", i->more ? " " : "", i->more ? i->more : "");
		if (option_key(i)) {
			char variable[64];
			option_variable(i, variable, sizeof variable);
			(void)fputs("\n\tVariable ", to);
			escaped(to, variable);
			(void)fprintf(to, ", configuration *%s*", option_key(i));
			if (i->key)
				(void)fputs(" (_no_ is this option)", to);
			(void)fputs(".\n", to);
		}
		(void)fputc('\n', to);
	}
}

static void man_program(FILE *to)
{
	(void)fprintf(to,
	              "jobmeter(1)\n\n# NAME\n\njobmeter - tells what a job really used\n\n# SYNOPSIS\n\n"
	              "*jobmeter* _COMMAND_ ...\n\n# DESCRIPTION\n\n%s\n\n# COMMANDS\n\n",
	              command_program.text);
	for (size_t i = 0; commands[i]; i++)
		(void)fprintf(to, "*jobmeter-%s*(1)\n\t%s.\n\n", commands[i]->name, commands[i]->help);
	(void)fputs("# OPTIONS\n\n", to);
	man_options(to, &command_program);
	(void)fputs(
		"# FILES\n\n"
		"_$XDG_CONFIG_HOME/jobmeter/config_\n\tLines of _key = value_; a line that begins with # is a remark. The keys "
		"are told with the options of each command.\n\n"
		"_$XDG_STATE_HOME/jobmeter/runs_\n\tRuns that were measured without *--output*, the newest 20 or 200 MB.\n\n",
		to);
}

void help_man(FILE *to, const struct command *c)
{
	if (c == &command_program) {
		man_program(to);
		return;
	}
	(void)fprintf(to,
	              "jobmeter-%s(1)\n\n# NAME\n\njobmeter-%s - %c%s\n\n# SYNOPSIS\n\n*jobmeter %s* [_OPTION_...] ",
	              c->name, c->name, c->help[0] - 'A' + 'a', c->help + 1, c->name);
	escaped(to, c->operands);
	(void)fprintf(to, "\n\n# DESCRIPTION\n\n%s\n\n# OPTIONS\n\n", c->text);
	man_options(to, c);
	if (c->bit == IN_RUN)
		(void)fputs(
			"# EXIT STATUS\n\n"
			"The job's own. If the job died of a signal, jobmeter dies of it too. 127: COMMAND was not found. 126: it "
			"cannot be executed. 125: jobmeter itself failed before the job began. 124: *--timeout* ended the job. "
			"3: a *--fail-if* gate failed and the job did not.\n\n"
			"# SIGNALS\n\n"
			"Signals that are sent to jobmeter are the job's: they are passed on, unless they went to the whole process "
			"group and the job has them already. After COMMAND has ended, while others are waited for (*--wait*), they go to "
			"all of those. Three times SIGINT with at most two seconds between them kill COMMAND.\n\n",
			to);
	else
		(void)fputs("# EXIT STATUS\n\n0, 1 when it failed, 2 for wrong usage.\n\n", to);
	if (c->example)
		(void)fprintf(to, "# EXAMPLES\n\n```\n%s```\n\n", c->example);
	(void)fputs("# SEE ALSO\n\n*jobmeter*(1)\n", to);
}
