#include "collect/detail.h"
#include "collect/put.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum {
	SECOND_NS = 1000000000,
	SAVED_SECONDS = 10,
	MIB = 1 << 20,
	THREAD_FILE_NS = 8000,
	BASIC_COST_NS = 25000, /* first guesses; later what was measured counts */
	ROLLUP_COST_NS = 30000,
	ROLLUP_MIB_NS = 11000,  /* 4 KiB pages; huge ones cost next to nothing */
	WORTH_BYTES = 64 << 10, /* a smaller change of memory can wait ... */
};
static const uint64_t stale_ns = 10ull * SECOND_NS; /* ... as long as this */
static const uint64_t first_score = 1ull << 62;     /* never read comes first, the cheap ones before the dear */

void jm_detail_init(struct jm_detail *d, const struct jm_collect_env *env)
{
	*d = (struct jm_detail){ .env = env, .basic_cost_ns = BASIC_COST_NS };
	if (env->root->native) {
		int fd = jm_root_openat(env->root, "proc/self/smaps_rollup", 0);
		d->no_rollup = fd == -ENOENT; /* before Linux 4.14 */
		if (fd >= 0)
			(void)close(fd);
	}
}

void jm_detail_done(struct jm_detail *d)
{
	jm_ranks_done(&d->basics);
	jm_ranks_done(&d->rollups);
	jm_ranks_done(&d->doubts);
}

bool jm_detail_affords_threads(const struct jm_detail *d, const struct jm_process *p)
{
	if (d->env->tree->ask.fd >= 0)
		return true; /* one question, however many they are */
	uint64_t files = d->env->tree->delays ? 2 : 1;
	return p->stat.num_threads <= 1 ||
	       (d->purse_ns > 0 && p->stat.num_threads * files < (uint64_t)d->purse_ns / THREAD_FILE_NS);
}

int64_t jm_detail_purse_size(const struct jm_detail *d)
{
	return (int64_t)d->env->overhead_ppm * (SECOND_NS / 1000000) * SAVED_SECONDS;
}

void jm_detail_begin(struct jm_detail *d, const struct jm_tick *tick)
{
	const uint64_t longest = (uint64_t)SAVED_SECONDS * SECOND_NS;
	uint64_t own_ns = jm_root_self_cpu_ns(d->env->root);
	uint64_t since = d->at_ns ? tick->at_ns - d->at_ns : SECOND_NS;
	uint64_t all = (since < longest ? since : longest) * d->env->overhead_ppm / 1000000;
	uint64_t others = d->at_ns ? own_ns - d->own_ns - d->spent_ns : 0;
	uint64_t gain = others < all ? all - others : 0;
	d->gain_ns = (int64_t)(gain > all / 4 ? gain : all / 4);
	d->purse_ns += d->gain_ns;
	if (d->purse_ns > jm_detail_purse_size(d))
		d->purse_ns = jm_detail_purse_size(d);
	d->saved_ns += d->saves ? d->gain_ns / 2 : 0;
	d->at_ns = tick->at_ns;
	d->own_ns = own_ns;
	d->spent_ns = 0;
	d->basics.n = d->rollups.n = d->n_read = 0;
}

uint64_t jm_detail_rollup_cost(const struct jm_process *p)
{
	uint64_t now = p->rss_bytes / MIB + 1, then = p->pages.rss_bytes / MIB + 1;
	if (!p->pages.cost_ns)
		return ROLLUP_COST_NS + now * ROLLUP_MIB_NS;
	return now <= then ? p->pages.cost_ns : p->pages.cost_ns / then * now;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static int consider_rollup(struct jm_detail *d, const struct jm_tick *tick, struct jm_process *p)
{
	if (d->no_rollup || p->denied || !p->rss_bytes || p->news_ns <= p->rollup_ns)
		return 0;
	if (!p->rollup_ns) /* what ends at once is not worth it */
		return p->ticks < 2 && !tick->final
		               ? 0
		               : jm_ranks_push(&d->rollups, first_score - jm_detail_rollup_cost(p), p);
	/* Between the slow ticks only what has grown a lot: this may be its peak. Where passes are possible, they look. */
	bool peak = d->too_dear && p->rss_bytes > p->pages.rss_bytes + p->pages.rss_bytes / 4 + (uint64_t)4 * MIB;
	if (!tick->slow && !peak)
		return 0;
	/* pages that others share count in PSS too, so what is resident matters as well as what is private */
	uint64_t private = distance(p->anon_bytes, p->pages.anon_bytes);
	uint64_t resident = distance(p->rss_bytes, p->pages.rss_bytes),
		 change = private > resident ? private : resident;
	if (change < WORTH_BYTES && tick->at_ns - p->rollup_ns < stale_ns && !tick->final)
		return 0;
	return jm_ranks_push(&d->rollups, change, p);
}

int jm_detail_consider(struct jm_detail *d, const struct jm_tick *tick, struct jm_process *p)
{
	int r = 0;
	if (tick->slow && p->news_ns > p->status_ns) /* those first that were not read for the longest time */
		r = jm_ranks_push(&d->basics, tick->at_ns - p->status_ns, p);
	return r < 0 ? r : consider_rollup(d, tick, p);
}

/* Said once: without it the report could only say that there is no PSS. */
static int tell(struct jm_detail *d, const struct jm_process *p, uint64_t cost)
{
	char text[192];
	if (d->told)
		return 0;
	d->told = true;
	(void)snprintf(
		text, sizeof text,
		"to read it once for %.40s (pid %d) would take about %llu ms of CPU, which the budget does not allow; "
		"--overhead raises it",
		p->subject->name, (int)p->pid, (unsigned long long)(cost / 1000000));
	return jm_run_add_missing(d->env->run, jm_metrics[JM_M_PROCESS_PSS].name, text);
}

void jm_detail_pay(struct jm_detail *d, uint64_t before_ns, uint64_t *ret_cost_ns)
{
	uint64_t cost = jm_root_self_cpu_ns(d->env->root) - before_ns;
	d->purse_ns -= (int64_t)cost;
	d->spent_ns += cost;
	*ret_cost_ns = cost;
}

static int spend_on_basics(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx)
{
	int64_t rest = d->purse_ns / 2; /* for the others */
	struct jm_process *p;
	int r = 0;
	while (r >= 0 && d->purse_ns - (int64_t)d->basic_cost_ns >= rest && (p = jm_ranks_pop(&d->basics))) {
		uint64_t cost, before = jm_root_self_cpu_ns(d->env->root);
		r = refresh(ctx, tick, p);
		if (r == 1)
			r = jm_detail_read_basic(d, tick, p);
		jm_detail_pay(d, before, &cost);
		d->basic_cost_ns += cost / 8;
		d->basic_cost_ns -= d->basic_cost_ns / 8;
	}
	return r < 0 ? r : 0;
}

int jm_detail_buy_rollup(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p, jm_detail_refresh *refresh,
                         void *ctx)
{
	uint64_t cost, before = jm_root_self_cpu_ns(d->env->root);
	int r = jm_detail_read_rollup(d, tick, p, refresh, ctx);
	jm_detail_pay(d, before, &cost);
	p->pages.cost_ns = cost ? cost : 1;
	d->n_read++;
	return r;
}

static int spend_on_rollups(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx)
{
	struct jm_process *p;
	int r = 0;
	if (d->saved_ns > d->purse_ns / 2) /* other figures have taken from it; first readings make the pass cheaper */
		d->saved_ns = d->purse_ns > 0 ? d->purse_ns / 2 : 0;
	while (r >= 0 && d->purse_ns > d->saved_ns && (p = jm_ranks_pop(&d->rollups))) {
		if (p->rollup_ns == tick->at_ns) /* in the pass */
			continue;
		uint64_t cost = jm_detail_rollup_cost(p);
		if ((int64_t)cost >
		    d->purse_ns - d->saved_ns) /* a cheaper one may fit; its turn comes when enough is saved */
			r = (int64_t)cost > jm_detail_purse_size(d) ? tell(d, p, cost) : 0;
		else
			r = jm_detail_buy_rollup(d, tick, p, refresh, ctx);
	}
	return r < 0 ? r : 0;
}

/* What the sum of this moment is worth. What is not less than the sum itself says nothing. */
static int put_error(struct jm_detail *d, const struct jm_tick *tick)
{
	struct jm_shares *s = &d->shares;
	if (d->n_read) {
		uint64_t gone = d->n_read > 1 ? jm_detail_recheck(d, tick) : 0;
		jm_shares_sum(d->env->tree, s);
		s->error_bytes += gone;
	}
	if (!d->env->job || s->error_bytes > s->pss_bytes)
		return 0;
	return jm_put(tick->out, d->env->job, JM_M_JOB_SHARES_ERROR, JM_ORIGIN_PID_FILES, s->error_bytes);
}

int jm_detail_spend(struct jm_detail *d, struct jm_tick *tick, bool moved, jm_detail_refresh *refresh, void *ctx)
{
	int r = spend_on_basics(d, tick, refresh, ctx);
	if (d->no_rollup)
		return r;
	/* when nobody has run the sums and prices stand, and there may now be enough for the pass that they lack */
	bool enough = !jm_shares_are_true(&d->shares) && !d->too_dear && d->purse_ns >= d->price_ns;
	if (r == 0 && (moved || tick->slow || tick->final || enough))
		r = jm_detail_pass(d, tick, refresh, ctx);
	if (r == 0)
		r = spend_on_rollups(d, tick, refresh, ctx);
	return r < 0 ? r : put_error(d, tick);
}
