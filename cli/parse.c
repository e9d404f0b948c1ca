/* The command line. Names are never cut short: a name that grows a brother must not change what scripts mean. */
#include "command.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_long(const struct command *c, const char *name, size_t len)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (command_has(c, &option_table[i]) && strlen(option_table[i].name) == len &&
		    !memcmp(option_table[i].name, name, len))
			return i;
	return -1;
}

static int find_letter(const struct command *c, char letter)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (command_has(c, &option_table[i]) && option_table[i].letter == letter)
			return i;
	return -1;
}

static int unknown(struct options *o, const struct command *c, const char *name, size_t len)
{
	char typed[64];
	struct nearest n = { 0 };
	(void)snprintf(typed, sizeof typed, "%.*s", (int)(len < sizeof typed ? len : sizeof typed - 1), name);
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (command_has(c, &option_table[i]) && !option_table[i].hidden)
			nearest_try(&n, typed, option_table[i].name);
	if (n.name)
		return options_fail(o, "there is no option --%s; the nearest is --%s", typed, n.name);
	return options_fail(o, "there is no option --%s", typed);
}

/* --name, --name=value, --name value. Returns how many words it took, -1: wrong. */
static int take_long(struct options *o, const struct command *c, char **argv)
{
	const char *name = argv[0] + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	char where[64];

	int id = find_long(c, name, len);
	if (id < 0)
		return unknown(o, c, name, len);
	const struct option_info *i = &option_table[id];
	(void)snprintf(where, sizeof where, "--%s", i->name);
	if (!i->argument) {
		if (equals)
			return options_fail(o, "--%s takes no value", i->name);
		return options_put(o, (enum option_id)id, "", FROM_COMMAND_LINE, where) < 0 ? -1 : 1;
	}
	const char *value = equals ? equals + 1 : argv[1];
	if (!value)
		return options_fail(o, "--%s needs a value: %s", i->name, i->argument);
	return options_put(o, (enum option_id)id, value, FROM_COMMAND_LINE, where) < 0 ? -1 : equals ? 1 : 2;
}

/* -q, -i1s, -i 1s, -qi1s */
static int take_letters(struct options *o, const struct command *c, char **argv)
{
	for (const char *p = argv[0] + 1; *p; p++) {
		char where[] = { '-', *p, 0 };
		int id = find_letter(c, *p);
		if (id < 0)
			return options_fail(o, "there is no option -%c", *p >= ' ' && *p < 127 ? *p : '?');
		const struct option_info *i = &option_table[id];
		if (!i->argument) {
			if (options_put(o, (enum option_id)id, "", FROM_COMMAND_LINE, where) < 0)
				return -1;
			continue;
		}
		const char *value = p[1] ? p + 1 : argv[1];
		if (!value)
			return options_fail(o, "-%c needs a value: %s", *p, i->argument);
		return options_put(o, (enum option_id)id, value, FROM_COMMAND_LINE, where) < 0 ? -1 : p[1] ? 1 : 2;
	}
	return 1;
}

/* Is there something outside of the command line that could matter to c? */
static bool has_outside(const struct command *c)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		if (command_has(c, &option_table[i]) && option_table[i].outside)
			return true;
	return false;
}

int options_read(struct options *o, const struct command *c, char **argv)
{
	size_t argc = 0;
	while (argv[argc])
		argc++;
	o->operands = calloc(argc + 1, sizeof *o->operands);
	if (!o->operands)
		return options_fail(o, "out of memory");
	while (*argv) {
		const char *word = *argv;
		bool option = word[0] == '-' && word[1];
		if (option && !strcmp(word, "--")) {
			argv++;
			break;
		}
		if (!option) {
			if (c->is_prefix)
				break;
			o->operands[o->operand_count++] = *argv++;
			continue;
		}
		int n = word[1] == '-' ? take_long(o, c, argv) : take_letters(o, c, argv);
		if (n < 0)
			return -1;
		argv += n;
	}
	while (*argv)
		o->operands[o->operand_count++] = *argv++;
	if (option_flag(o, OPT_HELP) || option_flag(o, OPT_VERSION))
		return 0; /* help is given also to those whose configuration is wrong */
	if (o->operand_count > c->max_operands)
		return options_fail(o, "'%.100s' is too much: expected %s", o->operands[c->max_operands],
		                    c->max_operands ? c->operands : "options only");
	if (!has_outside(c))
		return 0;
	if (options_read_environment(o, c) < 0)
		return -1;
	return options_read_config_file(o, c);
}

void options_done(struct options *o)
{
	for (int i = 0; i < OPTIONS_COUNT; i++)
		free(o->values[i].texts);
	free(o->operands);
	free(o->config);
}
