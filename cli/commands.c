/* All commands. */
#include "command.h"
#include <string.h>

const struct command *const commands[] = {
	&cmd_run,        &cmd_report,  &cmd_export,     &cmd_mark, &cmd_doctor,
	&cmd_collectors, &cmd_metrics, &cmd_completion, NULL,
};

const struct command command_program = {
	.name = "jobmeter",
	.operands = "COMMAND ...",
	.help = "jobmeter tells what a job really used: CPU, memory, disk, network, and from whom.",
	.text = "jobmeter measures a command and all its descendants: exactly where the kernel is exact, with bounds where it is not, "
		"and it says which. *jobmeter run -- COMMAND* is where to begin.",
	.bit = IN_PROGRAM,
	.wrong_usage = EXIT_WRONG_USAGE,
	.is_prefix = true,
	.max_operands = (size_t)-1,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}
