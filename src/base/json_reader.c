#include "base/json_reader.h"
#include "base/json_token.h"
#include <errno.h>
#include <string.h>

static int too_much(struct jm_json_reader *r, const char *what)
{
	return jm_err_set(r->err, -EFBIG, "byte %zu of JSON: too %s", (size_t)(r->p - r->begin), what);
}

static void skip_blanks(struct jm_json_reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
		r->p++;
}

static int value(struct jm_json_reader *r, struct jm_json_value **ret);

static int member_key(struct jm_json_reader *r, const struct jm_json_value *object, const char **ret, size_t *ret_len)
{
	skip_blanks(r);
	int e = jm_json_read_text(r, ret, ret_len);
	if (e < 0)
		return e;
	for (const struct jm_json_value *m = object->first; m; m = m->next)
		if (m->key_len == *ret_len && memcmp(m->key, *ret, *ret_len) == 0)
			return jm_json_expected(r, "each key of an object once");
	skip_blanks(r);
	return jm_json_take(r, ':') ? 0 : jm_json_expected(r, "a ':'");
}

static int members(struct jm_json_reader *r, struct jm_json_value *v, char close)
{
	const struct jm_json_value **tail = &v->first;
	if (r->depth == JM_JSON_DEPTH_MAX)
		return too_much(r, "deep");
	r->depth++;
	skip_blanks(r);
	if (jm_json_take(r, close)) {
		r->depth--;
		return 0;
	}
	for (;;) {
		const char *key = NULL;
		size_t key_len = 0;
		int e = v->type == JM_JSON_OBJECT ? member_key(r, v, &key, &key_len) : 0;
		struct jm_json_value *m;
		if (e < 0 || (e = value(r, &m)) < 0)
			return e;
		m->key = key;
		m->key_len = key_len;
		*tail = m;
		tail = &m->next;
		if (++v->n > JM_JSON_KEYS_MAX && v->type == JM_JSON_OBJECT)
			return too_much(r, "many keys");
		skip_blanks(r);
		if (jm_json_take(r, close)) {
			r->depth--;
			return 0;
		}
		if (!jm_json_take(r, ','))
			return jm_json_expected(r, close == '}' ? "',' or '}'" : "',' or ']'");
	}
}

static int value(struct jm_json_reader *r, struct jm_json_value **ret)
{
	if (++r->values > JM_JSON_VALUES_MAX)
		return too_much(r, "many values");
	struct jm_json_value *v = jm_arena_alloc(r->arena, sizeof *v);
	if (!v)
		return jm_json_no_memory(r);
	*ret = v;
	skip_blanks(r);
	if (r->p < r->end && *r->p == '"') {
		v->type = JM_JSON_TEXT;
		return jm_json_read_text(r, &v->text, &v->len);
	}
	if (jm_json_take(r, '{')) {
		v->type = JM_JSON_OBJECT;
		return members(r, v, '}');
	}
	if (jm_json_take(r, '[')) {
		v->type = JM_JSON_ARRAY;
		return members(r, v, ']');
	}
	if (r->p < r->end && (*r->p == '-' || (*r->p >= '0' && *r->p <= '9')))
		return jm_json_read_number(r, v);
	return jm_json_read_word(r, v);
}

int jm_json_read(struct jm_arena *arena, const char *data, size_t len, const struct jm_json_value **ret,
                 struct jm_err *err)
{
	struct jm_json_reader r = { .arena = arena, .begin = data, .p = data, .end = data + len, .err = err };
	struct jm_json_value *v;
	if (len > JM_JSON_BYTES_MAX)
		return too_much(&r, "long");
	int e = value(&r, &v);
	if (e < 0)
		return e;
	skip_blanks(&r);
	if (r.p != r.end)
		return jm_json_expected(&r, "nothing behind the value");
	*ret = v;
	return 0;
}

const struct jm_json_value *jm_json_get(const struct jm_json_value *object, const char *key)
{
	size_t len = strlen(key);
	if (!object || object->type != JM_JSON_OBJECT)
		return NULL;
	for (const struct jm_json_value *m = object->first; m; m = m->next)
		if (m->key_len == len && memcmp(m->key, key, len) == 0)
			return m;
	return NULL;
}
