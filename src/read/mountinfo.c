#include "read/mountinfo.h"
#include <errno.h>
#include <string.h>

static bool words(struct jm_span *line, struct jm_span *const *ret, size_t n)
{
	struct jm_span unwanted;
	for (size_t i = 0; i < n; i++)
		if (!jm_span_word(line, ret[i] ? ret[i] : &unwanted))
			return false;
	return true;
}

static bool number(struct jm_span *s, uint64_t *ret)
{
	jm_span_skip_blanks(s);
	return jm_parse_u64(s, ret) >= 0;
}

int jm_mountinfo_next(struct jm_span *text, struct jm_mountinfo *ret)
{
	struct jm_mountinfo m;
	struct jm_span line, device, word;
	if (!jm_span_line(text, &line))
		return 0;
	if (!number(&line, &m.id) || !number(&line, &m.parent))
		return -EBADMSG;
	if (!words(&line, (struct jm_span *[]){ &device, &m.root, &m.mount_point, NULL }, 4)) /* then options */
		return -EBADMSG;
	if (!number(&device, &m.major) || !jm_span_skip_text(&device, ":") || !number(&device, &m.minor))
		return -EBADMSG;
	do /* optional fields, as many as there are, end with a dash */
		if (!jm_span_word(&line, &word))
			return -EBADMSG;
	while (!jm_span_equals(word, "-"));
	/* a source may be empty: then two blanks follow each other, and the options stand in its place */
	if (!words(&line, (struct jm_span *[]){ &m.type, &m.source }, 2))
		return -EBADMSG;
	if (!jm_span_word(&line, &m.super_options)) {
		m.super_options = m.source;
		m.source.end = m.source.p;
	}
	*ret = m;
	return 1;
}

static bool is_octal(const char *p, const char *end)
{
	if (end - p < 4 || p[0] != '\\' || p[1] < '0' || p[1] > '3')
		return false;
	return p[2] >= '0' && p[2] <= '7' && p[3] >= '0' && p[3] <= '7';
}

ssize_t jm_mountinfo_text(struct jm_span escaped, char *out, size_t size)
{
	size_t n = 0;
	for (const char *p = escaped.p; p < escaped.end; n++) {
		if (n + 1 >= size)
			return -ENAMETOOLONG;
		if (is_octal(p, escaped.end)) {
			out[n] = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 4;
		} else {
			out[n] = *p++;
		}
	}
	if (n >= size)
		return -ENAMETOOLONG;
	out[n] = '\0';
	return (ssize_t)n;
}

bool jm_mountinfo_option(struct jm_span options, const char *word)
{
	while (options.p < options.end) {
		const char *comma = memchr(options.p, ',', jm_span_len(options));
		struct jm_span one = { options.p, comma ? comma : options.end };
		if (jm_span_equals(one, word))
			return true;
		options.p = comma ? comma + 1 : options.end;
	}
	return false;
}
