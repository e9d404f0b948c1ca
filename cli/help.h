/* --help and the man pages, out of the tables. */
#pragma once
#include "command.h"
#include <stdio.h>

void help_print(FILE *to, const struct command *c);
/* scdoc(5) text of jobmeter(1) or jobmeter-COMMAND(1). */
void help_man(FILE *to, const struct command *c);
