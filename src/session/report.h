/* What a jm_report_handle is: the conclusions, and what they borrow. */
#pragma once
#include <jobmeter.h>

#include "analyze/analyze.h"

struct jm_report_handle {
	struct jm_report report;
	struct jm_analysis *analysis; /* owned when it came from a file; NULL: the session's */
	struct jm_source *source;     /* owned: holds the run that the report borrows; NULL: the session's run */
	struct jm_reader_end_copy {
		bool complete;
		char *cut_short;
	} end;
};

/* Copies a sentence into a caller's buffer. Returns code. */
int jm_say(char *error, size_t error_size, const char *text, int code);
