/* Completions for shells, printed to standard output out of the tables; one file a shell. */
#pragma once
#include "command.h"

/* Does completion offer this option of the command? */
bool completion_has(const struct command *c, int id);

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);
