/* Opens the object it is given and calls its `go`; `-` closes the one before. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	void *object = NULL;
	for (int k = 1; k < argc; k++) {
		if (!strcmp(argv[k], "-")) {
			dlclose(object);
			continue;
		}
		object = dlopen(argv[k], RTLD_NOW);
		int (*go)(void) = object ? (int (*)(void))dlsym(object, "go") : NULL;
		if (!go)
			return printf("%s\n", dlerror());
		printf("%s: %d\n", argv[k], go());
	}
	return 0;
}
