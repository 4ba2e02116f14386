/* A host name of several addresses: the stub listens on the first one of a kind that this machine has. Where there is no IPv6, as in
 * many containers, localhost may still be ::1 first. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "gdbstub/gdbstub.h"
#include "test_debug_fixture.h"

#define NO_KIND "0.0.0.0" /* as of an address of a kind that the machine doesn't have */

static const char *const *addresses; /* of every name, for the functions below that stand in for the C library's */

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **out)
{
	struct addrinfo **end = out;
	(void)host;
	*out = NULL;
	for (const char *const *s = addresses; *s; s++, end = &(*end)->ai_next) {
		struct sockaddr_in *a = xcalloc(1, sizeof *a);
		a->sin_family = AF_INET;
		a->sin_port = htons((uint16_t)atoi(port));
		inet_pton(AF_INET, *s, &a->sin_addr);
		*end = xcalloc(1, sizeof **end);
		**end = (struct addrinfo){.ai_family = strcmp(*s, NO_KIND) ? AF_INET : AF_UNSPEC,
					  .ai_socktype = hints->ai_socktype,
					  .ai_addr = (struct sockaddr *)a,
					  .ai_addrlen = sizeof *a};
	}
	return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
	while (a) {
		struct addrinfo *next = a->ai_next;
		free(a->ai_addr);
		free(a);
		a = next;
	}
}

/* What is said of it. */
static void listens(const char *const *on, bool ok, const char *begins)
{
	struct fixture f;
	struct text out = {0}, why = {0};
	fixture_begin(&f, "k.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n");
	struct stub *s = gdbstub_create(f.session, NULL);
	addresses = on;
	assert_int_equal(gdbstub_listen(s, "somewhere:0", &out, &why), ok);
	assert_int_equal(gdbstub_active(s), ok);
	assert_memory_equal(text_str(ok ? &out : &why), begins, strlen(begins));
	text_free(&out);
	text_free(&why);
	gdbstub_destroy(s);
	fixture_end(&f);
}

static void test_first_that_is_there(void **state)
{
	(void)state;
	listens((const char *const[]){"127.0.0.2", "127.0.0.1", NULL}, true, "Listening for gdb on 127.0.0.2:");
	listens((const char *const[]){NO_KIND, NO_KIND, "127.0.0.1", NULL}, true, "Listening for gdb on 127.0.0.1:");
}

static void test_none(void **state)
{
	(void)state;
	listens((const char *const[]){NO_KIND, NO_KIND, NULL}, false,
		"can't listen on 'somewhere:0': Address family not supported by protocol");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_that_is_there), cmocka_unit_test(test_none)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
