/* fish: one `complete` a word. */
#include "completion.h"
#include <stdio.h>

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

/* What is said of a line: which command it is, and where behind `run` another program's words begin. */
static void fish_functions(void)
{
	(void)puts("function __jobmeter_job\n"
	           "    set -l words (commandline -opc) (commandline -ct)\n"
	           "    test (count $words) -gt 2; and test $words[2] = run; or return 1\n"
	           "    set words $words[3..-1]\n"
	           "    while set -q words[1]\n"
	           "        switch $words[1]\n"
	           "            case --\n"
	           "                set -e words[1]\n"
	           "                break");
	(void)printf("            case");
	for (int id = 0; id < OPTIONS_COUNT; id++) {
		const struct option_info *i = &option_table[id];
		if (!completion_has(&cmd_run, id) || !i->argument)
			continue;
		(void)printf(" --%s", i->name);
		if (i->letter)
			(void)printf(" -%c", i->letter);
	}
	(void)puts("\n"
	           "                set -e words[1]\n"
	           "                set -q words[1]; and set -e words[1]\n"
	           "            case '-*'\n"
	           "                set -e words[1]\n"
	           "            case '*'\n"
	           "                break\n"
	           "        end\n"
	           "    end\n"
	           "    set -q words[1]; and printf '%s\\n' $words\n"
	           "end\n"
	           "function __jobmeter_is\n"
	           "    set -l words (commandline -opc)\n"
	           "    test (count $words) -gt 1; and test $words[2] = $argv[1]; and not __jobmeter_job >/dev/null\n"
	           "end");
}

static void fish_option(const struct command *c, const struct option_info *i)
{
	(void)printf("complete -c jobmeter -n '__jobmeter_is %s' -l %s", c->name, i->name);
	if (i->letter)
		(void)printf(" -s %c", i->letter);
	if (i->kind == KIND_CHOICE)
		(void)printf(" -x -a '%s'", i->choices);
	else if (i->kind == KIND_FOLDER)
		(void)printf(" -x -a '(__fish_complete_directories)'");
	else if (i->argument)
		(void)printf(" %s", i->kind == KIND_FILE ? "-r -F" : "-x");
	(void)printf(" -d ");
	fish_text(i->help);
	(void)putchar('\n');
}

void completion_fish(void)
{
	(void)puts("# fish completion of jobmeter: jobmeter completion fish | source");
	fish_functions();
	(void)puts("complete -c jobmeter -n __fish_use_subcommand -f -l help -s h -d 'tell what there is'\n"
	           "complete -c jobmeter -n __fish_use_subcommand -f -l version -s V -d 'tell the version'");
	for (size_t k = 0; commands[k]; k++) {
		const struct command *c = commands[k];
		(void)printf("complete -c jobmeter -n __fish_use_subcommand -f -a %s -d ", c->name);
		fish_text(c->help);
		(void)putchar('\n');
		for (int id = 0; id < OPTIONS_COUNT; id++)
			if (completion_has(c, id))
				fish_option(c, &option_table[id]);
		if (c->words || !c->max_operands || c->is_prefix)
			(void)printf("complete -c jobmeter -n '__jobmeter_is %s' -f -a '%s'\n", c->name,
			             c->words ? c->words : "");
		if (c->is_prefix)
			(void)puts("complete -c jobmeter -n '__jobmeter_job >/dev/null' -f "
			           "-a '(complete -C (string join -- \" \" (__jobmeter_job)))'");
	}
}
