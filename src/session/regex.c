#include "session/regex.h"
#include <errno.h>
#include <stdlib.h>

#ifdef HAVE_PCRE2
#define PCRE2_CODE_UNIT_WIDTH 8
#include <dlfcn.h>
#include <pcre2.h>

/* A pattern like (a*)*b may ask for years; this many steps are some milliseconds. */
enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 1024 };

#define FUNCTIONS(F)                                                                                                   \
	F(compile)                                                                                                     \
	F(code_free)                                                                                                   \
	F(match)                                                                                                       \
	F(match_data_create_from_pattern)                                                                              \
	F(match_data_free)                                                                                             \
	F(match_context_create)                                                                                        \
	F(match_context_free)                                                                                          \
	F(set_match_limit)                                                                                             \
	F(set_depth_limit)                                                                                             \
	F(set_heap_limit)                                                                                              \
	F(get_ovector_pointer)                                                                                         \
	F(get_error_message)

#define MEMBER(f) __typeof__(pcre2_##f) *f;
struct jm_regex {
	void *library;
	FUNCTIONS(MEMBER)
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

/* The macros of pcre2.h put the width behind a name, so a name is made text after that. */
#define TEXT(x)     TEXT_NOW(x)
#define TEXT_NOW(x) #x
#define LOAD(f)                                                                                                        \
	if (!(*(void **)&r->f = dlsym(r->library, TEXT(pcre2_##f))))                                                   \
		return jm_err_set(err, -ENOSYS, "libpcre2-8.so.0 has no %s: it is too old for patterns",               \
		                  TEXT(pcre2_##f));

static int load(struct jm_regex *r, struct jm_err *err)
{
	r->library = dlopen("libpcre2-8.so.0", RTLD_NOW | RTLD_LOCAL);
	if (!r->library)
		return jm_err_set(err, -ENOSYS,
		                  "patterns need the library PCRE2, which is not installed (Debian: libpcre2-8-0)");
	FUNCTIONS(LOAD)
	return 0;
}

/* NOLINTBEGIN(clang-analyzer-core.CallAndMessage): load() has set every function, through void pointers */
int jm_regex_new(struct jm_regex **ret, const char *pattern, struct jm_err *err)
{
	struct jm_regex *r = calloc(1, sizeof *r);
	int code;
	size_t at;

	if (!r)
		return -ENOMEM;
	int e = load(r, err);
	if (e < 0) {
		jm_regex_free(r);
		return e;
	}
	/* the command lines of a machine are not always UTF-8, and never a reason to fail */
	r->code = r->compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	                     PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
	if (!r->code) {
		PCRE2_UCHAR why[120] = "";
		(void)r->get_error_message(code, why, sizeof why);
		jm_regex_free(r);
		return jm_err_set(err, -EINVAL, "the pattern '%.200s' is wrong at character %zu: %s", pattern, at + 1,
		                  (const char *)why);
	}
	r->data = r->match_data_create_from_pattern(r->code, NULL);
	r->context = r->match_context_create(NULL);
	if (!r->data || !r->context) {
		jm_regex_free(r);
		return -ENOMEM;
	}
	(void)r->set_match_limit(r->context, MATCH_LIMIT);
	(void)r->set_depth_limit(r->context, DEPTH_LIMIT);
	(void)r->set_heap_limit(r->context, HEAP_LIMIT_KIB);
	*ret = r;
	return 0;
}

struct jm_regex *jm_regex_free(struct jm_regex *r)
{
	if (!r)
		return NULL;
	if (r->context)
		r->match_context_free(r->context);
	if (r->data)
		r->match_data_free(r->data);
	if (r->code)
		r->code_free(r->code);
	if (r->library)
		(void)dlclose(r->library);
	free(r);
	return NULL;
}

int jm_regex_find(struct jm_regex *r, const char *text, size_t len, size_t from, size_t *ret_begin, size_t *ret_end)
{
	int n = r->match(r->code, (PCRE2_SPTR)text, len, from, 0, r->data, r->context);
	if (n == PCRE2_ERROR_NOMATCH || n == PCRE2_ERROR_BADUTFOFFSET)
		return 0;
	if (n < 0)
		return -E2BIG;
	const PCRE2_SIZE *at = r->get_ovector_pointer(r->data);
	/* \K can put the begin of a match behind its end */
	*ret_begin = at[0];
	*ret_end = at[1] < at[0] ? at[0] : at[1];
	return 1;
}
/* NOLINTEND(clang-analyzer-core.CallAndMessage) */

#else

int jm_regex_new(struct jm_regex **ret, const char *pattern, struct jm_err *err)
{
	return jm_err_set(err, -ENOSYS, "this jobmeter was built without PCRE2, so it knows no patterns");
}

struct jm_regex *jm_regex_free(struct jm_regex *r)
{
	return NULL;
}

int jm_regex_find(struct jm_regex *r, const char *text, size_t len, size_t from, size_t *ret_begin, size_t *ret_end)
{
	return 0;
}
#endif
