/* Private to doctor.c and doctor_helper.c. */
#pragma once
#include <jobmeter.h>

#include "base/root.h"

void jm_doctor_helper(const struct jm_root *root, void (*visit)(void *, const char *, int, const char *, const char *),
                      void *ctx);
