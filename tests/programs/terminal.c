/* A program that talks to its terminal: says whether it is in the foreground, reads lines, turns the echo off, launches a kernel between. */
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE("kernels.ptx")
KERNEL(empty, "empty")

static volatile sig_atomic_t stops;

static void on_continue(int signal)
{
	(void)signal;
	stops++;
}

static void say(const char *what)
{
	char line[100];
	printf("%s: foreground %d, leader %d, stopped %d\n", what, tcgetpgrp(0) == getpgrp(), getpgrp() == getpid(),
	       (int)stops);
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		exit(1);
	printf("read %s", line);
	fflush(stdout);
}

int main(void)
{
	struct termios modes;
	setvbuf(stdin, NULL, _IONBF, 0);
	sigaction(SIGCONT, &(struct sigaction){.sa_handler = on_continue, .sa_flags = SA_RESTART}, NULL);
	say("first");
	cudaLaunchKernel(empty, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){NULL}, 0, NULL);
	cudaDeviceSynchronize();
	say("second");
	tcgetattr(0, &modes);
	modes.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(0, TCSANOW, &modes);
	say("third");
	cudaLaunchKernel(empty, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){NULL}, 0, NULL);
	cudaDeviceSynchronize();
	tcgetattr(0, &modes);
	printf("echo %d\n", (modes.c_lflag & ECHO) != 0);
	return 5;
}
