/* What the program says of itself, on standard error. A standard error that is closed or full changes nothing. */
#pragma once
#include "command.h"

__attribute__((format(printf, 1, 2))) void say(const char *fmt, ...);      /* jobmeter: ... */
__attribute__((format(printf, 1, 2))) void say_warn(const char *fmt, ...); /* jobmeter: warning: ... */
/* Says it with a hint at --help and returns the command's status of wrong usage. */
__attribute__((format(printf, 2, 3))) int say_usage(const struct command *c, const char *fmt, ...);
/* A text for standard output that holds names somebody chose: what a terminal would act upon is written out. */
void say_name(const char *text);
/* Ends standard output: 0, or 1 and a sentence when something could not be written. */
int say_done(void);
