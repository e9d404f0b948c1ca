#include "golden.h"
#include "base/cleanup.h"
#include "cm.h"
#include <string.h>

void assert_golden(const char *name, const struct jm_buf *got)
{
	char path[4096];
	const char *folder = getenv("GOLDEN"), *bless = getenv("JOBMETER_BLESS");
	(void)snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/unit/golden", name);
	if (bless && *bless == '1') {
		_cleanup_(fclosep) FILE *out = fopen(path, "we");
		assert_non_null(out);
		assert_int_equal(fwrite(got->data, 1, got->len, out), got->len);
		return;
	}
	_cleanup_(fclosep) FILE *in = fopen(path, "re");
	if (!in)
		fail_msg("%s: not there; JOBMETER_BLESS=1 writes it", path);
	_cleanup_(freep) char *want = calloc(1, got->len + 4096);
	assert_non_null(want);
	(void)fread(want, 1, got->len + 4095, in);
	assert_string_equal(got->data, want);
}
