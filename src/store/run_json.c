/* The run frame: struct jm_run as JSON. What is not known is null. */
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "store/store.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

enum field_type { TEXT, U64, I64, COUNT, PID, BOOL, LETTER };

/* Texts: NULL is null. U64: 0 is null where it means unknown. I64, COUNT: -1 is null; a COUNT fits 31
 * bits, so that a thousand times it is a number too. */
static const struct {
	const char *key;
	size_t at;
	enum field_type type;
} fields[] = {
#define FIELD(key_, member, type_)                                                                                     \
	{                                                                                                              \
		key_, offsetof(struct jm_run, member), type_                                                           \
	}
	FIELD("id", id, TEXT),
	FIELD("version", version, TEXT),
	FIELD("directory", directory, TEXT),
	FIELD("host", host, TEXT),
	FIELD("kernel", kernel, TEXT),
	FIELD("arch", arch, TEXT),
	FIELD("boot_id", boot_id, TEXT),
	FIELD("root_pid", root_pid, PID),
	FIELD("boot_ns", boot_ns, U64),
	FIELD("wall_ns", wall_ns, U64),
	FIELD("interval_ns", interval_ns, U64),
	FIELD("cpus", cpus, COUNT),
	FIELD("allowed_cpus", allowed_cpus, COUNT),
	FIELD("memory_bytes", memory_bytes, I64),
	FIELD("page_bytes", page_bytes, U64),
	FIELD("ns_per_tick", ns_per_tick, U64),
	FIELD("tier", tier, LETTER),
	FIELD("lifecycle", lifecycle, TEXT),
	FIELD("wait", wait, TEXT),
	FIELD("own_cgroup", own_cgroup, BOOL),
#undef FIELD
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static void number_or_null(struct jm_json *j, const char *key, int64_t v, int64_t unknown)
{
	if (v == unknown)
		jm_json_null(j, key);
	else
		jm_json_int(j, key, v);
}

static void write_field(struct jm_json *j, const char *key, const void *p, enum field_type type)
{
	switch (type) {
	case TEXT:
		jm_json_text(j, key, *(const char *const *)p);
		break;
	case U64:
		number_or_null(j, key, (int64_t) * (const uint64_t *)p, 0);
		break;
	case I64:
	case COUNT:
		number_or_null(j, key, *(const int64_t *)p, -1);
		break;
	case PID:
		number_or_null(j, key, *(const pid_t *)p, 0);
		break;
	case BOOL:
		jm_json_bool(j, key, *(const bool *)p);
		break;
	case LETTER:
		if (*(const char *)p)
			jm_json_bytes(j, key, p, 1);
		else
			jm_json_null(j, key);
		break;
	}
}

void jm_run_write_json(const struct jm_run *run, struct jm_buf *out)
{
	struct jm_json j = { .out = out };
	jm_json_begin_object(&j, NULL);
	jm_json_text(&j, "schema", "jobmeter.run/1");
	for (size_t i = 0; i < N_FIELDS; i++)
		write_field(&j, fields[i].key, (const char *)run + fields[i].at, fields[i].type);
	jm_json_begin_array(&j, "command");
	for (size_t i = 0; i < run->n_command; i++)
		jm_json_text(&j, NULL, run->command[i]);
	jm_json_end_array(&j);
	jm_json_begin_array(&j, "tags"); /* pairs: a key may come twice */
	for (size_t i = 0; i < run->n_tags; i++) {
		jm_json_begin_array(&j, NULL);
		jm_json_text(&j, NULL, run->tags[i].key);
		jm_json_text(&j, NULL, run->tags[i].value);
		jm_json_end_array(&j);
	}
	jm_json_end_array(&j);
	jm_json_begin_array(&j, "missing");
	for (size_t i = 0; i < run->n_missing; i++) {
		jm_json_begin_object(&j, NULL);
		jm_json_text(&j, "metric", run->missing[i].metric);
		jm_json_text(&j, "reason", run->missing[i].reason);
		jm_json_end_object(&j);
	}
	jm_json_end_array(&j);
	jm_json_end_object(&j);
}

static int wrong(struct jm_err *err, const char *key, const char *what)
{
	return jm_err_set(err, -EBADMSG, "run frame: key '%s': expected %s", key, what);
}

/* A text without NUL inside, as the rest of the program wants it. */
static bool is_text(const struct jm_json_value *v)
{
	return v && v->type == JM_JSON_TEXT && strlen(v->text) == v->len;
}

static int read_number(const struct jm_json_value *v, void *p, enum field_type type)
{
	if (v->type != JM_JSON_NUMBER || !v->whole || v->integer < 0 ||
	    ((type == PID || type == COUNT) && v->integer > INT32_MAX))
		return -EBADMSG;
	if (type == PID)
		*(pid_t *)p = (pid_t)v->integer;
	else if (type == U64)
		*(uint64_t *)p = (uint64_t)v->integer;
	else
		*(int64_t *)p = v->integer;
	return 0;
}

static int read_field(struct jm_run *run, const struct jm_json_value *v, size_t i, struct jm_err *err)
{
	void *p = (char *)run + fields[i].at;
	enum field_type type = fields[i].type;
	if (type == I64 || type == COUNT)
		*(int64_t *)p = -1;
	if (!v || v->type == JM_JSON_NULL)
		return 0;
	if (type == TEXT || type == LETTER) {
		if (!is_text(v) || (type == LETTER && v->len != 1))
			return wrong(err, fields[i].key, type == TEXT ? "a text" : "one letter");
		if (type == LETTER)
			*(char *)p = v->text[0];
		else if (!(*(const char **)p = jm_arena_text(&run->arena, v->text)))
			return jm_err_set(err, -ENOMEM, "run frame: out of memory");
		return 0;
	}
	if (type == BOOL) {
		if (v->type != JM_JSON_BOOL)
			return wrong(err, fields[i].key, "true or false");
		*(bool *)p = v->truth;
		return 0;
	}
	return read_number(v, p, type) < 0 ? wrong(err, fields[i].key, "a whole number that is not negative") : 0;
}

static int read_command(struct jm_run *run, const struct jm_json_value *list, struct jm_err *err)
{
	if (!list)
		return 0;
	if (list->type != JM_JSON_ARRAY)
		return wrong(err, "command", "a list of texts");
	run->command = jm_arena_alloc(&run->arena, (list->n + 1) * sizeof *run->command);
	if (!run->command)
		return -ENOMEM;
	for (const struct jm_json_value *v = list->first; v; v = v->next) {
		if (!is_text(v))
			return wrong(err, "command", "a list of texts");
		if (!(run->command[run->n_command++] = jm_arena_text(&run->arena, v->text)))
			return -ENOMEM;
	}
	return 0;
}

static int read_tags(struct jm_run *run, const struct jm_json_value *list, struct jm_err *err)
{
	if (!list)
		return 0;
	run->tags = jm_arena_alloc(&run->arena, (list->n + 1) * sizeof *run->tags);
	if (!run->tags)
		return -ENOMEM;
	for (const struct jm_json_value *v = list->first; v; v = v->next) {
		if (v->type != JM_JSON_ARRAY || v->n != 2 || !is_text(v->first) || !is_text(v->first->next))
			return wrong(err, "tags", "a list of pairs of texts");
		struct jm_run_tag *t = &run->tags[run->n_tags++];
		t->key = jm_arena_text(&run->arena, v->first->text);
		t->value = jm_arena_text(&run->arena, v->first->next->text);
		if (!t->key || !t->value)
			return -ENOMEM;
	}
	return 0;
}

static int read_missing(struct jm_run *run, const struct jm_json_value *list, struct jm_err *err)
{
	if (!list)
		return 0;
	run->missing = jm_arena_alloc(&run->arena, (list->n + 1) * sizeof *run->missing);
	if (!run->missing)
		return -ENOMEM;
	for (const struct jm_json_value *v = list->first; v; v = v->next) {
		const struct jm_json_value *metric = jm_json_get(v, "metric"), *reason = jm_json_get(v, "reason");
		if (!is_text(metric) || !is_text(reason))
			return wrong(err, "missing", "objects with the texts 'metric' and 'reason'");
		struct jm_run_missing *m = &run->missing[run->n_missing++];
		m->metric = jm_arena_text(&run->arena, metric->text);
		m->reason = jm_arena_text(&run->arena, reason->text);
		if (!m->metric || !m->reason)
			return -ENOMEM;
	}
	return 0;
}

int jm_run_read_json(struct jm_run *ret, const char *json, size_t len, struct jm_err *err)
{
	struct jm_arena values = { 0 };
	struct jm_run run = { 0 };
	const struct jm_json_value *v = NULL;
	int r = jm_json_read(&values, json, len, &v, err);
	if (r >= 0 && v->type != JM_JSON_OBJECT)
		r = jm_err_set(err, -EBADMSG, "run frame: expected an object");
	for (size_t i = 0; i < N_FIELDS && r >= 0; i++)
		r = read_field(&run, jm_json_get(v, fields[i].key), i, err);
	if (r >= 0)
		r = read_command(&run, jm_json_get(v, "command"), err);
	if (r >= 0)
		r = read_tags(&run, jm_json_get(v, "tags"), err);
	if (r >= 0)
		r = read_missing(&run, jm_json_get(v, "missing"), err);
	jm_arena_done(&values);
	if (r < 0) {
		jm_run_done(&run);
		return r == -ENOMEM ? jm_err_set(err, r, "run frame: out of memory") : r;
	}
	*ret = run;
	return 0;
}
