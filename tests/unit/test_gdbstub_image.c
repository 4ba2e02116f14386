/* The ELF files made for gdb: well-formed by the ELF specification's own structures, read as gdb reads them; and debug information of
 * a program's own that is damaged in any way, which must neither crash nor hang. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "isa/link/modules.h"
#include "base/xalloc.h"
#include "gdbstub/image/image.h"
#include "gdbstub/wire/rsp.h"
#include "test_debug_fixture.h"

static char *read_file(const char *path)
{
	struct text t = {0};
	char bytes[4096];
	size_t n;
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("can't read %s", path);
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		text_addn(&t, bytes, n);
	fclose(f);
	return text_take(&t);
}

struct scene {
	struct fixture f;
	struct stub *s;
};

static void begin(struct scene *x, const char *name, const char *ptx)
{
	fixture_begin(&x->f, name, ptx);
	x->s = gdbstub_create(x->f.session, NULL);
	gdbstub_feed(x->s, "$QStartNoAckMode#b0", 19);
	text_clear(gdbstub_replies(x->s));
}

static void end(struct scene *x)
{
	gdbstub_destroy(x->s);
	fixture_end(&x->f);
}

/* One packet and its reply's payload. */
static void ask(struct scene *x, const char *packet, struct text *reply)
{
	struct text t = {0};
	struct rsp_decoder d = {.runs = true};
	rsp_encode(&t, packet, strlen(packet));
	gdbstub_feed(x->s, t.s, t.n);
	text_clear(reply);
	struct text *out = gdbstub_replies(x->s);
	enum rsp_event e = RSP_MORE;
	for (size_t i = 0; i < out->n && e != RSP_PACKET; i++)
		e = rsp_decode(&d, (unsigned char)out->s[i]);
	assert_int_equal(e, RSP_PACKET);
	text_addn(reply, text_str(&d.payload), d.payload.n);
	text_clear(out);
	rsp_decoder_free(&d);
	text_free(&t);
}

/* The file of a name, through the packets gdb uses. */
static void fetch(struct scene *x, const char *name, struct text *file)
{
	struct text packet = {0}, reply = {0};
	text_add(&packet, "vFile:open:");
	rsp_hex(&packet, name, strlen(name));
	text_add(&packet, ",0,0");
	ask(x, packet.s, &reply);
	assert_string_equal(text_str(&reply), "F5");
	for (size_t got = 1; got;) {
		text_clear(&packet);
		text_addf(&packet, "vFile:pread:5,3e7,%zx", file->n);
		ask(x, packet.s, &reply);
		char *semicolon = memchr(reply.s, ';', reply.n);
		assert_non_null(semicolon);
		got = strtoul(reply.s + 1, NULL, 16);
		assert_int_equal(got, reply.n - (size_t)(semicolon + 1 - reply.s));
		text_addn(file, semicolon + 1, got);
	}
	ask(x, "vFile:close:5", &reply);
	assert_string_equal(text_str(&reply), "F0");
	text_free(&packet);
	text_free(&reply);
}

static void fetch_main(struct scene *x, struct text *file)
{
	struct text reply = {0};
	ask(x, "qXfer:exec-file:read::0,1000", &reply);
	assert_int_equal(reply.s[0], 'l');
	fetch(x, reply.s + 1, file);
	text_free(&reply);
}

struct elf_view {
	const Elf64_Ehdr *h;
	const Elf64_Shdr *s;
	const char *file, *names;
};

static void view(const struct text *file, struct elf_view *v)
{
	v->file = file->s;
	v->h = (const void *)file->s;
	assert_true(file->n > sizeof *v->h && !memcmp(v->h->e_ident, ELFMAG, SELFMAG));
	assert_true(v->h->e_shoff + v->h->e_shnum * sizeof(Elf64_Shdr) <= file->n);
	v->s = (const void *)(file->s + v->h->e_shoff);
	for (unsigned i = 1; i < v->h->e_shnum; i++)
		assert_true(v->s[i].sh_type == SHT_NOBITS || v->s[i].sh_offset + v->s[i].sh_size <= file->n);
	v->names = file->s + v->s[v->h->e_shstrndx].sh_offset;
}

static const Elf64_Shdr *section(const struct elf_view *v, const char *name)
{
	for (unsigned i = 1; i < v->h->e_shnum; i++)
		if (!strcmp(v->names + v->s[i].sh_name, name))
			return &v->s[i];
	fail_msg("no section %s", name);
	return NULL;
}

static uint64_t symbol(const struct elf_view *v, const char *name)
{
	const Elf64_Shdr *t = section(v, ".symtab");
	const Elf64_Sym *s = (const void *)(v->file + t->sh_offset);
	const char *strings = v->file + v->s[t->sh_link].sh_offset;
	for (size_t i = 0; i < t->sh_size / sizeof *s; i++) {
		/* local symbols come first */
		assert_int_equal(ELF64_ST_BIND(s[i].st_info) == STB_LOCAL, i < t->sh_info);
		if (!strcmp(strings + s[i].st_name, name))
			return s[i].st_value;
	}
	fail_msg("no symbol %s", name);
	return 0;
}

static unsigned count_symbols(const struct elf_view *v, const char *name)
{
	const Elf64_Shdr *t = section(v, ".symtab");
	const Elf64_Sym *s = (const void *)(v->file + t->sh_offset);
	const char *strings = v->file + v->s[t->sh_link].sh_offset;
	unsigned n = 0;
	for (size_t i = 0; i < t->sh_size / sizeof *s; i++)
		n += !strcmp(strings + s[i].st_name, name);
	return n;
}

/* What the no-operation of an instruction names: 66 0f 1f 05, displacement. */
static uint64_t named_by(const struct elf_view *v, uint32_t pc)
{
	int32_t displacement;
	memcpy(&displacement, v->file + section(v, ".text")->sh_offset + pc * 8u + 4, 4);
	return 0x08000000 + 8 * (uint64_t)pc + 8 + (uint64_t)displacement;
}

/* Instructions with the same text share its symbol, and in memory gdb finds the same bytes as in the file. */
static void test_same_texts(void **state)
{
	struct scene x;
	struct text file = {0}, reply = {0}, want = {0};
	struct elf_view v;
	char *ptx = read_file("../gdb/lanes.ptx"), packet[32];
	(void)state;
	begin(&x, "lanes.ptx", ptx);
	fetch_main(&x, &file);
	view(&file, &v);
	const struct isa_program *p = gpu_program(debug_gpu(x.f.d));
	const struct isa_function *f = isa_program_find_function(p, "lanes"),
				  *g = isa_program_find_function(p, "scale");
	assert_int_equal(count_symbols(&v, "ret;"), 1);
	assert_int_equal(named_by(&v, f->end - 1), symbol(&v, "ret;"));
	assert_int_equal(named_by(&v, g->end - 1), symbol(&v, "ret;"));
	for (uint32_t pc = 0; pc < p->n_insns; pc++) {
		snprintf(packet, sizeof packet, "m%x,8", 0x08000000 + 8 * pc);
		ask(&x, packet, &reply);
		text_clear(&want);
		rsp_hex(&want, v.file + section(&v, ".text")->sh_offset + pc * 8u, 8);
		assert_string_equal(text_str(&reply), text_str(&want));
	}
	text_free(&file);
	text_free(&reply);
	text_free(&want);
	free(ptx);
	end(&x);
}

static void test_elf(void **state)
{
	struct scene x;
	struct text file = {0};
	struct elf_view v;
	char *ptx = read_file("../gdb/lanes.ptx");
	(void)state;
	begin(&x, "lanes.ptx", ptx);
	fetch_main(&x, &file);
	view(&file, &v);
	assert_int_equal(v.h->e_machine, EM_X86_64);
	assert_int_equal(v.h->e_type, ET_EXEC);
	const struct isa_function *f = isa_program_find_function(gpu_program(debug_gpu(x.f.d)), "lanes");
	assert_int_equal(symbol(&v, "lanes"), 0x08000000 + 8 * (uint64_t)f->first);
	assert_int_equal(section(&v, ".text")->sh_addr, 0x08000000);
	assert_int_equal(section(&v, ".text")->sh_size, 8 * (uint64_t)gpu_program(debug_gpu(x.f.d))->n_insns);
	/* the text of an instruction is a symbol */
	assert_int_equal(symbol(&v, "mov.f32 %f1, fi;"), named_by(&v, 0));
	section(&v, ".debug_info");
	section(&v, ".debug_line");
	section(&v, ".debug_frame");
	text_free(&file);
	free(ptx);
	end(&x);
}

static void test_nothing_loaded(void **state)
{
	struct scene x;
	struct text file = {0};
	struct elf_view v;
	(void)state;
	begin(&x, NULL, NULL);
	fetch_main(&x, &file);
	view(&file, &v);
	assert_int_equal(section(&v, ".text")->sh_size, 0);
	text_free(&file);
	end(&x);
}

/* A file loaded while gdb is there: its image begins at 0 and is listed with where it lies. */
static void test_module(void **state)
{
	struct scene x;
	struct text file = {0}, reply = {0};
	struct elf_view v;
	char *ptx = read_file("../gdb/lanes.ptx"), *second = read_file("../gdb/second.ptx");
	(void)state;
	begin(&x, "lanes.ptx", ptx);
	fetch_main(&x, &file);
	text_clear(&file);
	uint32_t n = gpu_program(debug_gpu(x.f.d))->n_insns;
	fixture_load(&x.f, "second.ptx", second);
	images_update(x.s);
	ask(&x, "qXfer:libraries:read::0,1000", &reply);
	char *name = strstr(reply.s, "name=\"");
	assert_non_null(name);
	name += 6;
	char want[64];
	snprintf(want, sizeof want, "\"><section address=\"0x%llx\"/>", 0x08000000ull + 8 * n);
	HAS(reply.s, want);
	*strchr(name, '"') = '\0';
	fetch(&x, name, &file);
	view(&file, &v);
	assert_int_equal(v.h->e_type, ET_DYN);
	assert_int_equal(section(&v, ".text")->sh_addr, 0);
	assert_int_equal(symbol(&v, "second"), 0);
	text_free(&file);
	text_free(&reply);
	free(ptx);
	free(second);
	end(&x);
}

/* The path in the file's line table that names a file which was written for gdb; the text there. */
static void read_named_text(const struct elf_view *v, const char *file, struct text *out)
{
	const Elf64_Shdr *s = section(v, ".debug_line");
	char piece[4096];
	ssize_t n;
	const char *path = memmem(file + s->sh_offset, s->sh_size, "/tmp/warpstep-gdb-", 18);
	assert_non_null(path);
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	while ((n = read(fd, piece, sizeof piece)) > 0)
		text_addn(out, piece, (size_t)n);
	close(fd);
}

static const char brought[] = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry brought() {\nret;\n}\n";

/* PTX that is no file comes, and gdb asks for what it becomes: to `file`. Returns its module. */
static uint32_t bring_text(struct scene *x, const char *name, struct text *file)
{
	struct text reply = {0};
	struct diag_list diags = {0};
	struct isa_program *p = gpu_program(debug_gpu(x->f.d));
	const uint32_t module = isa_module_add(p, name);
	fetch_main(x, file);
	text_clear(file);
	assert_true(frontend_load_text(p, module, "/nowhere/app.ptx", brought, strlen(brought), &diags));
	debug_module_changed(x->f.d, module, true, &x->f.out);
	images_update(x->s);
	ask(x, "qXfer:libraries:read::0,1000", &reply);
	char *library = strstr(reply.s, "name=\"");
	assert_non_null(library);
	library += 6;
	*strchr(library, '"') = '\0';
	fetch(x, library, file);
	text_free(&reply);
	return module;
}

/* PTX that a program brought is no file: one is written for gdb. Unloaded, the library is gone. */
static void test_module_in_memory(void **state)
{
	(void)state;
	struct scene x;
	struct text file = {0}, reply = {0}, ptx = {0};
	struct elf_view v;
	char *main_ptx = read_file("../gdb/lanes.ptx");
	begin(&x, "lanes.ptx", main_ptx);
	const uint32_t module = bring_text(&x, "app.ptx", &file);
	view(&file, &v);
	assert_int_equal(symbol(&v, "brought"), 0);
	read_named_text(&v, file.s, &ptx);
	assert_string_equal(text_str(&ptx), brought);
	isa_module_unload(gpu_program(debug_gpu(x.f.d)), module);
	debug_module_changed(x.f.d, module, false, &x.f.out);
	images_take_news(x.s);
	images_update(x.s);
	assert_true(images_take_news(x.s));
	ask(&x, "qXfer:libraries:read::0,1000", &reply);
	HAS(reply.s, "<library-list version=\"1.0\"></library-list>");
	text_free(&file);
	text_free(&reply);
	text_free(&ptx);
	free(main_ptx);
	end(&x);
}

/* A folder with a file in it. */
static void make_left(char *path, const char *file)
{
	char name[64];
	assert_non_null(mkdtemp(path));
	snprintf(name, sizeof name, "%s/%s", path, file);
	const int fd = open(name, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static void remove_made(const char *path, const char *file)
{
	char name[64];
	snprintf(name, sizeof name, "%s/%s", path, file);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(rmdir(path), 0);
}

/* Folders that a warpstep which was killed has left are removed; not those that somebody has locked, nor what a link leads to. */
static void test_folders_left(void **state)
{
	(void)state;
	struct scene x;
	struct text file = {0};
	char left[] = "/tmp/test-warpstep-XXXXXX", used[] = "/tmp/test-warpstep-XXXXXX", other[] = "/tmp/test-warpstep-XXXXXX";
	char link[64], left_name[64], used_name[64];
	make_left(left, "app.ptx");
	make_left(used, "app.ptx");
	make_left(other, "mine");
	snprintf(left_name, sizeof left_name, "/tmp/warpstep-gdb-%s", left + strlen(left) - 6);
	snprintf(used_name, sizeof used_name, "/tmp/warpstep-gdb-%s", used + strlen(used) - 6);
	snprintf(link, sizeof link, "/tmp/warpstep-gdb-link-%ld", (long)getpid());
	assert_int_equal(symlink(other, link), 0);
	const int fd = open(used, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(rename(used, used_name), 0);
	assert_int_equal(rename(left, left_name), 0);
	char *ptx = read_file("../gdb/lanes.ptx");
	begin(&x, "lanes.ptx", ptx);
	bring_text(&x, "app.ptx", &file);
	assert_int_equal(access(left_name, F_OK), -1);
	assert_int_equal(unlink(link), 0);
	remove_made(used_name, "app.ptx");
	remove_made(other, "mine");
	close(fd);
	text_free(&file);
	free(ptx);
	end(&x);
}

/* Digits, braces and whole pieces of the debug sections changed at random. */
static void damage(char *text, unsigned seed)
{
	uint32_t random = seed * 2654435761u;
	char *from = strstr(text, ".section");
	size_t n = strlen(from);
	for (unsigned k = 0; k < 1 + seed % 5; k++) {
		random = random * 1664525u + 1013904223u;
		size_t at = random % n;
		if (from[at] >= '0' && from[at] <= '9')
			from[at] = (char)('0' + (random >> 16) % 10);
		else if (seed % 7 == 0 && from[at] != '\n')
			from[at] = "{}:$.-+ "[(random >> 16) % 8];
	}
	if (seed % 11 == 0)
		from[n - (random >> 8) % n] = '\0';
}

static void test_damaged_debug_information(void **state)
{
	char *ptx = read_file("../gdb/c-variables.ptx");
	unsigned loaded = 0;
	(void)state;
	for (unsigned seed = 0; seed < 400; seed++) {
		struct scene x;
		struct diag_list diags = {0};
		struct text file = {0};
		char *text = xstrdup(ptx);
		if (seed)
			damage(text, seed);
		begin(&x, NULL, NULL);
		debug_settings(x.f.d)->lines = DEBUG_LINES_CUDA;
		if (frontend_load_text(gpu_program(debug_gpu(x.f.d)), 0, "c.ptx", text, strlen(text), &diags)) {
			text_clear(&x.f.out);
			debug_program_changed(x.f.d, &x.f.out);
			struct elf_view v;
			fetch_main(&x, &file);
			view(&file, &v);
			loaded++;
		}
		diag_list_free(&diags);
		text_free(&file);
		free(text);
		end(&x);
	}
	free(ptx);
	if (loaded < 100)
		fail_msg("only %u loaded", loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elf),
		cmocka_unit_test(test_same_texts),
		cmocka_unit_test(test_nothing_loaded),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_module_in_memory),
		cmocka_unit_test(test_folders_left),
		cmocka_unit_test(test_damaged_debug_information),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
