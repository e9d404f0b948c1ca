/* Expected outputs as files, reviewed like code: tests/unit/golden/NAME. JOBMETER_BLESS=1 writes them anew. */
#pragma once
#include "base/buf.h"

void assert_golden(const char *name, const struct jm_buf *got);
