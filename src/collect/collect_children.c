/* The last resort that follows the job's tree without any event: it asks again and again who has children.
 * Children that come and go between two looks are not seen (their CPU time still reaches wait4(2)), so it looks more
 * often than samples are made, as long as that is cheap. */
#include "collect/collectors.h"
#include "collect/pace.h"
#include "collect/scan.h"
#include <errno.h>
#include <stdlib.h>

/* SHARE: looking may use a quarter of what jobmeter may use */
enum { OFTEN_NS = 100000000, SHARE = 4, PPM = 1000000, DEFAULT_OVERHEAD_PPM = 10000 };

struct state {
	const struct jm_collect_env *env;
	struct jm_scan scan;
	struct jm_pace pace;
	uint64_t next_ns; /* not before */
};

static void close_children(void *state)
{
	struct state *s = state;
	jm_scan_done(&s->scan);
	jm_pace_done(&s->pace);
	free(s);
}

static int open_children(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	if (jm_run_is_followed(env->run))
		return jm_err_set(err, -EALREADY, "children files: not needed, %s follow the job", env->run->lifecycle);
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	s->env = env;
	s->pace.fd = -1;
	jm_scan_init(&s->scan, env);
	int r = jm_scan_watch_all(&s->scan);
	if (r == 0 && env->root->native) {
		r = jm_pace_open(&s->pace, OFTEN_NS);
		if (r == -EMFILE || r == -ENFILE)
			r = 0; /* a look at each sample is better than none */
	}
	if (r < 0) {
		close_children(s);
		return jm_err_set(err, r, "children files: cannot begin (errno %d)", -r);
	}
	env->run->lifecycle = "children files";
	if (!env->run->tier || env->run->tier == 'A')
		env->run->tier = 'D';
	*ret_state = s;
	return 0;
}

static int children_fd(void *state)
{
	return ((struct state *)state)->pace.fd;
}

static int drain_children(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	const struct jm_root *root = s->env->root;
	jm_pace_take(&s->pace);
	if (!tick->final && jm_root_boot_ns(root) < s->next_ns)
		return 0;
	uint64_t before = jm_root_self_cpu_ns(root);
	int r = jm_scan_look(&s->scan, tick->out);
	uint64_t spent_ns = jm_root_self_cpu_ns(root) - before;
	uint64_t ppm = s->env->overhead_ppm ? s->env->overhead_ppm : DEFAULT_OVERHEAD_PPM;
	uint64_t rest_ns = spent_ns * SHARE * PPM / ppm;
	s->next_ns = jm_root_boot_ns(root) + rest_ns;
	jm_pace_set(&s->pace, rest_ns > OFTEN_NS ? rest_ns : OFTEN_NS);
	return r;
}

const struct jm_collector jm_collector_children = {
	.name = "children",
	.help = "Follows the processes of the job by asking each for its children, where nothing better works",
	.needs = "CONFIG_PROC_CHILDREN; without it all of /proc is read",
	.flags = JM_COLLECT_JOB,
	.open = open_children,
	.fd = children_fd,
	.drain = drain_children,
	.close = close_children,
};
