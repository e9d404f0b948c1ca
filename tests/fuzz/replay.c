/* main() for a fuzz target without a fuzzer: runs it over the files of a corpus folder. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

enum { INPUT_MAX = 1 << 20 };

int main(int argc, char **argv)
{
	DIR *d = argc > 1 ? opendir(argv[1]) : NULL;
	if (!d) {
		perror(argc > 1 ? argv[1] : "usage: replay CORPUS");
		return 1;
	}
	unsigned ran = 0;
	for (struct dirent *e; (e = readdir(d));) {
		char path[4096];
		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
		FILE *f = fopen(path, "r");
		/* exactly as large as the input, so that a sanitizer sees one byte too many */
		unsigned char *buf = malloc(INPUT_MAX);
		if (!f || !buf) {
			perror(path);
			return 1;
		}
		size_t n = fread(buf, 1, INPUT_MAX, f);
		(void)fclose(f);
		unsigned char *exact = realloc(buf, n ? n : 1);
		LLVMFuzzerTestOneInput(exact, n);
		free(exact);
		ran++;
	}
	(void)closedir(d);
	printf("%u inputs\n", ran);
	return ran == 0;
}
