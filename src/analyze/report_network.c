/* Bytes through the network: those of the job's own sockets where the kernel tells of them, else those of the machine's
 * interfaces. */
#include "analyze/analysis.h"

static struct jm_figure of_interfaces(const struct jm_analysis *a, unsigned metric)
{
	const struct jm_fact *x = &a->facts.of[metric];
	if (x->readings < 2)
		return jm_figure_missing("no interface but the loopback was read twice");
	struct jm_figure f = jm_figure_of(x->grown, x->origin);
	f.why = "of all interfaces of the machine, not of the job alone";
	return f;
}

/* All four, of one process, group, phase or of the job: where sockets are counted, who has no figure has moved nothing. */
static struct jm_report_network own(const struct jm_analysis *a, const int64_t bytes[COL_NET_COUNT], const char *caveat)
{
	const struct jm_fact *told = &a->facts.of[JM_M_JOB_NET_SENT];
	struct jm_report_network n;
	struct jm_figure *const figures[COL_NET_COUNT] = { &n.sent_bytes, &n.received_bytes, &n.unix_sent_bytes,
		                                           &n.unix_received_bytes };
	for (int i = 0; i < COL_NET_COUNT; i++) {
		*figures[i] = jm_figure_missing("only what the machine's interfaces have moved is known");
		if (!told->readings)
			continue;
		*figures[i] = jm_figure_of(bytes[i], told->origin);
		if (a->facts.of[JM_M_JOB_NET_UNCOUNTED].grown > 0 || a->lost > 0) {
			figures[i]->exactness = JM_BOUNDED;
			figures[i]->why = "at least: some calls found no room to be counted, or were of processes "
					  "whose records were lost or that had other rights";
		} else if (caveat) {
			figures[i]->exactness = JM_SAMPLED;
			figures[i]->why = caveat;
		}
	}
	return n;
}

struct jm_report_network jm_report_network_of(const struct jm_analysis *a, const int64_t bytes[COL_NET_COUNT])
{
	return own(a, bytes, NULL);
}

struct jm_report_network jm_report_network_of_phase(const struct jm_analysis *a, const struct jm_moment *from,
                                                    const struct jm_moment *to)
{
	int64_t bytes[COL_NET_COUNT];
	for (int i = 0; i < COL_NET_COUNT; i++)
		bytes[i] = to->net[i] - from->net[i];
	return own(a, bytes, "its ends lie between two samples");
}

int jm_report_network_total(const struct jm_analysis *a, struct jm_report *r)
{
	r->network = own(a, a->job.sum + COL_NET, NULL);
	if (jm_facts_known(&a->facts, JM_M_JOB_NET_SENT))
		return 0;
	r->network.sent_bytes = of_interfaces(a, JM_M_NIC_SENT);
	r->network.received_bytes = of_interfaces(a, JM_M_NIC_RECEIVED);
	return 0;
}
