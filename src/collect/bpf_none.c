/* A build without BPF programs. */
#include "collect/bpf_early.h"
#include "collect/bpf_load.h"
#include <errno.h>

int jm_bpf_tree_load(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	return jm_err_set(err, -EOPNOTSUPP, "bpf: this jobmeter was built without its BPF programs");
}

int jm_bpf_tree_load_first(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	return jm_bpf_tree_load(ret, root, err);
}

int jm_bpf_tree_load_peak(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	return jm_bpf_tree_load(ret, root, err);
}

void jm_bpf_tree_done(struct jm_bpf_tree *t)
{
}

int jm_bpf_tree_adopt(const struct jm_bpf_tree *t, pid_t pid, pid_t tid)
{
	return -EOPNOTSUPP;
}

int jm_bpf_tree_settle(const struct jm_bpf_tree *t, struct jm_bpf_settle *ret)
{
	return -EOPNOTSUPP;
}

struct jm_bpf_early *jm_bpf_early_begin(const struct jm_root *root)
{
	return NULL;
}

int jm_bpf_early_take(struct jm_bpf_early *e, struct jm_bpf_tree *ret, struct jm_err *err)
{
	return -EOPNOTSUPP;
}

struct jm_bpf_early *jm_bpf_early_free(struct jm_bpf_early *e)
{
	return NULL;
}

int jm_bpf_sample_load(struct jm_bpf_sample *ret, const struct jm_root *root, uint32_t n_slots, struct jm_err *err)
{
	return jm_err_set(err, -EOPNOTSUPP, "bpf: this jobmeter was built without its BPF programs");
}

void jm_bpf_sample_done(struct jm_bpf_sample *s)
{
}

int jm_bpf_sample_take(const struct jm_bpf_sample *s, uint32_t n)
{
	return -EOPNOTSUPP;
}
