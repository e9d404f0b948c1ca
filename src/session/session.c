/* The public API: the only file that knows every stage, and does nothing but connect them. */
#include <jobmeter.h>

const char *jm_version(void)
{
	return JM_VERSION;
}
