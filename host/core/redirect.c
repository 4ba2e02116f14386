/* Redirects the CUDA runtime of a program that is linked statically (nvcc's default) or found by an RPATH: each function's entry becomes a jump to
 * this library's function before the program's first constructor runs, as valgrind replaces malloc. */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
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
	const char *file; /* its contents, mapped */
	size_t bytes;
	int memory;  /* /proc/self/mem, for pages of code */
	char *slots; /* far jumps, within reach of near jumps of the object; NULL: none so far */
	size_t n_slots, redirected;
	unsigned toolkit; /* toolkit of its runtime: 11, 12, 13 */
	bool is_shared;	  /* true if it links the shared runtime */
};

/* Allocates memory for jumps within 2 GB of the object. Returns false if there is none. */
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

/* Notes the toolkit of the runtime: 12 has a second cudaGetDeviceProperties, 13 has functions added with it. */
static void note_toolkit(struct object *o, const char *name)
{
	if (!strcmp(name, "cudaGetDeviceProperties_v2"))
		o->toolkit = 12;
	else if (!strcmp(name, "cudaGetDriverEntryPointByVersion") && o->toolkit < 12)
		o->toolkit = 13;
}

typedef void symbol_fn(struct object *o, const char *name, const Elf64_Sym *s);

static void redirect_symbol(struct object *o, const char *name, const Elf64_Sym *s)
{
	const void *to = host_entry_find(name, o->toolkit);
	if (to && s->st_value && s->st_size >= JUMP_BYTES)
		redirect(o, o->base + s->st_value, to);
}

static void note_symbol(struct object *o, const char *name, const Elf64_Sym *s)
{
	if (s->st_value)
		note_toolkit(o, name);
}

/* Returns `cudaMalloc...` of _Z10cudaMalloc...; NULL if the name is no mangled CUDA function. */
static const char *mangled(const char *name)
{
	if (strncmp(name, "_Z", 2))
		return NULL;
	name += 2;
	name += strspn(name, "0123456789");
	return strncmp(name, "cuda", 4) ? NULL : name;
}

/* Notes a wrapper template of cuda_runtime.h: it has the name of an entry point and returns an error code. */
static void note_wrapper(struct object *o, const char *name, const Elf64_Sym *s)
{
	const char *plain = mangled(name);
	char copy[64];
	const size_t n = plain ? strtoul(name + 2, NULL, 10) : 0;
	if (!n || n >= sizeof copy || strnlen(plain, n + 1) <= n || plain[n] != 'I' ||
	    !strstr(plain + n, "E9cudaError"))
		return;
	memcpy(copy, plain, n);
	copy[n] = '\0';
	if (s->st_value && host_entry_find(copy, o->toolkit))
		host_note_wrapper(o->base + s->st_value, s->st_size);
}

static void each_symbol(struct object *o, const Elf64_Shdr *table, const Elf64_Shdr *strings, symbol_fn *fn)
{
	const Elf64_Sym *s = (const Elf64_Sym *)(const void *)(o->file + table->sh_offset);
	const char *names = o->file + strings->sh_offset;
	if (!in_file(o, table->sh_offset, table->sh_size) || !in_file(o, strings->sh_offset, strings->sh_size) ||
	    !strings->sh_size || names[strings->sh_size - 1])
		return;
	for (size_t k = 0; k < table->sh_size / sizeof *s; k++) {
		const char *name = s[k].st_name < strings->sh_size ? names + s[k].st_name : "";
		if ((s[k].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s[k].st_info) != STT_FUNC) ||
		    (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6) && strncmp(name, "nvrtc", 5) &&
		     !mangled(name)))
			continue;
		fn(o, name, &s[k]);
	}
}

static void redirect_table(struct object *o, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
	o->toolkit = 11;
	each_symbol(o, table, strings, note_symbol);
	each_symbol(o, table, strings, redirect_symbol);
	each_symbol(o, table, strings, note_wrapper);
}

/* ---- objects ---- */

static const char *section_name(const struct object *o, const Elf64_Ehdr *e, const Elf64_Shdr *sections, unsigned k)
{
	const Elf64_Shdr *names = e->e_shstrndx < e->e_shnum ? &sections[e->e_shstrndx] : NULL;
	if (!names || !in_file(o, names->sh_offset, names->sh_size) || !names->sh_size ||
	    sections[k].sh_name >= names->sh_size || o->file[names->sh_offset + names->sh_size - 1])
		return "";
	return o->file + names->sh_offset + sections[k].sh_name;
}

static void note_undefined(struct object *o, const char *name, const Elf64_Sym *s)
{
	if (s->st_shndx == SHN_UNDEF && !strcmp(name, "__cudaRegisterFatBinary"))
		o->is_shared = true;
}

/* Explains that an object with device code has no runtime that could be replaced, and what to do. */
static void say_runtime_not_replaceable(const char *path)
{
	static const char *const closed[] = {"libcublas",   "libcufft",	 "libcudnn", "libcusparse",
					     "libcusolver", "libcurand", "libnpp",   "libnccl"};
	char self[4096];
	const ssize_t n = strcmp(path, "/proc/self/exe") ? 0 : readlink(path, self, sizeof self - 1);
	if (n > 0) {
		self[n] = '\0';
		path = self;
	}
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
		if (!strncmp(name, closed[k], strlen(closed[k]))) {
			host_say("warpstep: %s is NVIDIA's, with machine code of their devices: its calls will fail "
				 "here",
				 name);
			return;
		}
	host_note_hidden_runtime();
	host_say("warpstep: %s has CUDA's runtime in it, but no symbols: link it without -s, or to the shared runtime "
		 "(nvcc -cudart shared, "
		 "CMAKE_CUDA_RUNTIME_LIBRARY=Shared, or g++ OBJECTS -l:libcudart.so.13)",
		 path);
}

static void redirect_object(struct object *o, const char *path)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)(const void *)o->file;
	bool has_code = false;
	if (o->bytes < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_shentsize != sizeof(Elf64_Shdr) || !in_file(o, e->e_shoff, (uint64_t)e->e_shnum * sizeof(Elf64_Shdr)))
		return;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(o->file + e->e_shoff);
	for (unsigned pass = 0; pass < 2 && !o->redirected; pass++)
		for (unsigned k = 0; k < e->e_shnum; k++)
			if (sections[k].sh_type == (pass ? SHT_DYNSYM : SHT_SYMTAB) && sections[k].sh_link < e->e_shnum)
				redirect_table(o, &sections[k], &sections[sections[k].sh_link]);
	for (unsigned k = 0; k < e->e_shnum && !o->redirected; k++) {
		if (sections[k].sh_type == SHT_DYNSYM && sections[k].sh_link < e->e_shnum)
			each_symbol(o, &sections[k], &sections[sections[k].sh_link], note_undefined);
		has_code |= !strcmp(section_name(o, e, sections, k), ".nvFatBinSegment");
	}
	if (has_code && !o->redirected && !o->is_shared)
		say_runtime_not_replaceable(path);
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
			redirect_object(&o, path);
		if (m != MAP_FAILED)
			munmap((void *)(uintptr_t)m, o.bytes);
		if (o.memory >= 0)
			close(o.memory);
	}
	close(fd);
}

/* Returns whether a file is in this library's folder, so it isn't another runtime. */
static bool is_own_library(const char *path, const char *own)
{
	const char *end = strrchr(own, '/');
	return end && !strncmp(path, own, (size_t)(end - own) + 1) && !strchr(path + (end - own) + 1, '/');
}

/* ---- loaded objects ---- */

#define SEEN_MAX 1024u

/* Base addresses of the processed objects, and the path of this library. */
static struct {
	uintptr_t seen[SEEN_MAX];
	size_t n;
	const char *own;
} objects;

static bool was_seen(uintptr_t base)
{
	for (size_t k = 0; k < objects.n; k++)
		if (objects.seen[k] == base)
			return true;
	return false;
}

/* Redirects new objects and forgets unloaded ones, whose addresses may be reused. */
static void look_at_objects(void)
{
	uintptr_t now[SEEN_MAX];
	size_t n = 0;
	for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next) {
		const char *path = m->l_name && m->l_name[0] ? m->l_name : m == _r_debug.r_map ? "/proc/self/exe" : "";
		if (*path && !was_seen(m->l_addr) && !is_own_library(path, objects.own))
			redirect_file(m->l_addr, path);
		if (n < SEEN_MAX)
			now[n++] = m->l_addr;
	}
	memcpy(objects.seen, now, n * sizeof *now);
	objects.n = n;
}

/* Called in place of the dynamic linker's empty function for debuggers, after objects were mapped and before their constructors run. */
static void on_objects(void)
{
	if (_r_debug.r_state == RT_CONSISTENT)
		look_at_objects();
}

static void watch_objects(void)
{
	struct object linker = {.base = _r_debug.r_brk, .memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC)};
	if (linker.base && linker.memory >= 0)
		redirect(&linker, linker.base, (const void *)(uintptr_t)&on_objects);
	if (linker.memory >= 0)
		close(linker.memory);
}

__attribute__((constructor)) static void redirect_program(void)
{
#if defined __x86_64__
	Dl_info own;
	if (!dladdr((void *)(uintptr_t)&redirect_program, &own) || !own.dli_fname)
		return;
	objects.own = own.dli_fname;
	look_at_objects();
	watch_objects();
#endif
}
