#include "base/err.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int jm_err_set(struct jm_err *err, int code, const char *fmt, ...)
{
	if (!err)
		return code;
	char text[sizeof err->text]; /* the arguments may hold the sentence that is there now */
	va_list ap;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	memcpy(err->text, text, sizeof text);
	err->code = code;
	return code;
}
