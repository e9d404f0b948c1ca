/* Every collector there is, one line each; registry.c has their order. */
#pragma once
#include "collect/collector.h"

extern const struct jm_collector jm_collector_bpf;
extern const struct jm_collector jm_collector_children;
extern const struct jm_collector jm_collector_connector;
extern const struct jm_collector jm_collector_cgroup;
extern const struct jm_collector jm_collector_cpu;
extern const struct jm_collector jm_collector_disk;
extern const struct jm_collector jm_collector_filesystem;
extern const struct jm_collector jm_collector_hardware;
extern const struct jm_collector jm_collector_load;
extern const struct jm_collector jm_collector_memory;
extern const struct jm_collector jm_collector_nic;
extern const struct jm_collector jm_collector_oom;
extern const struct jm_collector jm_collector_perf;
extern const struct jm_collector jm_collector_process;
extern const struct jm_collector jm_collector_processes;
extern const struct jm_collector jm_collector_psi;
extern const struct jm_collector jm_collector_ptrace;
extern const struct jm_collector jm_collector_taskstats;
