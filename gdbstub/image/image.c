/* The ELF files gdb reads: one with all that is loaded when it attaches, and one for each file loaded after that. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/elf.h"
#include "gdbstub/image/room.h"
#include "gdbstub/image/frame_layout.h"

/* An instruction as x86 sees it: one no-operation of 8 bytes whose address operand is a symbol named like the PTX text, so that a
 * plain gdb's x/i shows it: nopw disp32(%rip). */
uint64_t image_instruction_bytes(const struct stub *s, uint32_t index)
{
	uint32_t text = index < s->image->n_same_text ? s->image->same_text[index] : index;
	uint64_t next = stub_pc(index) + ISA_INSN_BYTES, target = STUB_TEXTS_AT + (uint64_t)text * ISA_INSN_BYTES;
	return UINT64_C(0x051f0f66) | (target - next) << 32;
}

/* Texts of the instructions [first, end) of an image, one after the other. */
struct texts {
	struct text all;
	size_t *at; /* where each begins, and where the last one ends */
};

static void texts_read(struct dwarf *w, struct texts *t)
{
	struct text one = {0};
	*t = (struct texts){.at = xcalloc(w->end - w->first + 1, sizeof *t->at)};
	for (uint32_t pc = w->first; pc < w->end; pc++) {
		text_clear(&one);
		debug_insn_shown(w->s->d, pc, &one);
		text_addn(&t->all, text_str(&one), one.n);
		t->at[pc - w->first + 1] = t->all.n;
	}
	text_free(&one);
}

static void texts_free(struct texts *t)
{
	text_free(&t->all);
	free(t->at);
}

static const char *text_of(const struct texts *t, uint32_t i, size_t *n)
{
	*n = t->at[i + 1] - t->at[i];
	return text_str(&t->all) + t->at[i];
}

/* Which instructions have the same text. */
static void find_same_texts(const struct dwarf *w, const struct texts *t)
{
	struct stub *s = w->s;
	struct hash_map seen = {0};
	if (w->end > s->image->n_same_text) {
		s->image->same_text = xrealloc(s->image->same_text, w->end * sizeof *s->image->same_text);
		s->image->n_same_text = w->end;
	}
	for (uint32_t pc = w->first; pc < w->end; pc++) {
		size_t n;
		const char *text = text_of(t, pc - w->first, &n);
		s->image->same_text[pc] = pc;
		if (!hash_map_get(&seen, text, n, &s->image->same_text[pc]))
			hash_map_put(&seen, text, n, pc);
	}
	hash_map_free(&seen);
}

/* ---- sections ---- */

static void add_text(struct elf *e, const struct dwarf *w)
{
	unsigned i = elf_add(e, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, dwarf_address(w, w->first));
	e->section[i].align = 8;
	for (uint32_t pc = w->first; pc < w->end; pc++)
		put64(&e->section[i].bytes, image_instruction_bytes(w->s, pc));
}

/* A symbol for each text there is: of a large program's instructions a third say what another one says, and symbols are most of what
 * gdb reads when it attaches. */
static void add_texts(struct elf *e, const struct dwarf *w, const struct texts *t)
{
	uint64_t address = STUB_TEXTS_AT + (uint64_t)w->first * ISA_INSN_BYTES - w->base;
	unsigned i = elf_add(e, ".ptx", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, address);
	e->section[i].nobits = (uint64_t)(w->end - w->first) * ISA_INSN_BYTES;
	e->section[i].align = 8;
	for (uint32_t pc = w->first; pc < w->end; pc++) {
		size_t n;
		const char *text = text_of(t, pc - w->first, &n);
		if (w->s->image->same_text[pc] == pc)
			elf_symbol(e, text, n, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), i,
				   address + (uint64_t)(pc - w->first) * ISA_INSN_BYTES, ISA_INSN_BYTES);
	}
}

/* Where threads are before they begin or after they have exited: a no-operation for each function, named after the kernel. */
static void add_places(struct elf *e, struct dwarf *w, const char *section, const char *what,
		       uint64_t (*address)(const struct dwarf *w, uint32_t function))
{
	const struct isa_program *p = stub_program(w->s);
	uint32_t first = 0;
	while (first < p->n_functions && p->functions[first]->end <= w->first)
		first++;
	unsigned i = elf_add(e, section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address(w, first));
	e->section[i].align = 8;
	for (uint32_t k = first; k < p->n_functions; k++) {
		struct text name = {0};
		text_addf(&name, "%s of %s", what, p->functions[k]->name);
		put64(&e->section[i].bytes, IMAGE_LAUNCH_BYTES);
		if (p->functions[k]->is_kernel)
			elf_symbol(e, name.s, name.n, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), i, address(w, k),
				   ISA_INSN_BYTES);
		text_free(&name);
	}
}

/* One no-operation that belongs to no kernel: the host's, in the main file. */
static void add_host(struct elf *e, const struct dwarf *w, bool is_main)
{
	unsigned i = elf_add(e, ".host", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, w->place);
	put64(&e->section[i].bytes, IMAGE_LAUNCH_BYTES);
	if (is_main)
		elf_symbol(e, "host", 4, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), i, w->place, ISA_INSN_BYTES);
}

/* ---- variables: `info symbol`, and names after addresses that gdb prints ---- */

struct named {
	const char *name;
	uint64_t address, bytes;
};

/* A section without contents around things in device memory, and a symbol for each. */
static void add_named(struct elf *e, const struct dwarf *w, const char *section, const struct named *v, size_t n)
{
	uint64_t first = UINT64_MAX, end = 0;
	for (size_t k = 0; k < n; k++) {
		first = v[k].address < first ? v[k].address : first;
		end = v[k].address + v[k].bytes > end ? v[k].address + v[k].bytes : end;
	}
	if (!n)
		return;
	unsigned i = elf_add(e, section, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, first - w->base);
	e->section[i].nobits = end - first;
	for (size_t k = 0; k < n; k++)
		elf_symbol(e, v[k].name, strlen(v[k].name), ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), i,
			   v[k].address - w->base, v[k].bytes);
}

static void add_variables(struct elf *e, const struct dwarf *w, const char *section, uint8_t space, uint64_t window)
{
	const struct isa_program *p = stub_program(w->s);
	struct named *v = xcalloc(p->n_variables + 1u, sizeof *v);
	size_t n = 0;
	for (uint32_t i = w->first_variable; i < p->n_variables; i++) {
		const struct isa_variable *x = p->variables[i];
		if (x->space == space && x->name && !(x->flags & ISA_VAR_UNLOADED))
			v[n++] = (struct named){x->name, window + x->address, x->bytes};
	}
	add_named(e, w, section, v, n);
	free(v);
}

static void add_buffers(struct elf *e, const struct dwarf *w)
{
	size_t n = debug_buffer_count(w->s->d);
	struct named *v = xcalloc(n + 1, sizeof *v);
	for (size_t i = 0; i < n; i++) {
		const struct debug_buffer *b = debug_buffer_at(w->s->d, i);
		v[i] = (struct named){b->name, b->address, debug_buffer_bytes(b)};
	}
	add_named(e, w, ".buffers", v, n);
	free(v);
}

/* A template's name: scale for scale<int, 3>. 0: it is none. */
static size_t template_name(const char *name)
{
	size_t n = strlen(name);
	int depth = 0;
	if (!n || name[n - 1] != '>')
		return 0;
	while (n--) {
		depth += name[n] == '>' ? 1 : name[n] == '<' ? -1 : 0;
		if (!depth)
			return n;
	}
	return 0;
}

/* `break scale` is to find what is made from a template. gdb looks for that only in names of C++, which these aren't. */
static void add_functions(struct elf *e, struct dwarf *w)
{
	const struct isa_program *p = stub_program(w->s);
	for (uint32_t i = 0; i < p->n_functions; i++) {
		const struct isa_function *f = p->functions[i];
		if (!f->is_defined || f->first < w->first || f->end > w->end || f->first >= f->end)
			continue;
		uint64_t at = dwarf_address(w, f->first), bytes = (uint64_t)(f->end - f->first) * ISA_INSN_BYTES;
		const char *name = debug_function_name(w->s->d, f);
		size_t n = template_name(name);
		elf_symbol(e, f->name, strlen(f->name), ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 1, at, bytes);
		if (n) /* without a size, so that `info symbol` takes the other one */
			elf_symbol(e, name, n, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 1, at, 0);
	}
}

static void add_debug(struct elf *e, const char *name, struct text *bytes)
{
	unsigned i = elf_add(e, name, SHT_PROGBITS, 0, 0);
	e->section[i].bytes = *bytes;
	*bytes = (struct text){0};
}

/* GNU build-id note: gdb asks a debuginfod for sources by it. */
static void add_build_id(struct elf *e, const struct dwarf *w)
{
	unsigned i = elf_add(e, ".note.gnu.build-id", SHT_NOTE, 0, 0);
	struct text *t = &e->section[i].bytes;
	put32(t, 4);
	put32(t, 16);
	put32(t, 3);
	put_string(t, "GNU");
	put64(t, hash_fnv1a64(text_str(&w->info), w->info.n));
	put64(t, hash_fnv1a64(text_str(&w->line), w->line.n));
}

/* Instructions [first, end); `index`: which image, 0 the main one. */
static struct image *make_image(struct stub *s, size_t index, uint32_t first, uint32_t end)
{
	const struct isa_program *p = stub_program(s);
	const bool is_main = !index;
	struct image *m = xcalloc(1, sizeof *m);
	struct dwarf w = {.s = s,
			  .first = first,
			  .end = end,
			  .first_variable = is_main ? 0 : s->image->images[index - 1]->n_variables,
			  .with_buffers = is_main,
			  .cuda_lines = debug_settings(s->d)->lines != DEBUG_LINES_PTX,
			  .base = is_main ? 0 : stub_pc(first)};
	w.place = STUB_HOST_AT - index * ISA_INSN_BYTES - w.base;
	struct elf e;
	struct texts texts;
	struct text name = {0};
	elf_init(&e);
	dwarf_make(&w);
	texts_read(&w, &texts);
	find_same_texts(&w, &texts);
	add_text(&e, &w);
	add_texts(&e, &w, &texts);
	texts_free(&texts);
	add_places(&e, &w, ".launch", "launch", dwarf_launch_address);
	add_places(&e, &w, ".exit", "end", dwarf_exit_address);
	add_host(&e, &w, is_main);
	add_variables(&e, &w, ".global", ISA_SPACE_GLOBAL, 0);
	add_variables(&e, &w, ".const", ISA_SPACE_CONST, EXEC_CONST_WINDOW);
	if (is_main)
		add_buffers(&e, &w);
	m->n_sections = e.n - 1; /* so far all have an address */
	add_functions(&e, &w);
	add_build_id(&e, &w);
	text_addf(&name, "/warpstep/%016llx/%s", (unsigned long long)hash_fnv1a64(text_str(&w.info), w.info.n),
		  is_main ? "kernels" : "module");
	add_debug(&e, ".debug_info", &w.info);
	add_debug(&e, ".debug_abbrev", &w.abbrev);
	add_debug(&e, ".debug_line", &w.line);
	add_debug(&e, ".debug_frame", &w.frame);
	add_debug(&e, ".debug_ranges", &w.ranges);
	add_debug(&e, ".debug_loc", &w.loc);
	add_debug(&e, ".debug_str", &w.str);
	/* gdb ends a backtrace in the function that has the entry point */
	elf_write(&e, is_main ? ET_EXEC : ET_DYN, is_main ? STUB_HOST_AT : 0, &m->bytes);
	elf_free(&e);
	dwarf_free(&w);
	m->name = text_take(&name);
	m->first = first;
	m->end = end;
	m->n_variables = p->n_variables;
	return m;
}

/* ---- which there are ---- */

static void add_image(struct stub *s, struct image *m)
{
	s->image->images =
		xgrow(s->image->images, &s->image->cap_images, s->image->n_images + 1, sizeof(struct image *));
	s->image->images[s->image->n_images++] = m;
}

static void free_image(struct image *m)
{
	if (!m)
		return;
	free(m->name);
	text_free(&m->bytes);
	free(m);
}

void images_clear(struct stub *s)
{
	for (size_t i = 0; i < s->image->n_images; i++)
		free_image(s->image->images[i]);
	for (unsigned i = 0; i < IMAGE_FACES; i++) {
		free_image(s->image->faces[i]);
		s->image->faces[i] = NULL;
	}
	free(s->image->same_text);
	s->image->same_text = NULL;
	s->image->n_images = s->image->n_same_text = 0;
	s->image->libraries_changed = false;
}

const struct image *images_main(struct stub *s)
{
	if (!s->image->n_images)
		add_image(s, make_image(s, 0, 0, stub_program(s)->n_insns));
	return s->image->images[0];
}

/* Is nothing of it there any more? The main file stays, whatever becomes of what it holds. */
static bool is_gone(const struct isa_program *p, const struct image *m)
{
	bool any = false;
	for (uint32_t k = 0; k < p->n_functions; k++) {
		const struct isa_function *f = p->functions[k];
		if (f->first >= m->first && f->end <= m->end && f->first < f->end && !f->unloaded)
			return false;
		any |= f->first >= m->first && f->end <= m->end;
	}
	return any;
}

static void find_gone(struct stub *s)
{
	const uint32_t generation = stub_program(s)->generation;
	struct image_room *r = s->image;
	if (generation == r->generation)
		return;
	r->generation = generation;
	for (size_t i = 1; i < r->n_images; i++) {
		const bool gone = is_gone(stub_program(s), r->images[i]);
		r->libraries_changed |= gone != r->images[i]->gone;
		r->images[i]->gone = gone;
	}
}

void images_update(struct stub *s)
{
	const struct isa_program *p = stub_program(s);
	find_gone(s);
	const struct image *last = s->image->n_images ? s->image->images[s->image->n_images - 1] : NULL;
	if (!last || last->end == p->n_insns)
		return;
	add_image(s, make_image(s, s->image->n_images, last->end, p->n_insns));
	s->image->libraries_changed = true;
}

/* The main file by names of its own, whatever `set source` says: gdb's `file` changes from one to the other. */
static const struct image *find_face(struct stub *s, const char *name, size_t n)
{
	static const struct {
		const char *name;
		enum debug_lines lines;
	} faces[IMAGE_FACES] = {{"/warpstep/ptx", DEBUG_LINES_PTX}, {"/warpstep/cuda", DEBUG_LINES_CUDA}};
	enum debug_lines *lines = &debug_settings(s->d)->lines, chosen = *lines;
	for (unsigned i = 0; i < IMAGE_FACES; i++) {
		if (strlen(faces[i].name) != n || memcmp(faces[i].name, name, n))
			continue;
		*lines = faces[i].lines;
		if (!s->image->faces[i])
			s->image->faces[i] = make_image(s, 0, 0, images_main(s)->end);
		*lines = chosen;
		return s->image->faces[i];
	}
	return NULL;
}

const struct image *images_find(struct stub *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->image->n_images; i++)
		if (strlen(s->image->images[i]->name) == n && !memcmp(s->image->images[i]->name, name, n))
			return s->image->images[i];
	return find_face(s, name, n);
}

/* An offset for each section with an address; all were made relative to the first instruction. */
static void library_xml(const struct image *m, struct text *out)
{
	text_addf(out, "<library name=\"%s\">", m->name);
	for (unsigned i = 0; i < m->n_sections; i++)
		text_addf(out, "<section address=\"0x%llx\"/>", (unsigned long long)stub_pc(m->first));
	text_add(out, "</library>");
}

void images_libraries_xml(struct stub *s, struct text *out)
{
	text_add(out, "<library-list version=\"1.0\">");
	for (size_t i = 1; i < s->image->n_images; i++)
		if (!s->image->images[i]->gone)
			library_xml(s->image->images[i], out);
	text_add(out, "</library-list>");
}

size_t images_count(const struct stub *s) { return s->image->n_images; }

bool images_have_news(struct stub *s)
{
	images_update(s);
	return s->image->libraries_changed;
}

bool images_take_news(struct stub *s)
{
	const bool any = s->image->libraries_changed;
	s->image->libraries_changed = false;
	return any;
}

void image_room_create(struct stub *s) { s->image = xcalloc(1, sizeof *s->image); }

void image_room_free(struct stub *s)
{
	images_clear(s);
	paths_free(s);
	frame_layouts_free(s);
	free(s->image->images);
	free(s->image);
}
