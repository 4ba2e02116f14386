/* The table of commands: the one file that names all functions of commands. */
#include "command/dump/dump.h"
#include "command/findings/findings.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/past/past_commands.h"
#include "command/perf/dram_replay.h"
#include "command/running/running.h"
#include "command/session/core_file.h"
#include "command/setup/buffers.h"
#include "command/show/displays.h"
#include "command/show/focus_commands.h"
#include "command/stop/stop_commands.h"
#include "command/table.h"
#include "command/why/why.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launch.h"
#include "debug/setup/launches.h"
#include "debug/setup/texture.h"
#include "debug/stop/breakpoint.h"
#include "debug/view/focus.h"

#define TEXT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .text = fn},
#define RUN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .run = fn},
#define BACK(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .back = fn},
#define PAST(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .past = fn},
#define TEXT_SCRIPT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .text = fn, .is_script = true},
#define OWN(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .own = fn},
#define SCRIPT(name, aliases, group, usage, complete, repeat, reach, fn, brief, help, example) \
	{name, aliases, group, usage, complete, repeat, reach, brief, help, example, .own = fn, .is_script = true},
static const struct command rows[] = {
#include "command/commands.def"
};

/* Run commands that `exec-direction` reverses. `until` and `advance` have no command for the way back alone. */
static const struct command_reversal reversals[] = {
	{command_step, command_reverse_step},	{command_stepi, command_reverse_stepi},
	{command_next, command_reverse_next},	{command_nexti, command_reverse_nexti},
	{command_until, command_reverse_until},	{command_advance, command_reverse_advance},
	{command_finish, command_reverse_finish}, {command_continue, command_reverse_continue}};

static void at_stop(struct interpreter *in)
{
	core_file_at_stop(in, debug_last_stop(in->dbg));
	displays_show(in);
}

const struct command_table command_table = {.rows = rows,
					    .n = sizeof rows / sizeof *rows,
					    .reversals = reversals,
					    .n_reversals = sizeof reversals / sizeof *reversals,
					    .at_stop = at_stop};
