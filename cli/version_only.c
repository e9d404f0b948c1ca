#include <jobmeter.h>
#include <stdio.h>

int main(void)
{
	puts(jm_version());
	return 0;
}
