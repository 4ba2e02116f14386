/* warpstep-sweep: every combination of a table of configurations, options and launches, as independent jobs (docs/manual/sweeps.md). */
#include "sweep/job.h"
#include "sweep/sweep.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"Usage: warpstep-sweep run SPEC --db FILE.sqlite [--parallel [-j N] [--sshlogin LIST] | --slurm [SBATCH OPTIONS]] [--retry]\n"
	"       warpstep-sweep status|failures FILE.sqlite\n"
	"       warpstep-sweep export FILE.sqlite [--csv FILE]\n"
	"       warpstep-sweep plot FILE.sqlite STATISTIC over OPTION [by OPTION] [launch NAME] OUT.svg|OUT.png\n"
	"Runs every combination of the lines `NAME = VALUE | VALUE ...` in SPEC, and keeps the statistics in one SQLite file.\n"
	"\n"
	"  NAME               config, mode, setup, script, kernel, program, or an option of the config (-NAME)\n"
	"  zip NAME, NAME     these lines advance together\n"
	"  --db FILE          the file of results; what it holds already isn't run again\n"
	"  --parallel         GNU parallel (default), one job a processor; -j N: N jobs at once; --sshlogin LIST: on these machines\n"
	"  --slurm            job arrays of Slurm; further options go to sbatch\n"
	"  --retry            jobs that fail get a second try\n"
	"\n"
	"Exit status: 0 all jobs done; 1 some failed; 2 bad usage or a bad SPEC.\n";

static int bad_usage(const char *what, const char *which)
{
	fprintf(stderr, "error: %s '%s'; `warpstep-sweep --help` shows the usage\n", what, which);
	return 2;
}

static int main_run(int n, char **v)
{
	struct engine_options o = { 0 };
	const char *spec = NULL, *db = NULL;
	bool retry = false, chosen = false;
	int status = -1;
	for (int i = 0; i < n && status < 0; i++) {
		const char *a = v[i], *next = i + 1 < n ? v[i + 1] : NULL;
		bool takes_next = !strcmp(a, "--db") || (!o.is_slurm && (!strcmp(a, "-j") || !strcmp(a, "--sshlogin")));
		if (takes_next && !next)
			status = bad_usage("a value is missing behind", a);
		else if (!strcmp(a, "--db"))
			db = v[++i];
		else if (!strcmp(a, "--retry"))
			retry = true;
		else if (!strcmp(a, "--parallel") || !strcmp(a, "--slurm")) {
			if (chosen)
				status = bad_usage("a second engine", a);
			chosen = true;
			o.is_slurm = a[2] == 's';
		} else if (takes_next && a[1] == 'j')
			o.jobs = v[++i];
		else if (takes_next)
			o.sshlogin = v[++i];
		else if (o.is_slurm && spec)
			argv_add(&o.sbatch, a);
		else if ((a[0] == '-' && a[1]) || spec)
			status = bad_usage(a[0] == '-' ? "unknown option" : "unexpected argument", a);
		else
			spec = a;
	}
	if (status < 0 && !spec)
		status = bad_usage("expected a file SPEC behind", "run");
	if (status < 0 && !db)
		status = bad_usage("expected", "--db FILE.sqlite");
	if (status < 0)
		status = sweep_run(spec, db, &o, retry);
	argv_free(&o.sbatch);
	return status;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n > m && !strcmp(s + n - m, end);
}

static int main_plot(int n, char **v)
{
	struct plot_request r = { 0 };
	if (n < 5 || strcmp(v[2], "over"))
		return bad_usage("expected FILE.sqlite STATISTIC over OPTION [by OPTION] [launch NAME] OUT.svg|OUT.png behind", "plot");
	r.statistic = v[1];
	r.over = v[3];
	r.out = v[n - 1];
	for (int i = 4; i < n - 1; i += 2) {
		const char **where = !strcmp(v[i], "by") ? &r.by : !strcmp(v[i], "launch") ? &r.launch : NULL;
		if (!where || *where || i + 1 >= n - 1)
			return bad_usage("expected `by OPTION`, `launch NAME` or the picture's file at", v[i]);
		*where = v[i + 1];
	}
	if (!ends_with(r.out, ".svg") && !ends_with(r.out, ".png"))
		return bad_usage("expected a file that ends in .svg or .png, not", r.out);
	return sweep_plot(v[0], &r);
}

/* `job FOLDER ID` and `job FOLDER --list FILE INDEX`: what engines start. */
static int main_job(int n, char **v)
{
	if (n == 2)
		return !job_run(v[0], strtoll(v[1], NULL, 10));
	if (n == 4 && !strcmp(v[1], "--list"))
		return !job_run_from_list(v[0], v[2], strtoll(v[3], NULL, 10));
	return bad_usage("expected FOLDER ID behind", "job");
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";
	int n = argc - 2;
	char **v = argv + 2;
	if (!strcmp(command, "-h") || !strcmp(command, "--help") || !strcmp(command, "help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (!strcmp(command, "run"))
		return main_run(n, v);
	if (!strcmp(command, "plot"))
		return main_plot(n, v);
	if (!strcmp(command, "job"))
		return main_job(n, v);
	bool is_status = !strcmp(command, "status"), is_failures = !strcmp(command, "failures");
	if ((is_status || is_failures) && n == 1)
		return is_status ? sweep_status(v[0]) : sweep_failures(v[0]);
	if (!strcmp(command, "export") && (n == 1 || (n == 3 && !strcmp(v[1], "--csv"))))
		return sweep_export(v[0], n == 3 ? v[2] : NULL);
	if (is_status || is_failures || !strcmp(command, "export"))
		return bad_usage("bad arguments behind", command);
	return bad_usage(*command ? "unknown command" : "expected a command, not", command);
}
