/* What there is: tables of the stages, told to outsiders. */
#include <jobmeter.h>

#include "collect/collector.h"
#include "render/renderer.h"
#include "store/store.h"
#include <errno.h>

int jm_metric_info(size_t i, jm_metric_text *ret)
{
	if (i >= JM_M_COUNT)
		return -ENOENT;
	const struct jm_metric *m = &jm_metrics[i];
	*ret = (jm_metric_text){
		m->name, jm_subject_kind_name(m->subject), jm_unit_name(m->unit), jm_kind_name(m->kind), m->source,
		m->help
	};
	return 0;
}

int jm_collector_info(size_t i, jm_collector_text *ret)
{
	for (size_t k = 0; jm_collectors[k]; k++)
		if (k == i) {
			*ret = (jm_collector_text){ jm_collectors[k]->name, jm_collectors[k]->help,
				                    jm_collectors[k]->needs };
			return 0;
		}
	return -ENOENT;
}

int jm_format_info(size_t i, jm_format_text *ret)
{
	for (size_t k = 0; jm_renderers[k]; k++, i--)
		if (i == 0) {
			*ret = (jm_format_text){ jm_renderers[k]->name, jm_renderers[k]->suffix, jm_renderers[k]->help,
				                 0 };
			return 0;
		}
	for (size_t k = 0; jm_exporters[k]; k++, i--)
		if (i == 0) {
			*ret = (jm_format_text){ jm_exporters[k]->name, jm_exporters[k]->suffix, jm_exporters[k]->help,
				                 1 };
			return 0;
		}
	return -ENOENT;
}
