/* One subcommand = one file = one const struct, listed in commands.c. The CLI includes jobmeter.h and nothing of src/. */
#pragma once
#include "options.h"

enum exit_status {
	EXIT_FAILED = 1,
	EXIT_WRONG_USAGE = 2,
	EXIT_GATE = 3,
	EXIT_TIMEOUT = 124,
	EXIT_OURSELVES = 125, /* run: jobmeter itself failed before the job */
};

struct command {
	const char *name;
	const char *operands; /* for help */
	const char *help;     /* one line */
	const char *text;     /* paragraphs of the man page, parted by empty lines */
	const char *example;  /* lines of commands */
	const char *words;    /* what operands may be, for completions; NULL: files, or a command */
	int bit;              /* IN_RUN, ... */
	int wrong_usage;      /* exit status */
	bool is_prefix;       /* options end at the first operand, which is a command of its own */
	size_t max_operands;  /* 0: none; operands beyond are wrong usage */
	int (*run)(const struct command *c, struct options *o);
};
extern const struct command command_program;   /* jobmeter without a command */
extern const struct command *const commands[]; /* NULL-terminated, in the order of help */
const struct command *command_find(const char *name);

extern const struct command cmd_run, cmd_report, cmd_export, cmd_mark, cmd_doctor, cmd_collectors, cmd_metrics,
	cmd_completion;

/* Does command c have option i? */
static inline bool command_has(const struct command *c, const struct option_info *i)
{
	return (i->commands & c->bit) != 0;
}
