#include "report_samples.h"
#include <stdlib.h>
#include <string.h>

#define S(x)   ((int64_t)((x)*1000000000.0))
#define MIB(x) ((int64_t)((x)*1048576.0))
#define GIB(x) MIB((x)*1024.0)
enum { LEN = 1802 };
static const uint64_t began = 1795165924ull * 1000000000ull; /* 2026-11-20 09:12:04 UTC */

static void must(int r)
{
	if (r < 0)
		abort();
}

static void *room(struct jm_report *r, size_t n, size_t size)
{
	void *p = jm_arena_alloc(&r->arena, n * size);
	if (!p)
		abort();
	return p;
}

static int64_t *values(struct jm_report *r, size_t n)
{
	int64_t *v = room(r, n, sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i] = JM_UNKNOWN;
	return v;
}

static struct jm_series series(struct jm_report *r, size_t n, int64_t step_ns, int64_t *mean, int64_t spread_ppm)
{
	int64_t *min = values(r, n), *max = values(r, n);
	for (size_t i = 0; i < n; i++)
		if (mean[i] != JM_UNKNOWN) {
			min[i] = mean[i] - mean[i] / 1000000 * spread_ppm;
			max[i] = mean[i] + mean[i] / 1000000 * spread_ppm;
		}
	return (struct jm_series){ n, 0, step_ns, min, mean, max };
}

/* A small generator of its own, so that pictures are the same everywhere. */
static uint32_t state = 1;
static double noise(void)
{
	state = state * 1664525u + 1013904223u;
	return (double)(state >> 8) / (1 << 24);
}

static double ramp(double x, double a, double b)
{
	double up = (x - a) / .015, down = (b - x) / .015, y = up < down ? up : down;
	return y < 0 ? 0 : y > 1 ? 1 : y;
}

static struct jm_figure exact(int64_t v)
{
	return jm_figure_of(v, JM_ORIGIN_WAIT4);
}

static struct jm_figure sampled(int64_t v)
{
	return jm_figure_of(v, JM_ORIGIN_PID_FILES);
}

static struct jm_range between(int64_t low, int64_t high, int64_t at_ns)
{
	return (struct jm_range){ sampled(low), exact(high), at_ns };
}

static struct jm_report_io some_io(int64_t read, int64_t written)
{
	return (struct jm_report_io){
		exact(read), exact(written),      exact(read + read / 3 * 2), exact(written + written / 20),
		exact(0),    exact(read / 65536), exact(written / 65536)
	};
}

static void base_run(struct jm_run *run, const char *const *argv, size_t n)
{
	must(jm_run_set_command(run, argv, n));
	run->id = "7b1c0b9e-5b1f-4b7e-9f0e-3f1d2c4b5a69";
	run->version = "0.1.0";
	run->directory = "/home/ada/kernel";
	run->host = "node-17";
	run->kernel = "6.1.0-28-amd64";
	run->arch = "x86_64";
	run->boot_id = "c2b6c1d8-3f33-4e9e-a0d6-6d1f4a7b8c90";
	run->root_pid = 4121;
	run->boot_ns = 86400000000000ull;
	run->wall_ns = began;
	run->interval_ns = 1000000000;
	run->cpus = 16;
	run->allowed_cpus = 16;
	run->memory_bytes = GIB(31.2);
	run->page_bytes = 4096;
	run->ns_per_tick = 10000000;
	run->tier = 'C';
	run->lifecycle = "perf rings";
	run->wait = "root";
}

static const struct group {
	const char *name;
	double begin, end, mib, cores;
	unsigned instances;
} groups[] = {
	{ "gulmc", .04, .68, 4532, 5.4, 8 },   { "fmpy", .07, .74, 3100, 3.6, 8 },
	{ "modelpy", .02, .64, 2805, 3.0, 8 }, { "summarypy", .10, .80, 900, .9, 16 },
	{ "lecpy", .78, .985, 6800, 1.0, 2 },  { "evepy", .01, .62, 259, .35, 8 },
};
enum { GROUPS = sizeof groups / sizeof *groups };

static void pipeline_curves(struct jm_report *r, size_t n, int64_t step)
{
	int64_t *sum[4], *read = values(r, n), *write = values(r, n), *rc = values(r, n), *wc = values(r, n);
	int64_t *some[5];
	for (size_t k = 0; k < 4; k++) {
		sum[k] = values(r, n);
		for (size_t i = 0; i < n; i++)
			sum[k][i] = 0;
	}
	state = 1;
	for (size_t g = 0; g < GROUPS; g++) {
		int64_t *uss = values(r, n), *rss = values(r, n), *cpu = values(r, n), *live = values(r, n);
		for (size_t i = 0; i < n; i++) {
			double x = (double)i / (double)n, a = groups[g].begin, b = groups[g].end, on = ramp(x, a, b);
			if (on <= 0)
				continue;
			double grow = .45 + .55 * (x - a) / (b - a), saw = x * 37 + (double)g * .3;
			uss[i] = MIB(groups[g].mib * on * grow * (1 + .1 * (saw - (double)(int)saw)));
			rss[i] = uss[i] + MIB(120 * on * groups[g].instances);
			double wave = x * 10 - (double)(int)(x * 10);
			wave = 4 * wave * (1 - wave);
			cpu[i] = (int64_t)(1000 * groups[g].cores * on * (.85 + .25 * wave + .25 * (noise() - .5)));
			live[i] = 1 + (int64_t)(on * (groups[g].instances - 1));
			int64_t part[4] = { uss[i], rss[i], cpu[i], live[i] };
			for (size_t k = 0; k < 4; k++)
				sum[k][i] += part[k];
		}
		r->groups[g].uss = series(r, n, step, uss, 4000);
		r->groups[g].rss = series(r, n, step, rss, 4000);
		r->groups[g].cpu = series(r, n, step, cpu, 60000);
		r->groups[g].live = series(r, n, step, live, 0);
	}
	for (size_t k = 0; k < 5; k++)
		some[k] = values(r, n);
	for (size_t i = 0; i < n; i++) {
		double x = (double)i / (double)n;
		read[i] = MIB(180 * ramp(x, 0, .12) + 320 * ramp(x, .785, .88) + 6 * noise());
		write[i] = MIB(90 * ramp(x, .3, .66) + 240 * ramp(x, .95, .99) + 4 * noise());
		rc[i] = read[i] + read[i] / 2 + MIB(60 * ramp(x, .1, .7));
		wc[i] = write[i] + MIB(20 * ramp(x, .1, .7));
		some[0][i] = (int64_t)(1000 * (.03 * noise() + .3 * ramp(x, .1, .6) * (.6 + .4 * noise())));
		some[1][i] = (int64_t)(1000 * (.01 * noise()));
		some[2][i] = (int64_t)(1000 * (.02 * noise() + .5 * ramp(x, .785, .88) * (.7 + .3 * noise())));
		some[3][i] = sum[1][i] + GIB(2.1) + MIB(80 * noise());
		some[4][i] = sum[2][i] + (int64_t)(400 * noise());
	}
	r->series.uss = series(r, n, step, sum[0], 3000);
	r->series.rss = series(r, n, step, sum[1], 3000);
	r->series.cpu = series(r, n, step, sum[2], 50000);
	r->series.live = series(r, n, step, sum[3], 0);
	r->series.read_rate = series(r, n, step, read, 150000);
	r->series.write_rate = series(r, n, step, write, 150000);
	r->series.read_char_rate = series(r, n, step, rc, 150000);
	r->series.write_char_rate = series(r, n, step, wc, 150000);
	r->series.pressure_cpu = series(r, n, step, some[0], 0);
	r->series.pressure_memory = series(r, n, step, some[1], 0);
	r->series.pressure_io = series(r, n, step, some[2], 0);
	r->series.host_used = series(r, n, step, some[3], 0);
	r->series.host_cpu = series(r, n, step, some[4], 20000);
}

static void pipeline_phases(struct jm_report *r)
{
	static const struct {
		const char *name;
		double begin, end;
		unsigned depth;
		double cores, gib;
	} rows[] = { { "load exposure", 36, 432, 0, 6.2, 6.4 },   { "ground-up loss", 432, 2232, 0, 11.6, 10.94 },
		     { "checkpoints", 1296, 1872, 1, 11.4, 9.9 }, { "financial module", 2232, 2808, 0, 6.1, 8.2 },
		     { "LEC tables", 2808, 3438, 0, 1.1, 6.9 },   { "write output", 3438, 3600, 0, .8, 6.2 } };
	r->n_phases = sizeof rows / sizeof *rows;
	r->phases = room(r, r->n_phases, sizeof *r->phases);
	for (size_t i = 0; i < r->n_phases; i++) {
		struct jm_report_phase *p = &r->phases[i];
		double len = rows[i].end - rows[i].begin;
		*p = (struct jm_report_phase){ .name = rows[i].name,
			                       .begin_ns = S(rows[i].begin),
			                       .end_ns = S(rows[i].end),
			                       .depth = rows[i].depth,
			                       .open = i == 5,
			                       .cpu_total_ns = exact(S(len * rows[i].cores)),
			                       .peak_rss_bytes = between(GIB(rows[i].gib), GIB(rows[i].gib * 1.05),
			                                                 S(rows[i].end - 20)),
			                       .io = some_io(GIB(len / 30), GIB(len / 90)) };
		if (i == 1) {
			p->values = room(r, 2, sizeof *p->values);
			p->values[0] = (struct jm_report_value){ "events", 100000, "100000" };
			p->values[1] = (struct jm_report_value){ "rows", 48211907, "48211907" };
			p->n_values = 2;
		}
	}
	static const struct {
		const char *name;
		double at;
	} marks[] = { { "checkpoint 1", 1296 }, { "checkpoint <2>", 1872 }, { "spill to disk", 2100 } };
	r->n_marks = sizeof marks / sizeof *marks;
	r->marks = room(r, r->n_marks, sizeof *r->marks);
	for (size_t i = 0; i < r->n_marks; i++) {
		r->marks[i].name = marks[i].name;
		r->marks[i].at_ns = S(marks[i].at);
	}
}

static void pipeline_groups(struct jm_report *r)
{
	uint32_t id = 1;
	r->n_groups = GROUPS;
	r->groups = room(r, GROUPS, sizeof *r->groups);
	r->process = room(r, 64, sizeof *r->process);
	for (size_t g = 0; g < GROUPS; g++) {
		struct jm_report_group *o = &r->groups[g];
		double len = 3603 * (groups[g].end - groups[g].begin), cpu = len * groups[g].cores * .96;
		int64_t mib = MIB(groups[g].mib);
		*o = (struct jm_report_group){ .name = groups[g].name,
			                       .instances = groups[g].instances,
			                       .samples = (uint64_t)len * groups[g].instances,
			                       .cpu_user_ns = exact(S(cpu * .95)),
			                       .cpu_system_ns = exact(S(cpu * .05)),
			                       .cpu_total_ns = exact(S(cpu)),
			                       .peak_rss_bytes = between(mib + MIB(900), mib + MIB(1010),
			                                                 S(3600 * groups[g].end - 60)),
			                       .peak_uss_bytes = sampled(mib),
			                       .peak_pss_bytes = sampled(mib + MIB(80)),
			                       .single_peak_uss_bytes = sampled(mib / groups[g].instances),
			                       .mean_uss_bytes = sampled(mib / 4 * 3),
			                       .mean_mcores = sampled((int64_t)(groups[g].cores * 960)),
			                       .peak_mcores = sampled((int64_t)(groups[g].cores * 1310)),
			                       .io = some_io(GIB(34), GIB(25)),
			                       .begin_ns = S(3603 * groups[g].begin),
			                       .end_ns = S(3603 * groups[g].end) };
		for (unsigned k = 0; k < groups[g].instances; k++, id++)
			r->process[r->n_process++] = (struct jm_report_process){
				.id = id,
				.pid = (pid_t)(4200 + id),
				.name = groups[g].name,
				.command = jm_arena_printf(&r->arena, "%s -P %u -S 100 --chunk 'events %u'",
				                           groups[g].name, k + 1, k),
				.group = (uint32_t)g,
				.begin_ns = o->begin_ns + S(6 * k),
				.end_ns = o->end_ns - S(5 * k),
				.cpu_ns = exact(S(cpu / groups[g].instances)),
				.cpu_user_ns = exact(S(cpu / groups[g].instances * .95)),
				.cpu_system_ns = exact(S(cpu / groups[g].instances * .05)),
				.peak_rss_bytes = exact(mib / groups[g].instances + MIB(120)),
				.peak_pss_bytes = sampled(mib / groups[g].instances + MIB(10)),
				.peak_uss_bytes = sampled(mib / groups[g].instances),
				.io = some_io(GIB(34) / groups[g].instances, GIB(25) / groups[g].instances),
				.major_faults = exact(17),
				.threads = sampled(k % 3 + 1)
			};
	}
	r->process_total = r->n_process;
}

static void sources(struct jm_report *r)
{
	static struct jm_report_source rows[] = {
		{ "cpu.total_ns", "wait4 (exact)" },
		{ "memory.peak_rss_bytes", "/proc/PID (sampled), high-water marks at exit (exact)" },
		{ "memory.peak_uss_bytes", "/proc/PID (sampled)" },
		{ "io.read_bytes", "own io at wait4 (exact)" },
		{ "processes.started", "lifecycle (exact)" },
	};
	r->quality.sources = rows;
	r->quality.n_sources = sizeof rows / sizeof *rows;
	r->overhead.cpu_ns = jm_figure_of(S(.74), JM_ORIGIN_SELF);
	r->overhead.peak_rss_bytes = jm_figure_of(MIB(3.9), JM_ORIGIN_SELF);
	r->overhead.recording_bytes = jm_figure_of(MIB(1.1), JM_ORIGIN_SELF);
}

static void make_pipeline(struct jm_report *r, struct jm_run *run)
{
	static const char *const argv[] = { "bash",    "run_kernel.sh", "--threads",         "8", "--events", "100000",
		                            "--title", "<b>x</b>",      "portfolio/eu_flood" };
	base_run(run, argv, sizeof argv / sizeof *argv);
	must(jm_run_add_tag(run, "team", "cat"));
	must(jm_run_add_tag(run, "release", "2026.11"));
	r->run = run;
	r->wall_ns = S(3603.2);
	r->samples = 3603;
	r->exit.known = true;
	r->cpu.user_ns = exact(S(27480));
	r->cpu.system_ns = exact(S(1440));
	r->cpu.total_ns = exact(S(28920));
	r->cpu.attributed_ns = exact(S(28919.4));
	r->cpu.unattributed_ns = exact(S(.6));
	r->cpu.mean_mcores = exact(8027);
	r->cpu.p95_mcores = sampled(13700);
	r->cpu.peak_mcores = sampled(15420);
	r->cpu.peak_at_ns = S(1010);
	r->cpu.allowed_mcores = exact(16000);
	r->cpu.throttled_ns = exact(0);
	r->cpu.minor_faults = exact(48211907);
	r->cpu.major_faults = exact(812);
	r->cpu.voluntary_switches = exact(1204411);
	r->cpu.involuntary_switches = exact(310007);
	r->time.on_cpu_ns = exact(S(28920));
	r->time.runnable_ns = sampled(S(2210));
	r->time.disk_ns = sampled(S(1502));
	r->time.reclaim_ns = jm_figure_missing("delay accounting is off");
	r->time.throttled_ns = exact(0);
	r->hardware.cycles = exact(86760000000000);
	r->hardware.instructions = exact(121464000000000);
	r->hardware.cache_references = exact(410000000000);
	r->hardware.cache_misses = exact(61500000000);
	r->hardware.branch_misses = exact(310000000000);
	r->hardware.instructions_per_cycle = exact(1400);
	r->hardware.cache_miss_rate = exact(150);
	r->time.thread_ns = sampled(S(104630));
	r->time.waiting_ns = sampled(S(73500));
	r->time.asleep_ns = jm_figure_missing("what is known is the sum of disk, reclaim and asleep: waiting_ns");
	pipeline_groups(r);
	pipeline_curves(r, LEN, 2000000000);
	pipeline_phases(r);
	int64_t peak = 0, at = 0;
	for (size_t i = 0; i < r->series.uss.n; i++)
		if (r->series.uss.max[i] > peak) {
			peak = r->series.uss.max[i];
			at = (int64_t)i * 2000000000;
		}
	r->memory.peak_uss_bytes = sampled(peak);
	r->memory.peak_uss_at_ns = at;
	r->memory.peak_pss_bytes = sampled(peak + MIB(300));
	r->memory.peak_rss_bytes = between(GIB(15.9), GIB(16.1), at);
	r->memory.largest_process_rss_bytes = exact(GIB(3.6));
	r->memory.largest_process = "lecpy";
	r->memory.limit_bytes = jm_figure_of(GIB(24), JM_ORIGIN_CGROUP_V2);
	r->memory.cgroup_peak_bytes = jm_figure_of(GIB(15.2), JM_ORIGIN_CGROUP_V2);
	r->memory.swap_peak_bytes = sampled(0);
	r->memory.oom_kills = exact(0);
	r->io = some_io(GIB(206.8), GIB(151.5));
	r->network.received_bytes = jm_figure_missing("the machine's interfaces are shared with other jobs");
	r->network.sent_bytes = r->network.received_bytes;
	r->processes.started = exact(50);
	r->processes.seen = exact(50);
	r->processes.max_live = exact(50);
	static struct jm_report_finding findings[] = {
		{ "cpu.idle_cores", JM_SEVERITY_WARNING,
		  "11:02 at \xe2\x89\xa4 2 cores in 'LEC tables': 14 of 16 cores idle",
		  "mean 1.1 cores from 46:48 to 57:50" },
		{ "memory.below_limit", JM_SEVERITY_INFO, "Memory peaked at 46 % of the limit during 'ground-up loss'",
		  "10.94 GiB of 24 GiB at 36:19" },
	};
	r->findings = findings;
	r->n_findings = 2;
	sources(r);
	r->quality.complete = true;
	static struct jm_run_missing missing[] = { { "process.memory.swap_pss", "permission denied for 2 processes" } };
	r->quality.missing = missing;
	r->quality.n_missing = 1;
	static const char *notes[] = { "1 process could not be read (permission denied)" };
	r->quality.notes = notes;
	r->quality.n_notes = 1;
	r->suggestion = "--cpus 14 --mem 14G";
	r->suggestion_basis = "peak + 20 %, p95 cpu; 1 run";
	r->saved_as = "kernel.jm";
}

static void make_short(struct jm_report *r, struct jm_run *run)
{
	static const char *const argv[] = { "python3", "-c", "x = bytearray(300 << 20)" };
	base_run(run, argv, 3);
	run->own_cgroup = false;
	r->run = run;
	r->wall_ns = S(.152);
	r->samples = 1;
	r->exit.known = true;
	r->cpu.user_ns = exact(S(.061));
	r->cpu.system_ns = exact(S(.083));
	r->cpu.total_ns = r->cpu.attributed_ns = exact(S(.144));
	r->cpu.unattributed_ns = exact(0);
	r->cpu.mean_mcores = exact(947);
	r->cpu.peak_mcores = r->cpu.p95_mcores = jm_figure_missing("the run is shorter than two samples");
	r->cpu.peak_at_ns = -1;
	r->cpu.allowed_mcores = exact(2000);
	r->cpu.throttled_ns = jm_figure_missing("the job has no control group of its own");
	r->memory.peak_rss_bytes = (struct jm_range){ exact(MIB(308.6)), exact(MIB(309.1)), -1 };
	r->memory.peak_uss_bytes = r->memory.peak_pss_bytes = jm_figure_missing("it ended before its first look");
	r->memory.peak_uss_at_ns = -1;
	r->memory.largest_process_rss_bytes = exact(MIB(309.1));
	r->memory.largest_process = "python3";
	r->io = some_io(0, 4096);
	r->processes.started = r->processes.seen = r->processes.max_live = exact(1);
	r->n_groups = 1;
	r->groups = room(r, 1, sizeof *r->groups);
	r->groups[0] = (struct jm_report_group){ .name = "python3",
		                                 .instances = 1,
		                                 .samples = 1,
		                                 .end_ns = r->wall_ns,
		                                 .cpu_user_ns = r->cpu.user_ns,
		                                 .cpu_system_ns = r->cpu.system_ns,
		                                 .cpu_total_ns = r->cpu.total_ns,
		                                 .peak_rss_bytes = r->memory.peak_rss_bytes,
		                                 .io = r->io,
		                                 .mean_mcores = r->cpu.mean_mcores };
	r->n_process = 1;
	r->process_total = 1;
	r->process = room(r, 1, sizeof *r->process);
	r->process[0] = (struct jm_report_process){ .id = 1,
		                                    .pid = 4122,
		                                    .name = "python3",
		                                    .command = "python3 -c 'x = bytearray(300 << 20)'",
		                                    .end_ns = r->wall_ns,
		                                    .cpu_ns = r->cpu.total_ns,
		                                    .peak_rss_bytes = exact(MIB(309.1)),
		                                    .io = r->io };
	sources(r);
	r->quality.complete = true;
}

static void make_unknown(struct jm_report *r, struct jm_run *run)
{
	run->cpus = run->allowed_cpus = run->memory_bytes = -1;
	r->run = run;
	r->memory.peak_rss_bytes.at_ns = r->memory.peak_uss_at_ns = r->cpu.peak_at_ns = -1;
}

#define EVIL                                                                                                           \
	"</script><b>x\"><img src=x onerror=alert(1)>' | `rm -rf` *b* [l](javascript:x) \xff\xfe "                     \
	"\x1b[31mred\x1b[0m\r\n# "                                                                                     \
	"h1\t\xe2\x80\xae"                                                                                             \
	"evil\xe2\x80\xac @@TITLE@@ ]]> -->"

static void make_hostile(struct jm_report *r, struct jm_run *run)
{
	make_pipeline(r, run);
	static const char *const argv[] = { EVIL, "", "\x01\x7f", "\xe6\xbc\xa2\xe5\xad\x97\xf0\x9f\x98\x80" };
	must(jm_run_set_command(run, argv, 4));
	must(jm_run_add_tag(run, EVIL, EVIL));
	run->host = EVIL;
	run->wait = EVIL;
	run->directory = EVIL;
	run->kernel = EVIL;
	run->lifecycle = EVIL;
	for (size_t i = 0; i < r->n_groups; i++)
		r->groups[i].name = EVIL;
	for (size_t i = 0; i < r->n_process; i++) {
		r->process[i].name = EVIL;
		r->process[i].command = EVIL EVIL;
	}
	for (size_t i = 0; i < r->n_phases; i++) {
		r->phases[i].name = EVIL;
		for (size_t k = 0; k < r->phases[i].n_values; k++)
			r->phases[i].values[k].key = r->phases[i].values[k].text = EVIL;
	}
	for (size_t i = 0; i < r->n_marks; i++)
		r->marks[i].name = EVIL;
	static struct jm_report_finding finding = { EVIL, JM_SEVERITY_SERIOUS, EVIL, EVIL };
	static struct jm_report_source source = { EVIL, EVIL };
	static struct jm_run_missing missing = { EVIL, EVIL };
	static const char *lists[] = { EVIL, EVIL };
	r->findings = &finding;
	r->n_findings = 1;
	r->quality.sources = &source;
	r->quality.n_sources = 1;
	r->quality.missing = &missing;
	r->quality.n_missing = 1;
	r->quality.notes = lists;
	r->quality.n_notes = 2;
	r->survivors = lists;
	r->n_survivors = 2;
	r->network.sent_bytes = r->network.received_bytes = jm_figure_missing(EVIL);
	r->memory.largest_process = EVIL;
	r->suggestion = r->suggestion_basis = r->saved_as = EVIL;
}

static void make_cut(struct jm_report *r, struct jm_run *run)
{
	make_pipeline(r, run);
	r->exit.known = false;
	r->wall_ns = S(2472);
	r->quality.complete = false;
	r->quality.cut_short =
		"the recording ends at 0:41:12, the job was still running; 117 bytes of a torn frame were left out";
	r->quality.lost_events = 3;
	r->cpu.user_ns = r->cpu.system_ns = jm_figure_missing("the recording has no end");
	static const char *alive[] = { "gulmc -P 1 (pid 4201)", "gulmc -P 2 (pid 4202)" };
	r->survivors = alive;
	r->n_survivors = 2;
}

static void make_many(struct jm_report *r, struct jm_run *run)
{
	make_pipeline(r, run);
	struct jm_report_group *old = r->groups;
	struct jm_report_process *seen = r->process;
	size_t n_seen = r->n_process;
	enum { MANY = 1000, ROWS = 2000 };
	r->groups = room(r, MANY, sizeof *r->groups);
	r->n_groups = MANY;
	r->process = room(r, ROWS, sizeof *r->process);
	r->n_process = ROWS;
	r->process_total = 10000;
	char *huge = room(r, 1, 70000);
	memset(huge, 'n', 69999);
	for (size_t i = 0; i < MANY; i++) {
		r->groups[i] = old[i % GROUPS];
		if (i >= JM_GROUP_SERIES)
			r->groups[i].uss = r->groups[i].rss = r->groups[i].cpu = r->groups[i].live =
				(struct jm_series){ 0 };
		r->groups[i].name = i == 3 ? huge : jm_arena_printf(&r->arena, "tool-%zu", i);
	}
	for (size_t i = 0; i < ROWS; i++) {
		r->process[i] = seen[i % n_seen];
		r->process[i].id = (uint32_t)i + 1;
		r->process[i].group = (uint32_t)(i % MANY);
		if (i == 5)
			r->process[i].command = huge;
	}
	r->processes.started = exact(10000);
}

static void make_nonsense(struct jm_report *r, struct jm_run *run)
{
	make_pipeline(r, run);
	r->wall_ns = -5;
	r->exit.signal = 99;
	r->cpu.total_ns.value = r->cpu.user_ns.value = r->cpu.mean_mcores.value = INT64_MIN;
	r->cpu.total_ns.origin = 60000;
	r->cpu.allowed_mcores.value = 0;
	r->memory.peak_uss_bytes.value = -1;
	r->memory.limit_bytes.value = INT64_MAX;
	r->io.read_bytes.value = INT64_MAX;
	r->processes.started.value = -7;
	r->groups[0].uss.step_ns = 0;
	r->groups[1].uss.begin_ns = INT64_MIN;
	r->groups[2].uss.step_ns = INT64_MAX;
	r->groups[3].begin_ns = INT64_MAX;
	r->groups[3].end_ns = INT64_MIN;
	r->groups[4].name = NULL;
	r->process[0].group = 4000000000u;
	r->process[0].name = r->process[0].command = NULL;
	r->process[1].begin_ns = INT64_MIN;
	r->process[1].end_ns = INT64_MAX;
	r->phases[0].begin_ns = INT64_MAX;
	r->phases[0].end_ns = INT64_MIN;
	r->phases[1].depth = 4000000000u;
	r->phases[2].name = NULL;
	r->marks[0].at_ns = INT64_MIN;
	r->marks[1].name = NULL;
	r->series.read_rate.step_ns = -1;
}

const struct report_sample report_samples[] = {
	{ "pipeline", make_pipeline }, { "short", make_short },
	{ "unknown", make_unknown },   { "hostile", make_hostile },
	{ "cut", make_cut },           { "many", make_many },
	{ "nonsense", make_nonsense }, { 0 },
};

const struct report_sample *report_sample_find(const char *name)
{
	for (const struct report_sample *s = report_samples; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	abort();
}

void report_sample_done(struct jm_report *r, struct jm_run *run)
{
	jm_report_done(r);
	jm_run_done(run);
}
