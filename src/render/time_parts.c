#include "render/time_parts.h"
#include "render/format.h"
#include <string.h>

static void add(struct jm_time_part *parts, size_t *n, const char *name, const char *brief, const struct jm_figure *f,
                unsigned paint)
{
	if (f->known && f->value > 0)
		parts[(*n)++] = (struct jm_time_part){ name, brief, f->value, (uint8_t)paint };
}

size_t jm_time_parts(const struct jm_report_time *t, struct jm_time_part ret[JM_TIME_PARTS_MAX])
{
	size_t n = 0;
	if (!t->thread_ns.known || t->thread_ns.value <= 0 || !t->on_cpu_ns.known || !t->waiting_ns.known)
		return 0;
	add(ret, &n, "on a CPU", "on cpu", &t->on_cpu_ns, JM_PAINT_0);
	add(ret, &n, "waiting for a CPU", "waiting for one", &t->runnable_ns, JM_PAINT_0 + 1);
	add(ret, &n, "held back by a quota", "held back", &t->throttled_ns, JM_PAINT_0 + 3);
	if (!t->asleep_ns.known) {
		add(ret, &n, "asleep or blocked", "asleep or blocked", &t->waiting_ns, JM_PAINT_OTHER);
		return n;
	}
	add(ret, &n, "waiting for disks", "disk", &t->disk_ns, JM_PAINT_0 + 2);
	add(ret, &n, "waiting for memory", "memory", &t->reclaim_ns, JM_PAINT_0 + 4);
	add(ret, &n, "asleep", "asleep", &t->asleep_ns, JM_PAINT_OTHER);
	return n;
}

void jm_time_bar(const struct jm_report_time *t, bool narrow, struct jm_chart *ret)
{
	enum { HEIGHT = 240, FONT = 110 };
	struct jm_time_part parts[JM_TIME_PARTS_MAX];
	size_t n = jm_time_parts(t, parts);
	int32_t width = narrow ? 4000 : 9000, x = 0;
	int64_t whole = 0, before = 0;
	for (size_t i = 0; i < n; i++)
		whole += parts[i].ns;
	ret->width = width;
	ret->height = HEIGHT;
	for (size_t i = 0; i < n && whole > 0; i++) {
		before += parts[i].ns;
		int32_t to = (int32_t)((__int128)before * width / whole);
		struct jm_word share = jm_format_percent(parts[i].ns, whole);
		jm_chart_rect(ret, parts[i].paint, 0, x, 0, to - x, HEIGHT);
		if (jm_chart_text_width(share.text, 16, FONT) + 80 <= to - x)
			jm_chart_text(ret, JM_PAINT_GROUND, 0, JM_START, x + 50, HEIGHT / 2 + 40, FONT, share.text, 16);
		x = to;
	}
}
