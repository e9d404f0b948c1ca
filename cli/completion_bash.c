/* bash: compgen over words; behind `run` the completion of the command that stands there. */
#include "completion.h"
#include <stdio.h>

static void bash_values(const struct command *c)
{
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!completion_has(c, id) || !i->argument)
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
		if (completion_has(c, id))
			(void)printf("--%s ", option_table[id].name);
	(void)printf("' ;;\n");
	if (c->words)
		(void)printf("\t%s:*) words='%s' ;;\n", c->name, c->words);
}

void completion_bash(void)
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
		if (completion_has(&cmd_run, id) && option_table[id].argument)
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
