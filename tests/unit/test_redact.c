#include "cm.h"
#include "session/redact.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* '|' stands for the NUL between arguments. */
static const char *redacted(struct jm_redact *r, const char *text)
{
	static char out[4096];
	size_t len = strlen(text);
	char *exact = malloc(len ? len : 1); /* so that a sanitizer sees one byte too many */
	assert_non_null(exact);
	for (size_t i = 0; i < len; i++)
		exact[i] = (char)(text[i] == '|' ? 0 : text[i]);
	size_t n = jm_redact_text(r, exact, len);
	assert_true(n <= len);
	for (size_t i = 0; i < n; i++)
		out[i] = (char)(exact[i] ? exact[i] : '|');
	out[n] = 0;
	free(exact);
	return out;
}

static int with_no_patterns(void **state)
{
	return jm_redact_new((struct jm_redact **)state, NULL, NULL);
}

static int done(void **state)
{
	jm_redact_free(*state);
	return 0;
}

static void values_of_options_are_hidden(void **state)
{
	assert_string_equal(redacted(*state, "p|--password=hunter2|x"), "p|--password=***|x");
	assert_string_equal(redacted(*state, "p|--password|hunter2|x"), "p|--password|***|x");
	assert_string_equal(redacted(*state, "p|--api-key|k1234|--secret=a b c"), "p|--api-key|***|--secret=***");
	assert_string_equal(redacted(*state, "p|--apiKey=k1234"), "p|--apiKey=***");
	assert_string_equal(redacted(*state, "p|-token=abcdef|-v"), "p|-token=***|-v");
	assert_string_equal(redacted(*state, "p|--token=ab"), "p|--token=**");
	assert_string_equal(redacted(*state, "p|--password="), "p|--password=");
	assert_string_equal(redacted(*state, "p|--password"), "p|--password");
	assert_string_equal(redacted(*state, "p|--password||x"), "p|--password||x");
}

static void assignments_are_hidden(void **state)
{
	assert_string_equal(redacted(*state, "env|PGPASSWORD=geheim|psql"), "env|PGPASSWORD=***|psql");
	assert_string_equal(redacted(*state, "env|AWS_SECRET_ACCESS_KEY=a/b+c=|GITHUB_TOKEN=abc d"),
	                    "env|AWS_SECRET_ACCESS_KEY=***|GITHUB_TOKEN=***");
	assert_string_equal(redacted(*state, "env|DB_PASS=abcd|DB_PWD=abcd|x|--pass|abcd|-passin|pass:abcd"),
	                    "env|DB_PASS=***|DB_PWD=***|x|--pass|***|-passin|pass:***");
	assert_string_equal(redacted(*state, "client_secret=xyz1"), "client_secret=***"); /* a tag */
	assert_string_equal(redacted(*state, "sh|-c|cd x; DB_PASSWORD=abcd run --n 3"),
	                    "sh|-c|cd x; DB_PASSWORD=*** run --n 3");
	assert_string_equal(redacted(*state, "sh|-c|X_TOKEN='a b c' run; mysql --password abcd -v"),
	                    "sh|-c|X_TOKEN='***' run; mysql --password *** -v");
	assert_string_equal(redacted(*state, "curl|-d|{\"user\": \"u\", \"password\": \"p1234\", \"n\": 1}"),
	                    "curl|-d|{\"user\": \"u\", \"password\": \"***\", \"n\": 1}");
}

static void credentials_of_addresses_and_headers_are_hidden(void **state)
{
	assert_string_equal(redacted(*state, "git|clone|https://me:pass@example.com/x.git"),
	                    "git|clone|https://me:***@example.com/x.git");
	assert_string_equal(redacted(*state, "psql|postgres://u:p@ss@db.example:5432/x?sslmode=a"),
	                    "psql|postgres://u:***@db.example:5432/x?sslmode=a");
	assert_string_equal(redacted(*state, "curl|https://example.com/?access_token=abcd&n=1"),
	                    "curl|https://example.com/?access_token=***&n=1");
	assert_string_equal(redacted(*state, "curl|-H|Authorization: Bearer abc.def"),
	                    "curl|-H|Authorization: Bearer ***");
	assert_string_equal(redacted(*state, "sh|-c|curl -H 'authorization: Basic QWxh' https://example.com"),
	                    "sh|-c|curl -H 'authorization: Basic ***' https://example.com");
	assert_string_equal(redacted(*state, "curl|-H|X-Auth-Token: abcd"), "curl|-H|X-Auth-Token: ***");
	assert_string_equal(redacted(*state, "/usr/bin/curl|-u|me:pass|x"), "/usr/bin/curl|-u|me:***|x");
	assert_string_equal(redacted(*state, "mysql|-ppass|-u|me"), "mysql|-p***|-u|me");
}

static void tokens_that_show_what_they_are_are_hidden(void **state)
{
	assert_string_equal(redacted(*state, "aws|AKIAABCDEFGHIJKLMNOP|s3"), "aws|***|s3");
	assert_string_equal(redacted(*state, "x|https://ghp_abcdefghijklmnopqrstuvwxyz0123456789@example.com/y"),
	                    "x|https://***@example.com/y");
}

static void everyday_arguments_stay(void **state)
{
	static const char *const same[] = {
		"train.py|--max-tokens|100|--tokenizer|bert|--n=3",
		"tar|-p|-xf|a.tar",
		"x|--password-file=/etc/x|--password-stdin",
		"docker|run|-p|80:80|image",
		"python|-m|http.server|--bind|127.0.0.1:8080",
		"git|clone|ssh://git@example.com/x",
		"gcc|-DKEY=3|-o|a|b.c",
		"sort|-k|2|--key=3",
		"sk-learn|basic needs|token of love",
		"x|--password|--verbose",
		"env|PWD=/tmp|OLDPWD=/|--bypass=1|--compass|n|passes=3",
		"",
		"|||",
		"http://|://|:|=|--=",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		assert_string_equal(redacted(*state, same[i]), same[i]);
}

static void patterns_of_the_user_are_hidden_too(void **state)
{
	const char *const patterns[] = { "customer-[0-9]+", "x*", NULL };
	struct jm_redact *r;
	int e = jm_redact_new(&r, patterns, NULL);
	if (e == -ENOSYS)
		skip();
	assert_int_equal(e, 0);
	assert_string_equal(redacted(r, "run|customer-4711.csv|y|xx"), "run|***.csv|y|**");
	jm_redact_free(r);
}

static void a_pattern_that_takes_for_ever_hides_the_argument(void **state)
{
	const char *const patterns[] = { "^(a+)+$", NULL };
	struct jm_redact *r;
	int e = jm_redact_new(&r, patterns, NULL);
	if (e == -ENOSYS)
		skip();
	assert_int_equal(e, 0);
	assert_string_equal(redacted(r, "run|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab|y"), "run|***|y");
	jm_redact_free(r);
}

static void a_wrong_pattern_is_a_sentence(void **state)
{
	const char *const patterns[] = { "fine", "(", NULL };
	struct jm_redact *r;
	struct jm_err err;
	int e = jm_redact_new(&r, patterns, &err);
	if (e == -ENOSYS)
		skip();
	assert_int_equal(e, -EINVAL);
	assert_non_null(strstr(err.text, "'(' is wrong at character 2"));
}

static void without_a_redactor_nothing_is_hidden(void **state)
{
	assert_string_equal(redacted(NULL, "p|--password=hunter2"), "p|--password=hunter2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_options_are_hidden),
		cmocka_unit_test(assignments_are_hidden),
		cmocka_unit_test(credentials_of_addresses_and_headers_are_hidden),
		cmocka_unit_test(tokens_that_show_what_they_are_are_hidden),
		cmocka_unit_test(everyday_arguments_stay),
		cmocka_unit_test(patterns_of_the_user_are_hidden_too),
		cmocka_unit_test(a_pattern_that_takes_for_ever_hides_the_argument),
		cmocka_unit_test(a_wrong_pattern_is_a_sentence),
		cmocka_unit_test(without_a_redactor_nothing_is_hidden),
	};
	return cmocka_run_group_tests(tests, with_no_patterns, done);
}
