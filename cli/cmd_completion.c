/* Completions for shells. */
#include "completion.h"
#include "say.h"
#include <string.h>

bool completion_has(const struct command *c, int id)
{
	return command_has(c, &option_table[id]) && !option_table[id].hidden;
}

static int run(const struct command *c, struct options *o)
{
	static const struct {
		const char *shell;
		void (*print)(void);
	} shells[] = { { "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish } };

	if (o->operand_count == 0)
		return say_usage(c, "completion needs the name of a shell: %s", c->words);
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shells[i].shell, o->operands[0])) {
			shells[i].print();
			return say_done();
		}
	return say_usage(c, "there are no completions for '%.60s': expected one of %s", o->operands[0], c->words);
}

const struct command cmd_completion = {
	.name = "completion",
	.operands = "SHELL",
	.help = "Print completions for a shell",
	.text = "SHELL is bash, zsh or fish.",
	.example = "  eval \"$(jobmeter completion bash)\"\n",
	.words = "bash zsh fish",
	.bit = IN_COMPLETION,
	.wrong_usage = EXIT_WRONG_USAGE,
	.max_operands = 1,
	.run = run,
};
