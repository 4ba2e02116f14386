/* The table of commands: the one file that names all functions of commands. */
#include "base/file.h"
#include "base/nearest.h"
#include "base/xalloc.h"
#include "server/server.h"
#include "command/findings/findings.h"
#include "command/inspect.h"
#include "command/dump/dump.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/run.h"
#include "debug/view/focus.h"
#include "command/why/why.h"
#include "repl/answer.h"
#include "repl/input.h"
#include "repl/past.h"
#include "repl/repl.h"
#include "repl/settings.h"
#include "repl/user_args.h"

#define TEXT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .text = fn},
#define RUN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .run = fn},
#define BACK(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .back = fn},
#define PAST(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .past = fn},
#define OWN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .own = fn},
#define SCRIPT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .own = fn, .is_script = true},
static const struct repl_command rows[] = {
#include "repl/commands.def"
};

const struct repl_command_table repl_command_table = {rows, sizeof rows / sizeof *rows};
