/* A pass: processes read one right after the other, those that are most in doubt first, until the sum of what is known of
 * all is true within its tolerance. Who rests is read again only when others may have changed what it shares. */
#include "collect/detail.h"
#include <stdio.h>

/* wide: processes that were not read yet have changed what others share, or else it is hoped that they have not. */
static struct jm_doubts doubts(const struct jm_detail *d, bool wide)
{
	struct jm_doubts found;
	jm_shares_doubts(d->env->tree, wide ? d->shares.own_bytes : 0, jm_shares_tolerance(&d->shares) / 2, &found);
	return found;
}

/* Once a sample. */
static bool is_readable(const struct jm_tick *tick, const struct jm_process *p)
{
	return !p->ended && !p->denied && p->rss_bytes && p->rollup_ns != tick->at_ns;
}

static uint64_t price(const struct jm_detail *d, const struct jm_tick *tick, bool wide)
{
	uint64_t cost = 0;
	struct jm_doubts by = doubts(d, wide);
	for (const struct jm_process *p = d->env->tree->oldest; p; p = p->newer)
		if (is_readable(tick, p) && jm_shares_doubt(d->env->tree, p, &by))
			cost += jm_detail_rollup_cost(p);
	return cost;
}

static int read_doubtful(struct jm_detail *d, struct jm_tick *tick, bool wide, jm_detail_refresh *refresh, void *ctx)
{
	uint64_t left = 0, enough = jm_shares_tolerance(&d->shares) / 4;
	struct jm_doubts by = doubts(d, wide);
	struct jm_tree *t = d->env->tree;
	int r = 0;
	d->doubts.n = 0;
	for (struct jm_process *p = t->oldest; p && r == 0; p = p->newer) {
		uint64_t x = is_readable(tick, p) ? jm_shares_doubt(t, p, &by) : 0;
		left += x;
		r = x ? jm_ranks_push(&d->doubts, x, p) : 0;
	}
	for (struct jm_process *p; r >= 0 && left > enough && (p = jm_ranks_pop(&d->doubts));) {
		uint64_t x = jm_shares_doubt(t, p, &by);
		left -= x < left ? x : left;
		r = jm_detail_buy_rollup(d, tick, p, refresh, ctx);
	}
	return r < 0 ? r : 0;
}

uint64_t jm_detail_recheck(struct jm_detail *d, const struct jm_tick *tick)
{
	char text[1024];
	uint64_t gone = 0, cpu_ns, cost, before = jm_root_self_cpu_ns(d->env->root);
	struct jm_tree *t = d->env->tree;
	for (struct jm_process *p = t->oldest; p; p = p->newer) {
		if (p->rollup_ns != tick->at_ns || !p->pages.known)
			continue;
		if (!p->ended && jm_root_pid_cpu_ns(d->env->root, p->pid, &cpu_ns) == 0 && cpu_ns == p->cpu_ns)
			continue;
		if (p->ended || jm_process_read_stat(t, p, text, sizeof text) < 0 || jm_process_is_zombie(&p->stat)) {
			gone += p->pages.shared_bytes;
			continue;
		}
		(void)jm_process_read_size(t, p);
		if (jm_shares_own(t, p))
			p->changed_ns = tick->at_ns + 1; /* after all that were read in this sample */
	}
	jm_detail_pay(d, before, &cost);
	return gone;
}

/* Said once: without it the report could only say that the figure is a lower bound. */
static int tell(struct jm_detail *d, uint64_t cost)
{
	char text[192];
	if (d->told_pass)
		return 0;
	d->told_pass = true;
	(void)snprintf(text, sizeof text,
	               "to read the pages of all processes together would take about %llu ms of CPU, which the budget "
	               "does not allow; --overhead raises it",
	               (unsigned long long)(cost / 1000000));
	return jm_run_add_missing(d->env->run, jm_metrics[JM_M_JOB_SHARES_ERROR].name, text);
}

/* Between the slow samples only when the job has grown a lot since somebody looked: this may be its peak. Not while it
 * grows so fast that the pass would be wrong before it ends. */
static bool has_grown(const struct jm_detail *d, const struct jm_tick *tick)
{
	enum { LITTLE = 4 << 20 };
	const struct jm_shares *s = &d->shares;
	if (s->rss_bytes <= d->pass_rss_bytes + d->pass_rss_bytes / 4 + LITTLE)
		return false;
	double growth = s->rss_bytes > d->last_rss_bytes ? (double)(s->rss_bytes - d->last_rss_bytes) : 0;
	double share = (double)price(d, tick, false) / (double)(tick->at_ns - d->last_ns);
	return growth * share <= (double)jm_shares_tolerance(s);
}

static bool is_due(const struct jm_detail *d, const struct jm_tick *tick)
{
	if (!d->shares.settled || jm_shares_are_true(&d->shares))
		return false;
	return tick->slow || tick->final || d->saves || has_grown(d, tick);
}

/* 1: yes; 0: not now, or never. Those that rest may turn out not to be affected, as in the last pass: then their price is
 * not waited for, nor where it is too high. */
static int can_pay(struct jm_detail *d, const struct jm_tick *tick)
{
	int64_t size = jm_detail_purse_size(d), cost = (int64_t)price(d, tick, d->wide);
	if (cost > size && d->wide)
		cost = (int64_t)price(d, tick, false);
	d->too_dear = cost > size;
	d->price_ns = 0;
	if (d->too_dear || cost <= d->purse_ns) {
		d->saves = false;
		return !d->too_dear ? 1 : size ? tell(d, (uint64_t)cost) : 0;
	}
	if (!d->saves)
		d->saved_ns = d->purse_ns > 0 ? d->purse_ns / 2 : 0;
	d->saves = true;
	d->price_ns = cost;
	return 0;
}

static int read_pass(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx)
{
	struct jm_tree *t = d->env->tree;
	int r = read_doubtful(d, tick, false, refresh, ctx);
	jm_shares_sum(t, &d->shares);
	d->wide = !jm_shares_are_true(&d->shares);
	if (r == 0 && d->wide && (int64_t)price(d, tick, true) <= d->purse_ns) {
		r = read_doubtful(d, tick, true, refresh, ctx);
		jm_shares_sum(t, &d->shares);
	}
	d->pass_rss_bytes = d->shares.rss_bytes;
	return r;
}

int jm_detail_pass(struct jm_detail *d, struct jm_tick *tick, jm_detail_refresh *refresh, void *ctx)
{
	int r = 0;
	jm_shares_sum(d->env->tree, &d->shares);
	if (!is_due(d, tick))
		d->saves = false;
	else if ((r = can_pay(d, tick)) == 1)
		r = read_pass(d, tick, refresh, ctx);
	if (!d->saves)
		d->saved_ns = d->price_ns = 0;
	d->last_ns = tick->at_ns;
	d->last_rss_bytes = d->shares.rss_bytes;
	return r;
}
