#include "read/psi.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct jm_psi value;
	(void)jm_psi_parse((const char *)data, len, &value);
	return 0;
}
