/* suid [drop] [child] [talk]: what a program of another user does with other rights, for tests of who is told of it. Writes,
 * allocates, and ends with 5; drop: gives its rights up first; child: has a child that executes sh; talk: sends to itself. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	enum { BYTES = 4 << 20 };
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "drop") == 0 && setresuid(getuid(), getuid(), getuid()) < 0)
			return 1;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char *memory = malloc(BYTES);
	if (fd < 0 || !memory)
		return 2;
	memset(memory, argc, BYTES);
	if (write(fd, memory, BYTES) != BYTES)
		return 3;
	for (int i = 1; i < argc; i++) {
		int pair[2];
		if (strcmp(argv[i], "talk") == 0 && (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 ||
		                                     write(pair[0], memory, 1000) != 1000))
			return 4;
		if (strcmp(argv[i], "child") != 0)
			continue;
		pid_t pid = fork();
		if (pid == 0) {
			(void)execl("/bin/sh", "sh", "-p", "-c", "head -c 100000 /dev/zero > /dev/null; exit 7", NULL);
			_exit(127);
		}
		(void)waitpid(pid, NULL, 0);
	}
	return 5;
}
