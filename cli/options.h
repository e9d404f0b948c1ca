/* All options of all commands: ONE table. The parser of the command line, environment variables, the configuration file,
 * --help, man pages and completions read it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_id {
	OPT_OUTPUT,
	OPT_APPEND,
	OPT_OVERWRITE,
	OPT_INTERVAL,
	OPT_GROUP,
	OPT_TAG,
	OPT_SUMMARY,
	OPT_QUIET,
	OPT_JSON,
	OPT_FAIL_IF,
	OPT_TIMEOUT,
	OPT_WAIT,
	OPT_OVERHEAD,
	OPT_TIER,
	OPT_ROOT,
	OPT_FIX,
	OPT_REDACT,
	OPT_NO_REDACT,
	OPT_NO_RECORD,
	OPT_EXACT,
	OPT_NO_BPF,
	OPT_NO_HARDWARE,
	OPT_REPORT_OUTPUT,
	OPT_EXPORT_OUTPUT,
	OPT_FORMAT,
	OPT_EXPORT_FORMAT,
	OPT_GET,
	OPT_BEGIN,
	OPT_END,
	OPT_COLOR,
	OPT_HELP,
	OPT_VERSION,
	OPTIONS_COUNT
};

enum option_kind {
	KIND_FLAG,
	KIND_TEXT,
	KIND_FILE,
	KIND_FOLDER,
	KIND_CHOICE,
	KIND_DURATION, /* number: ns */
	KIND_PERCENT,  /* number: millionths */
};

/* Commands as bits; the program itself (jobmeter --help) is one of them. */
enum {
	IN_PROGRAM = 1 << 0,
	IN_RUN = 1 << 1,
	IN_REPORT = 1 << 2,
	IN_EXPORT = 1 << 3,
	IN_MARK = 1 << 4,
	IN_DOCTOR = 1 << 5,
	IN_COLLECTORS = 1 << 6,
	IN_METRICS = 1 << 7,
	IN_COMPLETION = 1 << 8,
	IN_COMMANDS = ~IN_PROGRAM,
	IN_ALL = ~0,
};

struct option_info {
	const char *name; /* long name without dashes */
	char letter;      /* 0: none */
	unsigned char kind;
	bool repeats; /* may be given more than once; else the last one counts */
	bool adds;    /* values of command line, environment and configuration are put together, in this order */
	bool outside; /* also JOBMETER_<NAME> and a line of the configuration */
	bool once;    /* from there it is meant for the outermost run: a run inside a run passes it over */
	bool hidden;  /* not in help, man page and completion */
	int commands;
	const char *argument; /* what help calls its value; NULL: it has none */
	const char *choices;  /* parted by blanks */
	const char *key;   /* name outside when it is another one: `record` of --no-record, with the opposite meaning */
	uint64_t min, max; /* of numbers */
	const char *help;  /* one line */
	const char *more;  /* what the man page says beyond it; NULL: nothing */
};
extern const struct option_info option_table[OPTIONS_COUNT];

enum option_place { FROM_DEFAULT, FROM_CONFIG, FROM_ENVIRONMENT, FROM_COMMAND_LINE };

struct option_value {
	const char **texts; /* NULL-terminated; NULL: not given */
	size_t count;
	uint64_t number; /* flag: 1 */
	enum option_place from;
};

/* What was asked for. Texts are borrowed from argv, the environment and `config`. */
struct options {
	struct option_value values[OPTIONS_COUNT];
	char *config;    /* text of the configuration file */
	char **operands; /* NULL-terminated */
	size_t operand_count;
	char error[600]; /* a sentence after a function returned -1 */
};

struct command;

/* 0; -1: o->error. Reads command line, then environment, then configuration. */
int options_read(struct options *o, const struct command *c, char **argv);
void options_done(struct options *o);

static inline bool option_given(const struct options *o, enum option_id id)
{
	return o->values[id].from != FROM_DEFAULT;
}
static inline bool option_flag(const struct options *o, enum option_id id)
{
	return o->values[id].number != 0;
}
/* The last value, or NULL. */
const char *option_text(const struct options *o, enum option_id id);

/* ---- pieces (each tested alone) ---- */

/* Takes one value. where names the place in errors: "--interval", "JOBMETER_INTERVAL", "FILE:3: interval". */
int options_put(struct options *o, enum option_id id, const char *text, enum option_place from, const char *where);
__attribute__((format(printf, 2, 3))) int options_fail(struct options *o, const char *fmt, ...);
int options_read_environment(struct options *o, const struct command *c);
/* Lines of `key = value`; text is changed and has to live as long as o. path is for errors only. c NULL: any command. */
int options_read_config(struct options *o, const struct command *c, const char *path, char *text, size_t len);
int options_read_config_file(struct options *o, const struct command *c);
/* Name outside of the command line; NULL: none. */
const char *option_key(const struct option_info *i);
/* "JOBMETER_FAIL_IF" into a buffer. */
void option_variable(const struct option_info *i, char *buf, size_t size);
/* The name that a mistyped one was probably meant to be; NULL: none is near. */
struct nearest {
	const char *name;
	unsigned distance;
};
void nearest_try(struct nearest *n, const char *typed, const char *name);
