/* Completions for shells, out of the tables. */
#include "say.h"
#include <stdio.h>
#include <string.h>

static bool shown(const struct command *c, int id)
{
	return command_has(c, &option_table[id]) && !option_table[id].hidden;
}

/* ---- bash ---- */

static void bash_values(const struct command *c)
{
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!shown(c, id) || !i->argument)
			continue;
		(void)printf("\t%s:--%s", c->name, i->name);
		if (i->letter)
			(void)printf("|%s:-%c", c->name, i->letter);
		if (i->kind == KIND_CHOICE)
			(void)printf(") mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\"); return ;;\n",
			             i->choices);
		else if (i->kind == KIND_FILE || i->kind == KIND_FOLDER)
			(void)printf(") mapfile -t COMPREPLY < <(compgen -%c -- \"$word\"); return ;;\n",
			             i->kind == KIND_FILE ? 'f' : 'd');
		else
			(void)printf(") return ;;\n");
	}
}

static void bash_words(const struct command *c)
{
	(void)printf("\t%s:-*) words='", c->name);
	for (int id = 0; id < OPTIONS_COUNT; id++)
		if (shown(c, id))
			(void)printf("--%s ", option_table[id].name);
	(void)printf("' ;;\n");
	if (c->words)
		(void)printf("\t%s:*) words='%s' ;;\n", c->name, c->words);
}

static void bash(void)
{
	(void)puts(
		"# bash completion of jobmeter: eval \"$(jobmeter completion bash)\"\n"
		"_jobmeter() {\n"
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= i\n"
		"\tCOMPREPLY=()\n"
		"\t# --name=value comes as three words\n"
		"\tif [[ $word == '=' ]]; then word=; elif [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
		"\tif ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi\n"
		"\tcase $command:$before in");
	for (size_t i = 0; commands[i]; i++)
		bash_values(commands[i]);
	(void)puts("\tesac");
	/* behind run stands a command of its own, with its own completion */
	(void)puts("\tif [[ $command == run ]]; then\n"
	           "\t\tfor ((i = 2; i <= COMP_CWORD; i++)); do\n"
	           "\t\t\tcase ${COMP_WORDS[i]} in");
	(void)printf("\t\t\t-[^-]");
	for (int id = 0; id < OPTIONS_COUNT; id++)
		if (shown(&cmd_run, id) && option_table[id].argument)
			(void)printf("|--%s", option_table[id].name);
	(void)puts(") [[ ${COMP_WORDS[i]} == -[qh] ]] || { ((i++)); [[ ${COMP_WORDS[i]} != '=' ]] || ((i++)); } ;;\n"
	           "\t\t\t--) ((i++)); break ;;\n"
	           "\t\t\t-*) ;;\n"
	           "\t\t\t*) break ;;\n"
	           "\t\t\tesac\n"
	           "\t\tdone\n"
	           "\t\tif ((i <= COMP_CWORD)) || [[ $word != -* ]]; then\n"
	           "\t\t\tif ((i < COMP_CWORD)) && declare -F _command_offset >/dev/null; then\n"
	           "\t\t\t\t_command_offset \"$i\"\n"
	           "\t\t\telif ((i < COMP_CWORD)); then\n"
	           "\t\t\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
	           "\t\t\telse\n"
	           "\t\t\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$word\")\n"
	           "\t\t\tfi\n"
	           "\t\t\treturn\n"
	           "\t\tfi\n"
	           "\tfi\n"
	           "\tcase $command:$word in");
	(void)printf("\t:*) words='--help --version");
	for (size_t i = 0; commands[i]; i++)
		(void)printf(" %s", commands[i]->name);
	(void)printf("' ;;\n");
	for (size_t i = 0; commands[i]; i++)
		bash_words(commands[i]);
	(void)puts("\t*) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n"
	           "\tesac\n"
	           "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	           "}\n"
	           "complete -o filenames -o bashdefault -F _jobmeter jobmeter");
}

/* ---- zsh ---- */

/* Help texts stand inside of '...[...]' */
static void zsh_text(const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			(void)fputs("'\\''", stdout);
		else if (strchr("[]:\\", *text))
			(void)printf("\\%c", *text);
		else
			(void)putchar(*text);
}

static void zsh_option(const struct option_info *i, const char *dashed, bool is_long)
{
	(void)printf("\t\t\t'%s%s", i->repeats ? "*" : "", dashed);
	(void)printf("%s[", !i->argument ? "" : is_long ? "=" : "+");
	zsh_text(i->help);
	(void)printf("]");
	if (i->argument) {
		(void)putchar(':');
		zsh_text(i->argument);
		if (i->kind == KIND_CHOICE)
			(void)printf(":(%s)", i->choices);
		else
			(void)printf(":%s", i->kind == KIND_FILE     ? "_files"
			                    : i->kind == KIND_FOLDER ? "_files -/"
			                                             : " ");
	}
	(void)printf("' \\\n");
}

static void zsh(void)
{
	(void)puts("#compdef jobmeter\n"
	           "# zsh completion of jobmeter: jobmeter completion zsh >_jobmeter in a folder of $fpath\n"
	           "_jobmeter() {\n"
	           "\tlocal -a commands\n"
	           "\tcommands=(");
	for (size_t i = 0; commands[i]; i++) {
		(void)printf("\t\t'%s:", commands[i]->name);
		zsh_text(commands[i]->help);
		(void)puts("'");
	}
	(void)puts("\t)\n"
	           "\tif ((CURRENT == 2)); then\n"
	           "\t\t_describe command commands\n"
	           "\t\t_arguments '--help[tell what there is]' '--version[tell the version]'\n"
	           "\t\treturn\n"
	           "\tfi\n"
	           "\tlocal command=$words[2]\n"
	           "\tshift words\n"
	           "\t((CURRENT--))\n"
	           "\tcase $command in");
	for (size_t k = 0; commands[k]; k++) {
		const struct command *c = commands[k];
		(void)printf("\t%s)\n\t\t_arguments -s%s \\\n", c->name, c->is_prefix ? " -A '-*'" : "");
		for (int id = 0; id < OPTIONS_COUNT; id++) {
			char dashed[64];
			if (!shown(c, id))
				continue;
			(void)snprintf(dashed, sizeof dashed, "--%s", option_table[id].name);
			zsh_option(&option_table[id], dashed, true);
			if (option_table[id].letter) {
				(void)snprintf(dashed, sizeof dashed, "-%c", option_table[id].letter);
				zsh_option(&option_table[id], dashed, false);
			}
		}
		if (c->is_prefix)
			(void)puts("\t\t\t'(-):command: _command_names -e' '*::argument: _normal'");
		else if (c->words && *c->words)
			(void)printf("\t\t\t'1:word:(%s)'\n", c->words);
		else
			(void)printf("\t\t\t'*:%s'\n", c->words || !c->max_operands ? " : " : "file:_files");
		(void)puts("\t\t;;");
	}
	(void)puts("\tesac\n"
	           "}\n"
	           "if [[ $funcstack[1] == _jobmeter ]]; then _jobmeter \"$@\"; else compdef _jobmeter jobmeter; fi");
}

/* ---- fish ---- */

static void fish_text(const char *text)
{
	(void)putchar('\'');
	for (; *text; text++)
		if (*text == '\'' || *text == '\\')
			(void)printf("\\%c", *text);
		else
			(void)putchar(*text);
	(void)putchar('\'');
}

static void fish(void)
{
	(void)puts("# fish completion of jobmeter: jobmeter completion fish | source\n"
	           "complete -c jobmeter -n __fish_use_subcommand -f -l help -s h -d 'tell what there is'\n"
	           "complete -c jobmeter -n __fish_use_subcommand -f -l version -s V -d 'tell the version'");
	for (size_t k = 0; commands[k]; k++) {
		const struct command *c = commands[k];
		(void)printf("complete -c jobmeter -n __fish_use_subcommand -f -a %s -d ", c->name);
		fish_text(c->help);
		(void)putchar('\n');
		for (int id = 0; id < OPTIONS_COUNT; id++) {
			const struct option_info *i = &option_table[id];
			if (!shown(c, id))
				continue;
			(void)printf("complete -c jobmeter -n '__fish_seen_subcommand_from %s' -l %s", c->name,
			             i->name);
			if (i->letter)
				(void)printf(" -s %c", i->letter);
			if (i->kind == KIND_CHOICE)
				(void)printf(" -x -a '%s'", i->choices);
			else if (i->argument)
				(void)printf(" %s", i->kind == KIND_FILE || i->kind == KIND_FOLDER ? "-r -F" : "-x");
			(void)printf(" -d ");
			fish_text(i->help);
			(void)putchar('\n');
		}
		if (c->words)
			(void)printf("complete -c jobmeter -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", c->name,
			             c->words);
		if (c->is_prefix)
			(void)printf(
				"complete -c jobmeter -n '__fish_seen_subcommand_from %s' -f -a '(__fish_complete_subcommand)'\n",
				c->name);
	}
}

static int run(const struct command *c, struct options *o)
{
	static const struct {
		const char *shell;
		void (*print)(void);
	} shells[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

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
