#include "options.h"

#define MS  UINT64_C(1000000)
#define DAY (UINT64_C(86400) * 1000 * MS)

const struct option_info option_table[OPTIONS_COUNT] = {
	[OPT_OUTPUT] = {
		.name = "output", .letter = 'o', .kind = KIND_FILE, .repeats = true, .outside = true, .once = true, .commands = IN_RUN,
		.argument = "FILE", .help = "write the recording to FILE (.jm, .csv, .jsonl)",
		.more = "May be given more than once; the suffix decides the form. Without it the run is kept in "
			"*$XDG_STATE_HOME/jobmeter/runs*, where *jobmeter report* finds it. A file that exists is not touched "
			"unless *--append* or *--overwrite* says so. In FILE, %h is the host, %p jobmeter's pid, %j the job, %t the task "
			"and %n the node of the batch system (Slurm; 0 outside of it), and %% is %. From the environment or the configuration it is for the "
			"outermost run only.",
	},
	[OPT_APPEND] = {
		.name = "append", .kind = KIND_FLAG, .outside = true, .commands = IN_RUN,
		.help = "add to output files that exist",
	},
	[OPT_OVERWRITE] = {
		.name = "overwrite", .kind = KIND_FLAG, .outside = true, .commands = IN_RUN,
		.help = "replace output files that exist",
	},
	[OPT_INTERVAL] = {
		.name = "interval", .letter = 'i', .kind = KIND_DURATION, .outside = true, .commands = IN_RUN,
		.argument = "DURATION", .min = MS, .max = DAY / 24, .help = "time between samples, 1ms to 1h (default 1s)",
		.more = "Totals do not depend on it: they come from the kernel's own accounts. Curves and peaks of groups do.",
	},
	[OPT_GROUP] = {
		.name = "group", .kind = KIND_TEXT, .repeats = true, .adds = true, .outside = true, .commands = IN_RUN,
		.argument = "NAME=REGEX", .help = "count processes whose command line matches as one group",
		.more = "REGEX is a PCRE2 pattern on the whole command line. The first group that matches is taken; a process "
			"without one belongs to the group of its executable's name.",
	},
	[OPT_TAG] = {
		.name = "tag", .kind = KIND_TEXT, .repeats = true, .adds = true, .outside = true, .commands = IN_RUN,
		.argument = "KEY=VALUE", .help = "a note that is kept with the run",
	},
	[OPT_SUMMARY] = {
		.name = "summary", .kind = KIND_CHOICE, .outside = true, .commands = IN_RUN,
		.argument = "full|short|line|none", .choices = "full short line none", .help = "what is told at the end (default full)",
		.more = "It goes to standard error: standard output is the job's.",
	},
	[OPT_QUIET] = {
		.name = "quiet", .letter = 'q', .kind = KIND_FLAG, .outside = true, .commands = IN_RUN,
		.help = "tell nothing at the end, as --summary none",
	},
	[OPT_JSON] = {
		.name = "json", .kind = KIND_FILE, .repeats = true, .outside = true, .once = true, .commands = IN_RUN,
		.argument = "FILE", .help = "write the summary as JSON to FILE; - is standard output",
	},
	[OPT_FAIL_IF] = {
		.name = "fail-if", .kind = KIND_TEXT, .repeats = true, .outside = true, .once = true, .commands = IN_RUN,
		.argument = "EXPR", .help = "exit with 3 if EXPR is true, as 'memory.peak_rss_bytes > 4GiB'",
		.more = "EXPR is *KEY OP VALUE*, parts joined by *and* or *or*; KEY is a path of the summary's JSON, and of a range "
			"its high end is taken. A job that fails by itself keeps its own status. An expression about a figure that "
			"is not known counts as true: a gate that cannot be judged is not passed.",
	},
	[OPT_TIMEOUT] = {
		.name = "timeout", .kind = KIND_DURATION, .outside = true, .commands = IN_RUN,
		.argument = "DURATION", .min = MS, .max = 3650 * DAY, .help = "end the job after this long; exit with 124",
		.more = "Every process of the job gets SIGTERM, and SIGKILL ten seconds later if it has not ended, whatever *--wait* says: "
			"nothing of a job whose time is over lives on.",
	},
	[OPT_WAIT] = {
		.name = "wait", .kind = KIND_TEXT, .outside = true, .commands = IN_RUN,
		.argument = "root|all|DURATION", .help = "what the end of the job is (default root)",
		.more = "*root*: the end of COMMAND itself; descendants that live on are named in the summary. *all*: the end of "
			"all of them. A duration: as *all*, for at most that long after the end of COMMAND.",
	},
	[OPT_OVERHEAD] = {
		.name = "overhead", .kind = KIND_PERCENT, .outside = true, .commands = IN_RUN,
		.argument = "PERCENT", .min = 100, .max = 1000000, .help = "CPU budget for dear figures (default 1 % of a core)",
		.more = "USS and PSS cost the kernel time that grows with the memory they measure. They are read as often as this "
			"budget allows.",
	},
	[OPT_TIER] = {
		.name = "tier", .kind = KIND_CHOICE, .outside = true, .commands = IN_RUN, .hidden = true,
		.argument = "TIER", .choices = "A B C D", .help = "means of following processes (default: the best that works)",
	},
	[OPT_ROOT] = {
		.name = "root", .kind = KIND_FOLDER, .commands = IN_RUN | IN_DOCTOR,
		.argument = "DIR", .help = "see the machine through DIR instead of /",
	},
	[OPT_FIX] = {
		.name = "fix", .kind = KIND_FLAG, .commands = IN_DOCTOR,
		.help = "print the commands that would let more work, and nothing else",
		.more = "None of them is run. Today there is one: it gives jobmeter-bpf its capabilities, so that BPF programs "
			"follow the jobs of ordinary users; what that means is in docs/security.md.",
	},
	[OPT_REDACT] = {
		.name = "redact", .kind = KIND_TEXT, .repeats = true, .adds = true, .outside = true, .commands = IN_RUN,
		.argument = "REGEX", .help = "also hide what matches in command lines and tags",
		.more = "Known forms of secrets are hidden without it: values of options and assignments whose name says so "
			"(*--password*, *API_TOKEN=*), credentials in addresses, Authorization headers, tokens with a known beginning.",
	},
	[OPT_NO_REDACT] = {
		.name = "no-redact", .kind = KIND_FLAG, .outside = true, .commands = IN_RUN,
		.help = "keep command lines and tags as they are",
	},
	[OPT_NO_RECORD] = {
		.name = "no-record", .kind = KIND_FLAG, .outside = true, .key = "record", .commands = IN_RUN,
		.help = "keep nothing of this run when there is no --output",
	},
	[OPT_EXACT] = {
		.name = "exact", .kind = KIND_CHOICE, .repeats = true, .adds = true, .outside = true, .commands = IN_RUN,
		.argument = "ptrace|peak", .choices = "ptrace peak", .help = "dearer ways to exact figures; the manual has the price",
		.more = "*ptrace*: stops every process and thread of the job for a moment when it begins, executes a program, gets a "
			"signal and ends, and reads its files then. Nothing is missed, without any rights, where the kernel refuses "
			"everything else; what the job does besides computing takes longer. Debuggers and *strace* do not work inside the "
			"job. Programs with set-user-ID, set-group-ID or file capabilities run without these rights unless jobmeter "
			"has CAP_SYS_PTRACE, and the summary names them. Instead of BPF and other means, not beside them. "
			"*peak*: where BPF works (root, Linux 6.3), sums the resident memory of all processes at each change, so that the "
			"peak of the job is one number and not a range; a page fault takes 5 to 10 % longer. May be given more than once.",
	},
	[OPT_NO_BPF] = {
		.name = "no-bpf", .kind = KIND_FLAG, .outside = true, .key = "bpf", .commands = IN_RUN,
		.help = "do without BPF programs, also where they work",
		.more = "With the rights for them (root, or CAP_BPF and CAP_PERFMON) the kernel itself tells of every process of the "
			"job and what it has used. Without them other sources do, and the summary says which.",
	},
	[OPT_NO_HARDWARE] = {
		.name = "no-hardware", .kind = KIND_FLAG, .outside = true, .key = "hardware", .commands = IN_RUN,
		.help = "leave the CPU's hardware counters to the job",
		.more = "Where the machine has them, five counters of the job's tree are read once a second. A job that counts with them itself, "
			"as *perf stat* does, then shares them and gets estimates; and each process that is started takes a few microseconds longer.",
	},
	[OPT_REPORT_OUTPUT] = {
		.name = "output", .letter = 'o', .kind = KIND_FILE, .commands = IN_REPORT,
		.argument = "FILE", .help = "write the report to FILE; the suffix decides the form",
	},
	[OPT_EXPORT_OUTPUT] = {
		.name = "output", .letter = 'o', .kind = KIND_FILE, .commands = IN_EXPORT,
		.argument = "FILE", .help = "write to FILE (needed); - is standard output, with --format",
	},
	[OPT_FORMAT] = {
		.name = "format", .kind = KIND_CHOICE, .commands = IN_REPORT,
		.argument = "text|short|line|markdown|html|svg|json", .choices = "text short line markdown html svg json",
		.help = "form of the report (default: by the suffix of FILE, else text)",
	},
	[OPT_EXPORT_FORMAT] = {
		.name = "format", .kind = KIND_CHOICE, .commands = IN_EXPORT,
		.argument = "csv|jsonl", .choices = "csv jsonl", .help = "form of the output (default: by the suffix of FILE)",
	},
	[OPT_GET] = {
		.name = "get", .kind = KIND_TEXT, .repeats = true, .commands = IN_REPORT,
		.argument = "KEY", .help = "print one figure only, as 'cpu.total_ns'",
		.more = "KEY is a path of the summary's JSON; of a range the high end is printed. May be given more than once: one "
			"line each.",
	},
	[OPT_BEGIN] = {
		.name = "begin", .kind = KIND_FLAG, .commands = IN_MARK, .help = "a phase of that name begins",
	},
	[OPT_END] = {
		.name = "end", .kind = KIND_FLAG, .commands = IN_MARK, .help = "the phase of that name ends",
	},
	[OPT_COLOR] = {
		.name = "color", .kind = KIND_CHOICE, .outside = true, .commands = IN_RUN | IN_REPORT | IN_DOCTOR,
		.argument = "auto|always|never", .choices = "auto always never", .help = "colours on a terminal (default auto)",
		.more = "*always* and *never* are stronger than the variables NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR.",
	},
	[OPT_HELP] = {
		.name = "help", .letter = 'h', .kind = KIND_FLAG, .commands = IN_ALL, .help = "tell what there is, and exit",
	},
	[OPT_VERSION] = {
		.name = "version", .letter = 'V', .kind = KIND_FLAG, .commands = IN_PROGRAM,
		.help = "tell the version, and exit",
	},
};
