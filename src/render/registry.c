/* All renderers. */
#include "render/renderer.h"
#include <string.h>

extern const struct jm_renderer jm_renderer_text, jm_renderer_short, jm_renderer_line, jm_renderer_json,
	jm_renderer_html, jm_renderer_markdown, jm_renderer_svg;
const struct jm_renderer *const jm_renderers[] = {
	&jm_renderer_text, &jm_renderer_short,    &jm_renderer_line, &jm_renderer_json,
	&jm_renderer_html, &jm_renderer_markdown, &jm_renderer_svg,  NULL,
};

const struct jm_renderer *jm_renderer_find(const char *name_or_path)
{
	size_t len = strlen(name_or_path);
	for (size_t i = 0; jm_renderers[i]; i++)
		if (!strcmp(jm_renderers[i]->name, name_or_path))
			return jm_renderers[i];
	for (size_t i = 0; jm_renderers[i]; i++) {
		const char *suffix = jm_renderers[i]->suffix;
		size_t n = suffix ? strlen(suffix) : 0;
		if (n && len > n && !strcmp(name_or_path + len - n, suffix))
			return jm_renderers[i];
	}
	return NULL;
}
