#include "base/err.h"
#include <stdarg.h>
#include <stdio.h>

int jm_err_set(struct jm_err *err, int code, const char *fmt, ...)
{
	if (!err)
		return code;
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	err->code = code;
	return code;
}
