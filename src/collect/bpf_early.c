#include "collect/bpf_early.h"
#include "collect/bpf_why.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STACK_BYTES = 1 << 18, FDS_NEEDED = 128 };

struct jm_bpf_early {
	pthread_t thread;
	const struct jm_root *root;
	struct jm_bpf_tree tree;
	struct jm_err err;
	int result;
	bool taken;
};

static void *load(void *early)
{
	struct jm_bpf_early *e = early;
	e->result = jm_bpf_tree_load(&e->tree, e->root, &e->err);
	return NULL;
}

/* Every signal is for the others. */
static int start(struct jm_bpf_early *e)
{
	pthread_attr_t attr;
	sigset_t all, was;
	int r = pthread_attr_init(&attr);
	if (r)
		return -r;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &was);
	r = pthread_create(&e->thread, &attr, load, e);
	(void)pthread_sigmask(SIG_SETMASK, &was, NULL);
	(void)pthread_attr_destroy(&attr);
	return -r;
}

/* With few descriptors it is better to have one after the other. */
static bool is_worth_it(const struct jm_root *root)
{
	struct rlimit files;
	return root->native && jm_root_allowed_cpus(root) > 1 && jm_bpf_may_load() &&
	       getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= FDS_NEEDED;
}

struct jm_bpf_early *jm_bpf_early_begin(const struct jm_root *root)
{
	struct jm_bpf_early *e = is_worth_it(root) ? calloc(1, sizeof *e) : NULL;
	if (!e)
		return NULL;
	e->root = root;
	if (start(e) < 0) {
		free(e);
		return NULL;
	}
	return e;
}

int jm_bpf_early_take(struct jm_bpf_early *e, struct jm_bpf_tree *ret, struct jm_err *err)
{
	(void)pthread_join(e->thread, NULL);
	e->taken = true;
	*ret = e->tree;
	*err = e->err;
	return e->result;
}

struct jm_bpf_early *jm_bpf_early_free(struct jm_bpf_early *e)
{
	if (e && !e->taken && pthread_join(e->thread, NULL) == 0 && e->result >= 0)
		jm_bpf_tree_done(&e->tree);
	free(e);
	return NULL;
}
