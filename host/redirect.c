/* Programs with a runtime of their own, linked statically (nvcc's default) or found by an RPATH: the entry of each function that is also one
 * of ours becomes a jump to ours, before the program's first constructor runs. As valgrind replaces malloc. */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"

#define SLOT_BYTES 16u
#define SLOTS_BYTES 65536u
#define JUMP_BYTES 5u

struct object {
	uintptr_t base;
	const char *file; /* its bytes, mapped */
	size_t bytes;
	int memory;  /* /proc/self/mem, for pages of code */
	char *slots; /* jumps to anywhere, in reach of the object's own; NULL: none yet */
	size_t n_slots, redirected;
};

/* Room for jumps within 2 GB of the object. */
static bool make_slots(struct object *o)
{
	const uintptr_t page = o->base & ~(uintptr_t)0xfff;
	for (unsigned k = 1; !o->slots && k < 1000; k++) {
		const uintptr_t down = page - ((uintptr_t)k << 20), up = page + ((uintptr_t)(k + 64) << 20);
		for (int way = 0; !o->slots && way < 2; way++) {
			void *at = (void *)(way || down > page ? up : down);
			char *p = mmap(at, SLOTS_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
			if (p != MAP_FAILED && p != at)
				munmap(p, SLOTS_BYTES);
			else if (p != MAP_FAILED)
				o->slots = p;
		}
	}
	return o->slots;
}

static void redirect(struct object *o, uintptr_t from, const void *to)
{
	static const unsigned char jump_far[] = {0xff, 0x25, 0, 0, 0, 0};
	unsigned char jump[JUMP_BYTES] = {0xe9};
	if (!make_slots(o) || (o->n_slots + 1) * SLOT_BYTES > SLOTS_BYTES)
		return;
	char *slot = o->slots + SLOT_BYTES * o->n_slots++;
	memcpy(slot, jump_far, sizeof jump_far);
	memcpy(slot + sizeof jump_far, &to, sizeof to);
	const int32_t way = (int32_t)((intptr_t)slot - (intptr_t)(from + JUMP_BYTES));
	memcpy(jump + 1, &way, sizeof way);
	if (pwrite(o->memory, jump, sizeof jump, (off_t)from) == sizeof jump)
		o->redirected++;
}

static bool in_file(const struct object *o, uint64_t offset, uint64_t n)
{
	return offset <= o->bytes && n <= o->bytes - offset;
}

static void redirect_table(struct object *o, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
	const Elf64_Sym *s = (const Elf64_Sym *)(const void *)(o->file + table->sh_offset);
	const char *names = o->file + strings->sh_offset;
	if (!in_file(o, table->sh_offset, table->sh_size) || !in_file(o, strings->sh_offset, strings->sh_size) ||
	    !strings->sh_size || names[strings->sh_size - 1])
		return;
	for (size_t k = 0; k < table->sh_size / sizeof *s; k++) {
		const char *name = s[k].st_name < strings->sh_size ? names + s[k].st_name : "";
		if (ELF64_ST_TYPE(s[k].st_info) != STT_FUNC || s[k].st_size < JUMP_BYTES || !s[k].st_value ||
		    (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6) && strncmp(name, "nvrtc", 5)))
			continue;
		const void *to = host_entry_find(name);
		if (to)
			redirect(o, o->base + s[k].st_value, to);
	}
}

static void redirect_object(struct object *o)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)(const void *)o->file;
	if (o->bytes < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_shentsize != sizeof(Elf64_Shdr) || !in_file(o, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr)))
		return;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(o->file + e->e_shoff);
	for (unsigned wanted = SHT_SYMTAB; !o->redirected; wanted = SHT_DYNSYM) {
		for (unsigned k = 0; k < e->e_shnum; k++)
			if (sections[k].sh_type == wanted && sections[k].sh_link < e->e_shnum)
				redirect_table(o, &sections[k], &sections[sections[k].sh_link]);
		if (wanted == SHT_DYNSYM)
			break;
	}
}

static void redirect_file(uintptr_t base, const char *path)
{
	struct stat st;
	struct object o = {.base = base, .memory = -1};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size > 0) {
		o.bytes = (size_t)st.st_size;
		const char *m = mmap(NULL, o.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
		o.memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
		o.file = m;
		if (m != MAP_FAILED && o.memory >= 0)
			redirect_object(&o);
		if (m != MAP_FAILED)
			munmap((void *)(uintptr_t)m, o.bytes);
		if (o.memory >= 0)
			close(o.memory);
	}
	close(fd);
}

/* Files of our own folder aren't anybody else's runtime. */
static bool is_ours(const char *path, const char *own)
{
	const char *end = strrchr(own, '/');
	return end && !strncmp(path, own, (size_t)(end - own) + 1) && !strchr(path + (end - own) + 1, '/');
}

static int visit(struct dl_phdr_info *i, size_t n, void *own)
{
	const char *path = i->dlpi_name && i->dlpi_name[0] ? i->dlpi_name : "/proc/self/exe";
	(void)n;
	if (!is_ours(path, own))
		redirect_file(i->dlpi_addr, path);
	return 0;
}

__attribute__((constructor)) static void begin(void)
{
#if defined __x86_64__
	Dl_info own;
	if (dladdr((void *)(uintptr_t)&begin, &own) && own.dli_fname)
		dl_iterate_phdr(visit, (void *)(uintptr_t)own.dli_fname);
#endif
}
