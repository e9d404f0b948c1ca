/* Figures as people read them. Integers only: no locale can put a comma into a number. */
#pragma once
#include "model/report.h"

/* A short text by value, so that it can stand in an argument list: jm_format_bytes(n).text.
 * Always ASCII, and never a sign that means something in HTML or markdown. */
struct jm_word {
	char text[64];
};
typedef struct jm_word (*jm_formatter)(int64_t value);

struct jm_word jm_format_bytes(int64_t bytes);       /* "10.94 GiB" */
struct jm_word jm_format_rate(int64_t bytes);        /* "26.1 MiB/s" */
struct jm_word jm_format_si_bytes(int64_t bytes);    /* "11.2GB", where there is no room */
struct jm_word jm_format_duration(int64_t ns);       /* an amount: "412 ms", "10.7 s", "12m03s", "7h38m" */
struct jm_word jm_format_clock(int64_t ns);          /* a place in time: "36:19", "1:00:03"; below 10 s "0:03.2" */
struct jm_word jm_format_wall(int64_t ns);           /* a length: "1:00:03.2", below a minute "12.34 s" */
struct jm_word jm_format_seconds(int64_t ns);        /* "3603.2s" */
struct jm_word jm_format_count(int64_t n);           /* "1,234,567" */
struct jm_word jm_format_plain(int64_t n);           /* "1234567": a number that is a name */
struct jm_word jm_format_cores(int64_t mcores);      /* "8.11", "13.6", "16" */
struct jm_word jm_format_milli(int64_t thousandths); /* of a whole, as percent: "46 %" */
struct jm_word jm_format_percent(int64_t part,
                                 int64_t whole);    /* "46 %", "0.4 %", "under 0.1 %"; whole 0 or less: "n/a" */
struct jm_word jm_format_date(uint64_t wall_ns);    /* "2026-11-20 09:12:04", UTC */
struct jm_word jm_format_rfc3339(uint64_t wall_ns); /* "2026-11-20T09:12:04.125Z" */
struct jm_word jm_format_double(double v);          /* "1000000", "0.25": what a value of a mark was */

/* Both bounds are known and agree within 1 %: one number tells it. */
bool jm_range_is_one(const struct jm_range *r);
/* "10.9 GiB", "10.2 to 11.9 GiB", "at least 10.2 GiB", "at most 11.9 GiB"; false: nothing is known. */
bool jm_format_range(const struct jm_range *r, jm_formatter format, struct jm_word *ret);
/* The bound that is safe to plan with: high, else low; NULL: neither is known. */
const struct jm_figure *jm_range_safe(const struct jm_range *r);
/* end - begin, 0 when that makes no sense: times come from recordings. */
int64_t jm_span_ns(int64_t begin_ns, int64_t end_ns);
/* Why a figure is missing; never NULL. Not escaped. */
const char *jm_figure_why(const struct jm_figure *f);
/* It is only known that it is not less. */
bool jm_figure_is_least(const struct jm_figure *f);
/* "20 KiB", or "≥ 20 KiB" when it is only known that it is not less; false: not known. */
bool jm_format_figure(const struct jm_figure *f, jm_formatter format, struct jm_word *ret);

/* "exit 0", "killed by SIGKILL", "exit unknown". */
struct jm_word jm_format_exit(const struct jm_report *r);
