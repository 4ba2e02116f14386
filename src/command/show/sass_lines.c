/* Runs nvdisasm on a cubin and reads what it prints. The format is that of NVIDIA's "CUDA Binary Utilities": a label `.text.NAME:` begins a function, a comment
 * `//## File "NAME", line N` says where the instructions after it come from, and an instruction has its address in a comment. With -gp the file
 * ".nv_debug_ptx_txt" is the PTX that ptxas has compiled, whose lines are those of the file. */
#include "command/show/sass_lines.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/xalloc.h"
#include "debug/program.h"
#include "debug/view/view.h"

#define OUTPUT_MOST ((size_t)256 << 20)

extern char **environ;

/* ---- running nvdisasm ---- */

/* Reads all that a process writes. */
static void read_output(int fd, struct text *out)
{
	char buffer[65536];
	ssize_t n;
	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		if (out->n < OUTPUT_MOST)
			text_addn(out, buffer, (size_t)n);
}

/* Runs nvdisasm on the cubin that is open as `cubin`, and appends what it prints. Returns false if there is no nvdisasm or it fails. */
static bool run_nvdisasm(int cubin, struct text *out)
{
	char program[] = "nvdisasm", code_only[] = "-c", with_lines[] = "-gp", file[] = "/proc/self/fd/3";
	char *const argv[] = {program, code_only, with_lines, file, NULL};
	posix_spawn_file_actions_t actions;
	int ends[2], status = -1;
	pid_t pid;
	if (pipe2(ends, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, cubin, 3);
	const bool runs = !posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (runs)
		read_output(ends[0], out);
	close(ends[0]);
	return runs && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Appends what nvdisasm prints for the n bytes of a cubin. */
static bool disassemble_bytes(const void *elf, size_t n, struct text *out)
{
	const int fd = memfd_create("cubin", MFD_CLOEXEC);
	if (fd < 0)
		return false;
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, 4); /* the process gets a copy as 3, which must not be this one */
	const bool ok = high >= 0 && write(high, elf, n) == (ssize_t)n && run_nvdisasm(high, out);
	close(fd);
	if (high >= 0)
		close(high);
	return ok;
}

/* ---- reading ---- */

/* Returns the text behind the white space at s. */
static char *skip(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Returns the line of PTX that a comment names. Returns 0 for a comment that names another file. */
static uint32_t ptx_line(const char *s)
{
	static const char head[] = "//## File \".nv_debug_ptx_txt\", line ";
	return strncmp(s, head, sizeof head - 1) ? 0 : (uint32_t)strtoul(s + sizeof head - 1, NULL, 10);
}

/* Shortens an instruction in place: one blank behind its address, no encoding behind its semicolon. */
static void shorten(char *s)
{
	char *behind = strstr(s, "*/"), *end = strrchr(s, ';');
	if (end)
		end[1] = '\0';
	if (!behind)
		return;
	behind += 2;
	char *insn = skip(behind);
	if (insn > behind)
		memmove(behind + 1, insn, strlen(insn) + 1);
}

/* Returns the last instruction of a function whose PTX line is at most `line`, else its first one. */
static uint32_t insn_at(struct debug *d, const struct isa_function *f, uint32_t line)
{
	const struct isa_where *where = debug_program(d)->where;
	uint32_t low = f->first, high = f->end;
	while (low + 1 < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (where[middle].line <= line)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void add(struct sass_lines *out, uint32_t pc, const char *text)
{
	out->line = xgrow(out->line, &out->cap, out->n + 1, sizeof *out->line);
	out->line[out->n++] = (struct sass_line){pc, text};
}

/* Adds the lines of one function, from what nvdisasm has printed for the whole cubin. */
static void read_function(struct debug *d, const struct isa_function *f, struct sass_lines *out)
{
	static const char begins[] = ".text.";
	bool is_it = false;
	uint32_t pc = ISA_NO_TARGET, line;
	char *next;
	for (char *s = out->output; s; s = next) {
		next = strchr(s, '\n');
		if (next)
			*next++ = '\0';
		s = skip(s);
		const size_t n = strlen(s), name = strlen(f->name);
		if (!strncmp(s, begins, sizeof begins - 1) && n && s[n - 1] == ':')
			is_it = n == sizeof begins + name && !strncmp(s + sizeof begins - 1, f->name, name);
		else if (!strncmp(s, "//---", 5))
			is_it = false;
		else if (is_it && (line = ptx_line(s)))
			pc = insn_at(d, f, line);
		else if (is_it && !strncmp(s, "/*", 2)) {
			shorten(s);
			add(out, pc, s);
		} else if (is_it && *s == '.' && n && s[n - 1] == ':')
			add(out, pc, s);
	}
}

/* A label stands with the instruction behind it. */
static void move_labels(struct sass_lines *out)
{
	for (size_t k = out->n; k-- > 1;)
		if (out->line[k - 1].text[0] == '.')
			out->line[k - 1].pc = out->line[k].pc;
}

/* ---- where the machine code is ---- */

/* FILE.cubin beside the FILE.ptx of a function. */
static bool disassemble_file(struct debug *d, const struct isa_function *f, struct text *out)
{
	const char *name = debug_program(d)->files[f->file].name, *dot = strrchr(name, '.');
	struct text path = {0};
	size_t n = 0;
	text_addf(&path, "%.*s.cubin", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
	char *elf = files_read(d->host.files, text_str(&path), FILES_REGULAR, OUTPUT_MOST, &n);
	const bool ok = elf && n <= OUTPUT_MOST && disassemble_bytes(elf, n, out);
	free(elf);
	text_free(&path);
	return ok;
}

/* The program's cubins that have the function's module. */
static bool disassemble_program(struct debug *d, const struct isa_function *f, struct sass_lines *out)
{
	const uint32_t module = isa_program_module_of(debug_program(d), f->file);
	const void *elf;
	size_t bytes;
	for (unsigned k = 0; module && !out->n && debug_program_machine_code(d, module, k, &elf, &bytes); k++) {
		struct text text = {0};
		const bool ok = disassemble_bytes(elf, bytes, &text);
		free(out->output);
		out->output = ok ? xstrdup(text_str(&text)) : NULL;
		text_free(&text);
		if (ok)
			read_function(d, f, out);
	}
	return out->n > 0;
}

void sass_lines_read(struct debug *d, const struct isa_function *f, struct sass_lines *out)
{
	struct text text = {0}, why = {0};
	*out = (struct sass_lines){0};
	if (f && !f->has_plus && debug_may_reach_host(d, "nvdisasm", &why) && !disassemble_program(d, f, out) && disassemble_file(d, f, &text)) {
		free(out->output);
		out->output = xstrdup(text_str(&text));
		read_function(d, f, out);
	}
	move_labels(out);
	text_free(&text);
	text_free(&why);
}

void sass_lines_free(struct sass_lines *out)
{
	free(out->line);
	free(out->output);
	*out = (struct sass_lines){0};
}
