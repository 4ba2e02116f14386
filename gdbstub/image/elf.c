#include "gdbstub/image/elf.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

#include "gdbstub/image/bytes.h"

void elf_init(struct elf *e)
{
	memset(e, 0, sizeof *e);
	e->n = 1;
	static const char nothing[sizeof(Elf64_Sym)];
	text_addn(&e->symbols, nothing, sizeof nothing);
	put8(&e->strings, 0);
	e->n_local = 1;
}

void elf_free(struct elf *e)
{
	for (unsigned i = 0; i < e->n; i++)
		text_free(&e->section[i].bytes);
	text_free(&e->symbols);
	text_free(&e->strings);
}

unsigned elf_add(struct elf *e, const char *name, uint32_t type, uint64_t flags, uint64_t address)
{
	assert(e->n < ELF_SECTIONS_MAX);
	e->section[e->n] =
		(struct elf_section){.name = name, .type = type, .flags = flags, .address = address, .align = 1};
	return e->n++;
}

void elf_symbol(struct elf *e, const char *name, size_t n_name, unsigned info, unsigned section, uint64_t address,
		uint64_t size)
{
	Elf64_Sym s = {.st_name = (uint32_t)e->strings.n,
		       .st_info = (unsigned char)info,
		       .st_shndx = (uint16_t)section,
		       .st_value = address,
		       .st_size = size};
	text_addn(&e->strings, name, n_name);
	put8(&e->strings, 0);
	text_addn(&e->symbols, (const char *)&s, sizeof s);
	if (ELF64_ST_BIND(info) == STB_LOCAL)
		e->n_local++;
}

static void add_tables(struct elf *e)
{
	unsigned symtab = elf_add(e, ".symtab", SHT_SYMTAB, 0, 0);
	unsigned strtab = elf_add(e, ".strtab", SHT_STRTAB, 0, 0);
	e->section[symtab].bytes = e->symbols;
	e->section[symtab].link = strtab;
	e->section[symtab].info = e->n_local;
	e->section[symtab].entry = sizeof(Elf64_Sym);
	e->section[symtab].align = 8;
	e->section[strtab].bytes = e->strings;
	e->symbols = e->strings = (struct text){0};
}

static uint64_t section_bytes(const struct elf_section *s) { return s->type == SHT_NOBITS ? s->nobits : s->bytes.n; }

void elf_write(struct elf *e, unsigned type, uint64_t entry, struct text *out)
{
	struct text names = {0};
	uint64_t at = sizeof(Elf64_Ehdr);
	Elf64_Shdr headers[ELF_SECTIONS_MAX] = {0};
	add_tables(e);
	unsigned shstrtab = elf_add(e, ".shstrtab", SHT_STRTAB, 0, 0);
	put8(&names, 0);
	for (unsigned i = 1; i < e->n; i++) {
		headers[i].sh_name = (uint32_t)names.n;
		put_string(&names, e->section[i].name);
	}
	e->section[shstrtab].bytes = names;
	for (unsigned i = 1; i < e->n; i++) {
		const struct elf_section *s = &e->section[i];
		at = (at + 15) & ~UINT64_C(15);
		headers[i].sh_type = s->type;
		headers[i].sh_flags = s->flags;
		headers[i].sh_addr = s->address;
		headers[i].sh_offset = at;
		headers[i].sh_size = section_bytes(s);
		headers[i].sh_link = s->link;
		headers[i].sh_info = s->info;
		headers[i].sh_addralign = s->align;
		headers[i].sh_entsize = s->entry;
		at += s->type == SHT_NOBITS ? 0 : s->bytes.n;
	}
	at = (at + 15) & ~UINT64_C(15);
	Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			.e_type = (uint16_t)type,
			.e_machine = EM_X86_64, /* the machine gdb is to expect, see target.xml */
			.e_version = EV_CURRENT,
			.e_entry = entry,
			.e_shoff = at,
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), /* there are none; Qt Creator checks it */
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = (uint16_t)e->n,
			.e_shstrndx = (uint16_t)shstrtab};
	text_addn(out, (const char *)&h, sizeof h);
	for (unsigned i = 1; i < e->n; i++) {
		while (out->n < headers[i].sh_offset)
			put8(out, 0);
		if (e->section[i].type != SHT_NOBITS)
			text_addn(out, text_str(&e->section[i].bytes), e->section[i].bytes.n);
	}
	while (out->n < at)
		put8(out, 0);
	text_addn(out, (const char *)headers, e->n * sizeof *headers);
}
