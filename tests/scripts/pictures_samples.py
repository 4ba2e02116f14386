import sys

from pictures import answers, result

warpstep, root = sys.argv[1:3]
SETUP = [f"load {root}/bench/kernels.ptx", "buffer A f32[4096] = fill 0.5", "buffer B f32[4096] = fill 2", "buffer C f32[4096]"]
RUN = "run mm_tiled<<<(4,4), (16,16)>>>(C, A, B, 64)"


def total(samples, metric, scope):
    return sum(sum(s["values"]) for s in samples["series"] if s["metric"] == metric and s["scope"] == scope)


def check(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got}, not {want}")


# The last sample ends before the run does: `goto-cycle` to one, where the counts of the statistics are those of the samples.
found = answers(warpstep, ["set history on", *SETUP, RUN, "info samples"])
s = result(found, "info samples")
check("interval", s["interval"], 128)
check("cycles", s["cycles"], [128 * (k + 1) for k in range(s["samples"])])
check("kernel", (s["kernels"][0]["kernel"], s["kernels"][0]["first_cycle"]), ("mm_tiled", 0))
last = s["cycles"][-1]
found = answers(warpstep, ["set history on", *SETUP, RUN, "info samples", f"goto-cycle {last}", "info samples", "stats",
                           "goto-cycle 300", "info samples", f"goto-cycle {last}", "info samples"])
seen = [a["result"] for a in found if a.get("command") == "info samples"]
check("samples at cycle 300", seen[2]["cycles"], [128, 256])
check("samples on the way again", seen[3], seen[1])
check("all but those after the last one", seen[1]["series"], seen[0]["series"])
stats = result(found, "stats")
for metric, scope, names in [
        ("thread_instructions", "global", ["gpu_tot_sim_insn"]),
        ("warp_instructions", "core", ["gpgpu_n_tot_w_icount"]),
        ("thread_instructions", "core", ["gpgpu_n_tot_thrd_icount"]),
        ("idle", "core", ["W0_Idle"]), ("scoreboard", "core", ["W0_Scoreboard"]), ("pipeline", "core", ["Stall"]),
        ("l2_accesses", "partition", ["L2_total_cache_accesses"]), ("l2_misses", "partition", ["L2_total_cache_misses"]),
        ("l1d_accesses", "core", ["L1D_total_cache_accesses"])]:
    wanted = [stats[n] for n in names if n in stats]
    if wanted:
        check(metric, total(s, metric, scope), sum(wanted))
    elif metric in ("thread_instructions", "warp_instructions"):
        sys.exit(f"{names} are no statistics")
# Every turn of a scheduler has one outcome.
lanes = sum(total(s, f"lanes_{k}_{k + 3}", "core") for k in range(1, 32, 4))
check("instructions by lanes", lanes, total(s, "warp_instructions", "core"))

# Too many samples thin out, and the sums stay.
found = answers(warpstep, ["set samples 4", *SETUP, RUN, "info samples", "set samples off", "info samples", "set samples x"])
many = [a["result"] for a in found if a.get("command") == "info samples"]
steps = {b - a for a, b in zip(many[0]["cycles"], many[0]["cycles"][1:])}
check("steps", steps, {many[0]["interval"]})
if many[0]["interval"] <= 4 or not 256 <= many[0]["samples"] <= 512:
    sys.exit(f"{many[0]['samples']} samples, one every {many[0]['interval']} cycles")
upto = [k for k in range(s["samples"]) if s["cycles"][k] in many[0]["cycles"]][-1]
at = many[0]["cycles"].index(s["cycles"][upto])
for a in s["series"]:
    if a["scope"] == "core" and a["metric"] == "warp_instructions":
        b = [x for x in many[0]["series"] if (x["metric"], x["scope"], x.get("unit")) == (a["metric"], "core", a["unit"])][0]
        check("a core's instructions", sum(b["values"][:at + 1]), sum(a["values"][:upto + 1]))
check("switched off", many[1].get("series"), [])
check("a bad value", "error" in found[-1], True)

# Functional mode takes none.
found = answers(warpstep, [*SETUP, RUN, "info samples"], ["-m", "functional"])
check("functional mode", result(found, "info samples")["series"], [])
