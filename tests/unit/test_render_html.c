#include "cm.h"
#include "render/renderer.h"
#include "report_samples.h"
#include <ctype.h>
#include <string.h>

static struct jm_buf out;

static const char *render(const char *sample)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	report_sample_find(sample)->make(&r, &run);
	jm_buf_clear(&out);
	assert_int_equal(jm_renderer_find("html")->render(&r, NULL, &out), 0);
	report_sample_done(&r, &run);
	return out.data;
}

static void the_page_has_its_sections_in_order(void **state)
{
	static const char *const order[] = { "<h1>",          "class=\"verdict\"", "class=\"tiles\"",
		                             "id=\"phases\"", "id=\"memory\"",     "id=\"cpu\"",
		                             "id=\"disk\"",   "id=\"pressure\"",   "id=\"processes\"",
		                             "id=\"kinds\"",  "id=\"groups\"",     "id=\"top\"",
		                             "id=\"time\"",   "id=\"quality\"" };
	const char *at = render("pipeline");
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const char *next = strstr(at, order[i]);
		if (!next)
			fail_msg("%s is missing or comes too early", order[i]);
		at = next;
	}
	assert_null(strstr(out.data, "id=\"network\"")); /* nothing is known of it */
}

static void nothing_leaves_the_page_and_nothing_runs(void **state)
{
	for (const struct report_sample *s = report_samples; s->name; s++) {
		const char *page = render(s->name);
		static const char *const never[] = { "<script", "<img", "<link",   "<iframe", "<object",
			                             " src=",   "url(", "@import", " style=", "javascript:" };
		assert_non_null(strstr(
			page,
			"http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"));
		for (size_t i = 0; i < sizeof never / sizeof *never; i++)
			for (const char *p = page; (p = strstr(p, never[i])); p++) {
				/* only as text: the hostile sample has escaped quotes and brackets before these words */
				const char *tag = p;
				while (tag > page && *tag != '<' && *tag != '>')
					tag--;
				if (*tag == '<')
					fail_msg("%s: %s in a tag: %.80s", s->name, never[i], tag);
			}
		for (const char *p = page; (p = strstr(p, "href")); p++)
			assert_true(p[4] != '=');
	}
}

/* Every tag of the page is one of ours, every attribute is quoted, and all are closed in order. */
static void every_tag_is_ours_and_closed(void **state)
{
	static const char *const empty[] = { "meta", "br", "!doctype" };
	for (const struct report_sample *s = report_samples; s->name; s++) {
		char stack[32][16];
		size_t depth = 0;
		const char *page = render(s->name), *style = strstr(page, "</style>");
		for (const char *p = page; (p = strchr(p, '<')); p++) {
			char name[16] = "";
			bool closing = p[1] == '/', single = false;
			size_t n = 0;
			for (const char *q = p + 1 + closing; n < 15 && (isalnum((unsigned char)*q) || *q == '!'); q++)
				name[n++] = *q;
			const char *end = p;
			for (bool quoted = false; *end && (quoted || *end != '>'); end++)
				if (*end == '"')
					quoted = !quoted;
				else if (quoted && *end == '<')
					fail_msg("%s: a bracket inside an attribute: %.60s", s->name, p);
			assert_int_equal(*end, '>');
			single = end[-1] == '/';
			for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
				single = single || !strcmp(name, empty[i]);
			if (!n)
				fail_msg("%s: a bracket that opens nothing: %.60s", s->name, p);
			if (closing) {
				if (!depth || strcmp(stack[depth - 1], name) != 0)
					fail_msg("%s: </%s> closes <%s>", s->name, name,
					         depth ? stack[depth - 1] : "nothing");
				depth--;
			} else if (!single) {
				assert_true(depth < 32);
				memcpy(stack[depth++], name, sizeof name);
			}
			p = end;
			if (!strcmp(name, "style") && !closing)
				p = style - 1;
		}
		assert_int_equal(depth, 0);
	}
}

static void the_words_of_the_job_are_text(void **state)
{
	const char *page = render("hostile");
	assert_null(strstr(page, "</script"));
	assert_null(strstr(page, "<b>x"));
	assert_null(strchr(page, '\033'));
	assert_non_null(strstr(page, "&#60;/script&#62;&#60;b&#62;x&#34;"));
	assert_non_null(strstr(page, "@@TITLE@@")); /* no template is filled in twice */
	assert_non_null(strstr(page, "\\u202e"));
}

static void a_short_run_says_why_it_has_no_curve(void **state)
{
	const char *page = render("short");
	assert_non_null(strstr(page, "152 ms run: totals and peaks from the kernel, no curves."));
	assert_null(strstr(page, "id=\"memory\""));
	assert_non_null(strstr(page, "309.1"));
}

static void what_is_unknown_says_why(void **state)
{
	const char *page = render("unknown");
	assert_non_null(strstr(page, "not measured"));
	assert_null(strstr(page, ">-1"));
	assert_non_null(strstr(page, "cut short"));
}

static void a_page_stays_small(void **state)
{
	for (const struct report_sample *s = report_samples; s->name; s++) {
		(void)render(s->name);
		assert_true(out.len < 400000); /* 50 processes over an hour, and 1,000 groups as well */
	}
}

static int done(void **state)
{
	jm_buf_done(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_has_its_sections_in_order),
		cmocka_unit_test(nothing_leaves_the_page_and_nothing_runs),
		cmocka_unit_test(every_tag_is_ours_and_closed),
		cmocka_unit_test(the_words_of_the_job_are_text),
		cmocka_unit_test(a_short_run_says_why_it_has_no_curve),
		cmocka_unit_test(what_is_unknown_says_why),
		cmocka_unit_test(a_page_stays_small),
	};
	return cmocka_run_group_tests(tests, NULL, done);
}
