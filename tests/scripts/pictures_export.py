"""Parsers for the formats that `trace export` writes, from the formats' public rules."""
import gzip
import json
import sys
import xml.etree.ElementTree

from pictures import answers, result

warpstep, root = sys.argv[1:3]
SETUP = ["set history on", "buffer x f32[4096] = iota", "buffer y f32[4096] = fill 1", "buffer z f32[4096] = zero", "run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)"]


def fail(text):
    sys.exit(text)


def check(what, got, want):
    if got != want:
        fail(f"{what}: {got}, not {want}")


def perfetto(path):
    """Chrome's "Trace Event Format": the members that each phase must have; slices of a track nest; async events and flows are paired."""
    with open(path) as f:
        trace = json.load(f)
    slices, asyncs, flows, instructions = {}, {}, {}, 0
    for e in trace["traceEvents"]:
        ph = e["ph"]
        if ph not in "XMbenfsC" or not isinstance(e["pid"], int) or not isinstance(e["name"], str):
            fail(f"bad event {e}")
        if ph != "M" and not (isinstance(e["ts"], (int, float)) and e["ts"] >= 0):
            fail(f"no time: {e}")
        if ph == "X":
            if not e["dur"] > 0:
                fail(f"no duration: {e}")
            slices.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
            instructions += e["cat"] == "instruction"
        if ph in "bne":
            asyncs.setdefault((e["cat"], e["id"], e["pid"]), []).append((e["ts"], ph))
        if ph in "sf":
            flows.setdefault((e["cat"], e["id"]), {}).setdefault(ph, []).append(e)
        if ph == "M" and e["name"] not in ("process_name", "thread_name"):
            fail(f"metadata {e['name']}")
        if ph == "C" and not all(isinstance(v, (int, float)) for v in e["args"].values()):
            fail(f"counter {e}")
    for track, list_ in slices.items():
        end = 0
        for a, b in sorted(list_):
            if a < end:
                fail(f"slices of track {track} overlap at {a}")
            end = b
    for key, list_ in asyncs.items():
        b, e = [t for t, p in list_ if p == "b"], [t for t, p in list_ if p == "e"]
        if len(b) != 1 or len(e) != 1 or not all(b[0] <= t <= e[0] for t, _ in list_):
            fail(f"async events {key}: {list_}")
    for key, f in flows.items():
        if len(f.get("s", [])) != 1 or len(f.get("f", [])) != 1 or f["s"][0]["ts"] > f["f"][0]["ts"]:
            fail(f"flow {key}")
    if not flows:
        fail("no request is drawn")
    return instructions


def konata(path):
    """Kanata 4: a heading, one C=, then commands with tabs; an instruction begins before all else of it, stages are closed, it retires once."""
    with open(path) as f:
        lines = f.read().split("\n")
    check("the heading", lines[0], "Kanata\t0004")
    check("the first cycle", lines[1].split("\t")[0], "C=")
    cycle, begun, live, retired, stages = int(lines[1].split("\t")[1]), 0, {}, 0, set()
    for line in lines[2:-1]:
        c = line.split("\t")
        if c[0] == "C":
            if int(c[1]) <= 0:
                fail(line)
            cycle += int(c[1])
        elif c[0] == "I":
            check("ids in order", (int(c[1]), len(c)), (begun, 4))
            begun += 1
            live[int(c[1])] = None
        elif c[0] == "L":
            if int(c[1]) not in live or c[2] not in "012":
                fail(line)
        elif c[0] == "S":
            if live[int(c[1])] is not None or c[2] != "0":
                fail(f"{line}: {live[int(c[1])]} is open")
            live[int(c[1])] = c[3]
            stages.add(c[3])
        elif c[0] == "E":
            check(line, live[int(c[1])], c[3])
            live[int(c[1])] = None
        elif c[0] == "W":
            if int(c[1]) not in live or not int(c[2]) < begun or c[3] not in "012":
                fail(line)
        elif c[0] == "R":
            check(line, (live.pop(int(c[1])), int(c[2]), c[3]), (None, retired, "0"))
            retired += 1
        else:
            fail(line)
    check("instructions that are left", live, {})
    if not {"F", "D", "Is", "Oc", "Ex", "Ma", "Wb"} <= stages:
        fail(f"stages {stages}")
    return begun


def aerialvision(path):
    """AerialVision's lines: `name: numbers`; a sample ends with globalcyclecount and globalinsncount; each metric comes in every sample."""
    names, cycles, sample = None, [], {}
    with gzip.open(path, "rt") as f:
        for line in f:
            name, rest = line.split(":", 1)
            numbers = [int(x) for x in rest.split()]
            if not numbers:
                fail(line)
            sample.setdefault(name, []).append(numbers)
            if name == "globaltotinsncount":
                cycles.append(sample["globalcyclecount"][0][0])
                shape = {k: [len(x) for x in v] for k, v in sample.items() if k != "averagemflatency"}
                if names not in (None, shape):
                    fail("samples have different lines")
                names, sample = shape, {}
    check("cycles ascend", cycles, sorted(set(cycles)))
    for name in ("ShdrCTACount", "dramncmd", "dramutil", "drameff", "dramglobal_acc_r", "WarpDivergenceBreakdown", "WarpIssueSlotBreakdown", "shaderinsncount"):
        if name not in names:
            fail(f"no {name}")
    check("numbers of a divergence breakdown", names["WarpDivergenceBreakdown"], [11])
    return cycles


def svg(path, first, last):
    """SVG: well-formed; each rectangle lies in the picture, and those of a row don't overlap but for issues, of a cycle's width."""
    tree = xml.etree.ElementTree.parse(path).getroot()
    name = "{http://www.w3.org/2000/svg}"
    check("the root", tree.tag, name + "svg")
    width, height = int(tree.get("width")), int(tree.get("height"))
    rows, issues = {}, 0
    for r in tree.iter(name + "rect"):
        x, y, w, h = (int(r.get(k)) for k in ("x", "y", "width", "height"))
        if x + w > width or y + h > height:
            fail(f"a rectangle at {x}, {y} is outside")
        title = r.find(name + "title")
        if title is None:
            continue
        if title.text.startswith("cycle "):
            issues += 1
            check("the place of an issue", x, 120 + 8 * (int(title.text.split()[1].rstrip(":")) - first))
        else:
            rows.setdefault(y, []).append((x, x + w))
    for list_ in rows.values():
        for (_, a), (b, _) in zip(sorted(list_), sorted(list_)[1:]):
            if b < a:
                fail("states of a warp overlap")
    return issues


found = answers(warpstep, [*SETUP, "stats gpgpu_n_tot_w_icount", "trace export perfetto p.json", "trace export konata k.log", "trace export aerialvision a.gz", "info samples",
                           "trace export konata part.log core 1 warp 0..3 cycle 500..900", "trace export perfetto part.json core 1 warp 0..3 cycle 500..900",
                           "diagram core 1 warp 0..3 cycle 500..900 svg part.svg"], [root + "/examples/01-saxpy/saxpy.ptx"])
check("errors", [a for a in found if "error" in a], [])
for wrong in ("konata", "pdf x", "konata x warp 3", "konata x launch 4"):
    if "error" not in answers(warpstep, [*SETUP, "trace export " + wrong], [root + "/examples/01-saxpy/saxpy.ptx"])[-1]:
        fail(f"trace export {wrong} is no error")
total = result(found, "stats gpgpu_n_tot_w_icount")["gpgpu_n_tot_w_icount"]
check("instructions for Perfetto", perfetto("p.json"), total)
check("instructions for Konata", konata("k.log"), total)
check("samples", aerialvision("a.gz"), result(found, "info samples")["cycles"])
check("the part as a picture", svg("part.svg", 500, 900), konata("part.log"))
check("the same part", konata("part.log"), perfetto("part.json"))
if not 0 < konata("part.log") < total:
    fail("a part has all instructions, or none")
