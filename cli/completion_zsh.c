/* zsh: specifications for _arguments. */
#include "completion.h"
#include <stdio.h>
#include <string.h>

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
	(void)printf(" \\\n\t\t\t'%s%s", i->repeats ? "*" : "", dashed);
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
	(void)putchar('\'');
}

static void zsh_operands(const struct command *c)
{
	if (c->is_prefix)
		(void)printf(" \\\n\t\t\t'(-):command: _command_names -e' '*::argument: _normal'");
	else if (c->words && *c->words)
		(void)printf(" \\\n\t\t\t'1:word:(%s)'", c->words);
	else if (!c->words && c->max_operands)
		(void)printf(" \\\n\t\t\t'*:file:_files'");
}

void completion_zsh(void)
{
	(void)puts("#compdef jobmeter\n"
	           "# zsh completion of jobmeter: jobmeter completion zsh >_jobmeter in a folder of $fpath\n"
	           "_jobmeter() {\n"
	           "\tlocal -a ours # not `commands`: that is zsh's table of programs\n"
	           "\tours=(");
	for (size_t i = 0; commands[i]; i++) {
		(void)printf("\t\t'%s:", commands[i]->name);
		zsh_text(commands[i]->help);
		(void)puts("'");
	}
	(void)puts("\t)\n"
	           "\tif ((CURRENT == 2)); then\n"
	           "\t\t_describe command ours\n"
	           "\t\t_arguments '--help[tell what there is]' '--version[tell the version]'\n"
	           "\t\treturn\n"
	           "\tfi\n"
	           "\tlocal which=$words[2]\n"
	           "\tshift words\n"
	           "\t((CURRENT--))\n"
	           "\tcase $which in");
	for (size_t k = 0; commands[k]; k++) {
		const struct command *c = commands[k];
		(void)printf("\t%s)\n\t\t_arguments -s -S%s", c->name, c->is_prefix ? " -A '-*'" : "");
		for (int id = 0; id < OPTIONS_COUNT; id++) {
			char dashed[64];
			if (!completion_has(c, id))
				continue;
			(void)snprintf(dashed, sizeof dashed, "--%s", option_table[id].name);
			zsh_option(&option_table[id], dashed, true);
			if (option_table[id].letter) {
				(void)snprintf(dashed, sizeof dashed, "-%c", option_table[id].letter);
				zsh_option(&option_table[id], dashed, false);
			}
		}
		zsh_operands(c);
		(void)puts("\n\t\t;;");
	}
	(void)puts("\tesac\n"
	           "}\n"
	           "if [[ $funcstack[1] == _jobmeter ]]; then _jobmeter \"$@\"; else compdef _jobmeter jobmeter; fi");
}
