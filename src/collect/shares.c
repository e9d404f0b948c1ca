#include "collect/shares.h"

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t largest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t faults_of(const struct jm_process *p)
{
	return p->stat.minflt + p->stat.majflt;
}

static uint64_t file_bytes(uint64_t rss_bytes, uint64_t anon_bytes)
{
	return rss_bytes > anon_bytes ? rss_bytes - anon_bytes : 0;
}

/* What has changed of n bytes: those that came, each with a fault, or those that went. Where one fault brings many pages
 * (huge ones, the neighbours of a page of a file) the size shows them, unless as many went in the same interval. */
static uint64_t changed(uint64_t then, uint64_t now, uint64_t faulted)
{
	return now < then ? then - now + faulted : largest(now - then, faulted);
}

uint64_t jm_shares_own(const struct jm_tree *t, const struct jm_process *p)
{
	const struct jm_process_pages *then = &p->pages;
	if (!then->known)
		return p->rss_bytes;
	uint64_t page = t->opts.root->page_bytes, faulted = distance(faults_of(p), then->faults) * page;
	uint64_t file = file_bytes(p->rss_bytes, p->anon_bytes),
		 file_then = file_bytes(then->rss_bytes, then->anon_bytes);
	uint64_t most = changed(then->rss_bytes, p->rss_bytes, faulted);
	most = largest(most, changed(then->anon_bytes, p->anon_bytes, faulted));
	most = largest(most, changed(file_then, file, faulted));
	return least(most + then->withheld_bytes, largest(p->rss_bytes, then->rss_bytes));
}

/* What others may have changed of p if they have changed anything. After fork(2) all that was its own is its child's
 * too. */
static uint64_t exposed(const struct jm_process *p)
{
	return p->children == p->pages.children ? p->pages.exposed_bytes : largest(p->rss_bytes, p->pages.rss_bytes);
}

static uint64_t others(const struct jm_tree *t, const struct jm_process *p, uint64_t shaken, uint64_t foreign)
{
	uint64_t own = jm_shares_own(t, p);
	return least(exposed(p), shaken + (foreign > own ? foreign - own : 0));
}

uint64_t jm_shares_doubt(const struct jm_tree *t, const struct jm_process *p, const struct jm_doubts *d)
{
	unsigned part = jm_shaken_part(&t->shaken, p->pages.at_ns);
	bool counts = p->pages.known && d->counts[part];
	return jm_shares_own(t, p) + (counts ? others(t, p, d->shaken_bytes[part], d->foreign_bytes) : 0);
}

/* What was shaken in a part concerns those who were read before it, and not more of it than they have: that is one bound.
 * Not more than each has, or has seen shaken, is another. */
void jm_shares_doubts(const struct jm_tree *t, uint64_t foreign, uint64_t little, struct jm_doubts *ret)
{
	const struct jm_shaken *s = &t->shaken;
	struct jm_doubts d = { .foreign_bytes = foreign };
	uint64_t each[JM_SHAKEN_MAX] = { 0 }, exposed_then[JM_SHAKEN_MAX] = { 0 };
	for (unsigned i = 0; i < s->n; i++)
		d.shaken_bytes[i] = jm_shaken_from(s, i);
	for (const struct jm_process *p = t->oldest; p; p = p->newer) {
		if (p->ended || !p->pages.known)
			continue;
		unsigned part = jm_shaken_part(s, p->pages.at_ns);
		each[part] += others(t, p, d.shaken_bytes[part], foreign);
		exposed_then[part] += exposed(p);
	}
	uint64_t of_each = 0, of_parts = 0, all = 0;
	for (unsigned i = 0; i < s->n; i++) {
		all += exposed_then[i];
		of_each += each[i];
		of_parts += least(s->since[i].bytes, all);
	}
	d.bytes = least(of_each, of_parts + least(foreign, all));
	for (unsigned i = 0; i < s->n; i++)
		d.counts[i] = d.bytes > little && least(each[i], d.shaken_bytes[i] + foreign) > little / 8;
	*ret = d;
}

void jm_shares_sum(const struct jm_tree *t, struct jm_shares *ret)
{
	struct jm_shares s = { 0 };
	struct jm_doubts d;
	for (const struct jm_process *p = t->oldest; p; p = p->newer) {
		if (p->ended)
			continue;
		s.settled |= p->ticks > 1;
		s.rss_bytes += p->rss_bytes;
		s.own_bytes += jm_shares_own(t, p);
		s.pss_bytes += p->pages.known ? least(p->pages.pss_bytes, p->rss_bytes) : 0;
	}
	jm_shares_doubts(t, s.own_bytes, 0, &d);
	s.error_bytes = s.own_bytes + d.bytes;
	*ret = s;
}

void jm_shares_read(struct jm_tree *t, struct jm_process *p, const struct jm_shares_reading *now)
{
	struct jm_process_pages *then = &p->pages;
	uint64_t shared = now->rss_bytes > now->uss_bytes ? now->rss_bytes - now->uss_bytes : 0;
	uint64_t part = now->pss_bytes > now->uss_bytes ? now->pss_bytes - now->uss_bytes : 0;
	uint64_t part_then = then->pss_bytes > then->uss_bytes ? then->pss_bytes - then->uss_bytes : 0;
	uint64_t other = distance(shared, then->shared_bytes) + distance(part, part_then);
	jm_shaken_add(&t->shaken, p->changed_ns, least(other, jm_shares_own(t, p)));
	jm_shaken_divide(&t->shaken, now->at_ns);
	uint64_t file = file_bytes(p->rss_bytes, p->anon_bytes);
	uint64_t safe = now->uss_bytes > file ? now->uss_bytes - file : 0;
	*then = (struct jm_process_pages){
		.known = true,
		.at_ns = now->at_ns,
		.rss_bytes = p->rss_bytes,
		.anon_bytes = p->anon_bytes,
		.faults = faults_of(p),
		.children = p->children,
		.pss_bytes = now->pss_bytes,
		.uss_bytes = now->uss_bytes,
		.shared_bytes = shared,
		.exposed_bytes = now->rss_bytes > safe ? now->rss_bytes - safe : 0,
		.cost_ns = then->cost_ns,
	};
}

/* Who was read before it had begun has never shared anything with it. */
void jm_shares_ended(struct jm_tree *t, const struct jm_process *p)
{
	const struct jm_process_pages *then = &p->pages;
	uint64_t most = largest(p->rss_bytes, then->rss_bytes);
	uint64_t bytes = then->known ? least(then->shared_bytes + jm_shares_own(t, p), most) : p->rss_bytes;
	if (then->known || p->fork_ns <= t->pages_ns)
		jm_shaken_add(&t->shaken, UINT64_MAX, bytes);
}
