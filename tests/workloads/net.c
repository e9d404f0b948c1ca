/* net tcp|udp|unix --rounds R --up U --down D : a child client sends U bytes R times, the server (parent) answers D bytes each time.
 * Request and answer alternate, so no datagram is lost. U and D at most 60000 for udp.
 * Truth: payload bytes of all processes of the job together: what one end sent, the other received. */
#include "truth.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

static u64 sent, received;

static void put(int fd, const char *buf, u64 n)
{
	while (n) {
		ssize_t r = send(fd, buf, n, MSG_NOSIGNAL);
		if (r <= 0)
			die("send");
		n -= (u64)r;
		buf += r;
		sent += (u64)r;
	}
}
static void get(int fd, char *buf, u64 n)
{
	while (n) {
		ssize_t r = recv(fd, buf, n, 0);
		if (r <= 0)
			die("recv");
		n -= (u64)r;
		received += (u64)r;
	}
}
int main(int argc, char **argv)
{
	truth_open();
	const char *proto = argc > 1 ? argv[1] : "tcp";
	u64 rounds = arg(argc, argv, "--rounds", 100), up = arg(argc, argv, "--up", 10000),
	    down = arg(argc, argv, "--down", 1000);
	int udp = !strcmp(proto, "udp"), fd[2] = { -1, -1 };
	struct board *b = board_new(NULL);
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) }, c = a;
	socklen_t len = sizeof a;
	if (!strcmp(proto, "unix")) {
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
			die("socketpair");
	} else {
		fd[0] = socket(AF_INET, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
		fd[1] = socket(AF_INET, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
		if (bind(fd[0], (struct sockaddr *)&a, len) < 0 || getsockname(fd[0], (struct sockaddr *)&a, &len) < 0)
			die("bind");
		if (udp) {
			if (bind(fd[1], (struct sockaddr *)&c, len) < 0 ||
			    getsockname(fd[1], (struct sockaddr *)&c, &len) < 0)
				die("bind");
			if (connect(fd[0], (struct sockaddr *)&c, len) < 0)
				die("connect");
		} else if (listen(fd[0], 1) < 0)
			die("listen");
	}
	u64 big = up > down ? up : down;
	char *buf = calloc(1, big + 1);
	pid_t child = fork();
	if (child == 0) {
		if (strcmp(proto, "unix") && connect(fd[1], (struct sockaddr *)&a, len) < 0)
			die("connect");
		for (u64 i = 0; i < rounds; i++) {
			put(fd[1], buf, up);
			get(fd[1], buf, down);
		}
		b->a = sent;
		b->b = received;
		_exit(0);
	}
	if (!udp && strcmp(proto, "unix")) {
		int s = accept(fd[0], NULL, NULL);
		if (s < 0)
			die("accept");
		close(fd[0]);
		fd[0] = s;
	}
	for (u64 i = 0; i < rounds; i++) {
		get(fd[0], buf, up);
		put(fd[0], buf, down);
	}
	waitpid(child, NULL, 0);
	truth("{\"program\":\"net\",\"proto\":\"%s\",\"rounds\":%" PRIu64 ",\"sent_bytes\":%" PRIu64
	      ",\"received_bytes\":%" PRIu64 ",\"client_sent_bytes\":%llu,\"server_sent_bytes\":%" PRIu64
	      ",\"inet\":%s}",
	      proto, rounds, sent + b->a, received + b->b, b->a, sent, strcmp(proto, "unix") ? "true" : "false");
	return 0;
}
