/* Selects which of a program's processes are debugged. gdb notices each fork; here a process is noticed when it first uses CUDA. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "server/internal.h"

static bool has_children(pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
	FILE *f = fopen(path, "re");
	const bool any = f && fgetc(f) != EOF;
	if (f)
		fclose(f);
	return any;
}

static bool lives(pid_t pid) { return pid && (!kill(pid, 0) || errno == EPERM); }

/* Returns whether to follow a process in mode `child`: the first child to connect while it is alive; the started process only without children. */
static bool follows_as_child(struct server *c, pid_t pid)
{
	if (pid == c->pid)
		return !c->followed && !has_children(pid);
	if (!lives(c->followed))
		c->followed = pid;
	return pid == c->followed;
}

bool program_follows(struct server *c, pid_t pid)
{
	const bool is_started = pid == c->pid;
	if (!c->pid || !c->detach_on_fork || (c->follow_child ? follows_as_child(c, pid) : is_started))
		return true;
	server_say(c, "[Detaching after fork from %s process %ld]", is_started ? "parent" : "child", (long)pid);
	return false;
}

void server_program_follow(struct server *c, bool detach_on_fork, bool child)
{
	c->detach_on_fork = detach_on_fork;
	c->follow_child = child;
}
