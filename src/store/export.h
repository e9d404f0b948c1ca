/* The exporters, one file each. Private to store/. */
#pragma once
#include "store/store.h"

extern const struct jm_exporter jm_export_csv, jm_export_jsonl;
