/* Opens the object it is given and calls its `go`. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int k = 1; k < argc; k++) {
		void *object = dlopen(argv[k], RTLD_NOW);
		int (*go)(void) = object ? (int (*)(void))dlsym(object, "go") : NULL;
		if (!go)
			return printf("%s\n", dlerror());
		printf("%s: %d\n", argv[k], go());
	}
	return 0;
}
