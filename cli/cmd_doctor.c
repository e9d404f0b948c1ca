#include "say.h"
#include "terminal.h"
#include <jobmeter.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_COLUMNS = 20 };

struct visit {
	bool color;
	unsigned works, not ;
};

static void show(void *ctx, const char *name, int works, const char *detail, const char *advice)
{
	struct visit *v = ctx;
	const char *on = !v->color ? "" : works ? "\033[32m" : "\033[33m", *off = v->color ? "\033[0m" : "";
	(void)printf("%-*s %s%-4s%s ", NAME_COLUMNS, name, on, works ? "yes" : "no", off);
	say_name(detail ? detail : ""); /* may have the name of a folder or a control group in it */
	(void)putchar('\n');
	if (advice && *advice)
		(void)printf("%-*s      %s: %s\n", NAME_COLUMNS, "", works ? "but not" : "what would change it",
		             advice);
	if (works)
		v->works++;
	else
		v->not ++;
}

static void print_command(void *ctx, const char *command)
{
	(void)puts(command);
}

static int fix(void)
{
	int n = jm_doctor_fix(print_command, NULL);
	if (n < 0) {
		say("%s", strerror(-n));
		return EXIT_FAILED;
	}
	if (n == 0)
		say("no command would change anything here; 'jobmeter doctor' tells what works");
	return say_done();
}

static int run(const struct command *c, struct options *o)
{
	struct visit v = { .color = terminal_of(STDOUT_FILENO, o).color };
	const char *root = option_text(o, OPT_ROOT);
	if (option_flag(o, OPT_FIX))
		return fix();
	int r = jm_doctor(root, show, &v);
	if (r < 0) {
		say("%s: %s", root ? root : "/", strerror(-r));
		return EXIT_FAILED;
	}
	(void)printf("\n%u work here, %u do not. What does not work is absent from a report, never 0.\n", v.works,
	             v.not );
	return say_done();
}

const struct command cmd_doctor = {
	.name = "doctor",
	.operands = "",
	.help = "Tell what can be measured on this machine",
	.text = "Opens and closes each collector and each means of following processes, and tells\n"
		"what works, what does not, why, and what would change it. Nothing is changed.",
	.bit = IN_DOCTOR,
	.wrong_usage = EXIT_WRONG_USAGE,
	.run = run,
};
