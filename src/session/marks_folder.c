#include "session/marks_folder.h"
#include "base/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* jobmeter-BOOT-XXXXXX */
#define START  "jobmeter-"
#define END    "-XXXXXX"
#define SOCKET "socket"
enum { BOOT_LEN = 8, NAME_LEN = sizeof START - 1 + BOOT_LEN + sizeof END - 1 };
enum { LOOKED_AT_MAX = 4096 }; /* entries: a temporary folder may be huge, and our job is another */

static int open_socket(struct sockaddr_un *address, const char *path)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof address->sun_path)
		return -ENAMETOOLONG;
	memcpy(address->sun_path, path, strlen(path) + 1);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return fd < 0 ? -errno : fd;
}

/* ---- making ---- */

static int make_folder(char *ret, size_t size, const char *boot_id)
{
	const char *const places[] = { getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp", "/dev/shm" };
	int r = -ENOENT;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		/* a socket's path must fit in sun_path (108 bytes), so long folders are passed over */
		if (!places[i] || places[i][0] != '/' || strlen(places[i]) + 1 + NAME_LEN + sizeof "/" SOCKET > size)
			continue;
		(void)snprintf(ret, size, "%s/" START "%.*s" END, places[i], BOOT_LEN, boot_id ? boot_id : "unknown.");
		if (mkdtemp(ret)) /* 0700 */
			return 0;
		r = -errno;
	}
	return r;
}

/* The name that all know is given to it when it is there: whom nobody hears there is dead, not unborn. */
static int listen_in(const char *folder, const char *path)
{
	struct sockaddr_un address;
	char first[sizeof address.sun_path];
	(void)snprintf(first, sizeof first, "%s/new", folder);
	_cleanup_(closep) int fd = open_socket(&address, first);
	if (fd < 0)
		return fd;
	if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
		return -errno;
	if (chmod(first, 0600) < 0 || rename(first, path) < 0) {
		int r = -errno;
		(void)unlink(first);
		return r;
	}
	return take_fd(&fd);
}

/* ---- what others have left ---- */

static bool nobody_listens(const char *path)
{
	struct sockaddr_un address;
	_cleanup_(closep) int fd = open_socket(&address, path);
	return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && errno == ECONNREFUSED;
}

static void sweep_one(int place, const char *place_name, const char *name)
{
	struct stat st;
	char path[sizeof((struct sockaddr_un *)0)->sun_path];
	_cleanup_(closep) int fd = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 07777) != 0700)
		return;
	if (fstatat(fd, SOCKET, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISSOCK(st.st_mode))
		return;
	int n = snprintf(path, sizeof path, "%s/%s/" SOCKET, place_name, name);
	if (n < 0 || (size_t)n >= sizeof path || !nobody_listens(path))
		return;
	(void)unlinkat(fd, SOCKET, 0);
	(void)unlinkat(place, name, AT_REMOVEDIR);
}

static void sweep(const char *place, const char *boot_id)
{
	char start[sizeof START + BOOT_LEN];
	int n = snprintf(start, sizeof start, START "%.*s", BOOT_LEN, boot_id);
	_cleanup_(closedirp) DIR *dir = opendir(place);
	struct dirent *e;
	for (int i = 0; dir && i < LOOKED_AT_MAX && (e = readdir(dir)); i++)
		if (strlen(e->d_name) == NAME_LEN && strncmp(e->d_name, start, (size_t)n) == 0)
			sweep_one(dirfd(dir), place, e->d_name);
}

/* ---- both ends ---- */

int jm_marks_folder_make(char *ret_path, size_t size, const char *boot_id, struct jm_err *err)
{
	int r = make_folder(ret_path, size, boot_id);
	if (r < 0)
		return jm_err_set(err, r, "no folder for the socket of marks: %s", strerror(-r));
	_cleanup_(freep) char *folder = strdup(ret_path);
	if (!folder)
		return -ENOMEM;
	(void)snprintf(ret_path, size, "%s/" SOCKET, folder); /* there is room for it */
	r = listen_in(folder, ret_path);
	if (r < 0) {
		(void)rmdir(folder);
		return jm_err_set(err, r, "%s: socket of marks: %s", ret_path, strerror(-r));
	}
	*strrchr(folder, '/') = '\0';
	if (boot_id) /* now, as programs may be loaded meanwhile */
		sweep(folder[0] ? folder : "/", boot_id);
	return r;
}

void jm_marks_folder_remove(const char *path)
{
	_cleanup_(freep) char *folder = strdup(path);
	(void)unlink(path);
	if (!folder)
		return;
	*strrchr(folder, '/') = '\0';
	(void)rmdir(folder);
}
