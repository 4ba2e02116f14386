"""The page of `report`, read by a parser of its own."""
import html.parser
import json
import os
import re
import subprocess
import sys

from pictures import answers, result

warpstep, root = sys.argv[1:3]
SETUP = ["buffer x f32[4096] = iota", "buffer y f32[4096] = fill 1", "buffer z f32[4096] = zero", "run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)"]
FOLDER = root + "/examples/01-saxpy"

drawing = None  # the browser at work


def fail(text):
    if drawing:
        drawing.kill()
    sys.exit(text)


def check(what, got, want):
    if got != want:
        fail(f"{what}: {got}, not {want}")


class Page(html.parser.HTMLParser):
    """Elements in order; fails at an element that is closed wrongly or loads something."""
    VOID = {"meta", "link", "br", "img", "input", "hr"}

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.open, self.scripts, self.styles, self.seen = [], [], [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action") or (value and value.startswith(("http:", "https:", "//"))):
                fail(f"<{tag} {name}={value}> refers to something outside the page")
        if tag == "link" or tag == "iframe":
            fail(f"<{tag}> in the page")
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            fail(f"</{tag}> closes {self.open[-1:]}")
        self.open.pop()

    def handle_data(self, text):
        if self.open and self.open[-1][0] == "script":
            self.scripts.append((self.open[-1][1], text))
        if self.open and self.open[-1][0] == "style":
            self.styles.append(text)


def read(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    page = Page()
    page.feed(text)
    page.close()
    check("open elements", page.open, [])
    data = "".join(t for a, t in page.scripts if a.get("type") == "application/json")
    code = "".join(t for a, t in page.scripts if "type" not in a)
    for what in ("fetch(", "XMLHttpRequest", "import(", "WebSocket", "eval("):
        if what in code:
            fail(f"the page's script has {what}")
    if re.search(r"url\(|@import", "".join(page.styles)):
        fail("the page's style loads something")
    return json.loads(data), len(text)


def run(commands, options=()):
    return answers(warpstep, commands, [*options, FOLDER + "/saxpy.ptx"])


# ---- performance mode
found = run(["set history on", "set stalls on", *SETUP, "stats", "info stalls", "info launches", "report page.html", "print $cycle", "info samples", "info stalls"])
if any("error" in a for a in found):
    fail(str([a for a in found if "error" in a]))
stats = result(found, "stats")
page, size = read("page.html")
os.rename("page.html", "first.html")
# Where there is a browser, it draws the page while the rest is checked.
BROWSER = "/usr/bin/chromium"
if os.path.exists(BROWSER):
    drawing = subprocess.Popen([BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=500", "--dump-dom", "file://" + os.path.abspath("first.html")],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env={**os.environ, "HOME": os.getcwd(), "XDG_CONFIG_HOME": os.getcwd()})
if size > 3 << 20:
    fail(f"{size} bytes")
check("what is left out of a small page", page["limits"], [])
s = page["summary"]["result"]
check("cycles", s["cycles"], stats["gpu_tot_sim_cycle"])
check("instructions", s["instructions"], stats["gpu_tot_sim_insn"])
check("turns of schedulers", s["schedulers"]["issued"] + s["schedulers"]["scoreboard"] + s["schedulers"]["unit_busy"] + s["schedulers"]["no_instruction"], s["schedulers"]["cycles"])
check("idle turns", s["schedulers"]["no_instruction"], stats["W0_Idle"])
again = page["again"]
check("the run again", (again["launch"], again["first_cycle"], again["last_cycle"]), (0, 0, stats["gpu_tot_sim_cycle"] - 1))
for x in again["stalls"]["schedulers"]:
    check("a scheduler's turns", x["issued"] + x["W0_Idle"] + x["W0_Scoreboard"] + x["Stall"], x["cycles"])
check("turns that issued", sum(x["issued"] for x in again["stalls"]["schedulers"]), stats["gpgpu_n_tot_w_icount"])
check("idle turns of the run again", sum(x["W0_Idle"] for x in again["stalls"]["schedulers"]), stats["W0_Idle"])
check("executions", sum(i["executions"] for i in again["instructions"]), stats["gpgpu_n_tot_w_icount"])
check("issued by warps", sum(w["issued"] for w in again["warps"]), stats["gpgpu_n_tot_w_icount"])
code = {i["index"]: i for f in page["program"]["functions"] for i in f["instructions"]}
for i in again["instructions"]:
    check("executions of an instruction", code[i["index"]]["executions"], i["executions"])
    check("its lanes", code[i["index"]]["lanes"], i["lanes"])
    check("its latency", code[i["index"]]["cycles"], i["latency_cycles"])
loads = [i for i in again["instructions"] if "ld.global" in code[i["index"]]["text"]]
check("accesses of a load: 16 blocks of 8 warps", [i["accesses"] for i in loads], [128, 128])
check("transactions of a load of 32 floats side by side", [i["transactions"] for i in loads], [128, 128])
check("bytes of DRAM for a load of 4096 floats", [i["dram_bytes"] for i in loads], [16384, 16384])
for w in again["windows"]:
    at = {}
    for i in w["instructions"]:
        stages = [c for c in i["stages"] if c is not None]
        if stages != sorted(stages) or not w["first_cycle"] <= i["stages"][2] <= w["last_cycle"]:
            fail(f"stages {i['stages']} in the window {w['first_cycle']} to {w['last_cycle']}")
        if i.get("done", 1 << 60) <= i["stages"][2]:
            fail(f"done in {i['done']}, issued in {i['stages'][2]}")
        for p in i.get("producers", []):
            if w["instructions"][p]["warp"] != i["warp"] or w["instructions"][p]["stages"][2] >= i["stages"][2]:
                fail("an instruction's producer is another warp's, or later")
    for core, warp, reason, first, n in w["waits"]:
        if first < at.get((core, warp), 0):
            fail("a warp waits for two things at once")
        at[core, warp] = first + n
check("samples in the page", page["samples"]["series"], result(found, "info samples")["series"])
names = {a["name"] for a in page["allocations"]["result"]["allocations"]}
check("allocations", names, {"x", "y", "z"})
check("files", {f["name"] for f in page["program"]["files"]}, {"saxpy.ptx", "saxpy.cu"})
check("cores", page["machine"]["cores"], 15)
sizes = page["occupancy"][0]["sizes"]
check("occupancy's sizes", [x["result"]["block"] for x in sizes], list(range(32, 1025, 32)))
# Looking has changed nothing. The page has the worst 10 places of each reason.
stalls = [a["result"] for a in found if a.get("command") == "info stalls"]
check("what was counted before the report", stalls[1], stalls[0])
check("the page's turns", again["stalls"]["all"], stalls[0]["all"])
for x, y in zip(again["stalls"]["reasons"], stalls[0]["reasons"], strict=True):
    check("the page's reasons", (x["reason"], x["cycles"], x["places"]), (y["reason"], y["cycles"], y["places"][:10]))
cycle = result(found, "print $cycle")
check("the machine after the report", cycle.get("value", cycle), stats["gpu_tot_sim_cycle"])

# ---- other windows, wrong words
found = run(["set history on", *SETUP, "report page.html launch 0 cycle 700..760"])
page, _ = read("page.html")
check("the window", [(w["first_cycle"], w["last_cycle"]) for w in page["again"]["windows"]], [(700, 760)])
for wrong in ("report", "report page.html cycle 9", "report page.html lunch 1", "report /nowhere/page.html"):
    if "error" not in run([*SETUP, wrong])[-1]:
        fail(f"{wrong} is no error")

# ---- without history: the beginning of the launch was kept all the same; going back is refused as before
found = run([*SETUP, "stats", "report page.html", "rs"])
check("going back", found[-1]["error"]["message"].startswith("nothing was recorded"), True)
page, _ = read("page.html")
check("executions without history", sum(i["executions"] for i in page["again"]["instructions"]), result(found, "stats")["gpgpu_n_tot_w_icount"])
# Of what doesn't fit any more the page shows what was kept, and says so.
found = run(["set history-memory 16M", *SETUP, "buffer big u8[40000000] = fill 1", "run saxpy<<<16, 256>>>(4095, 2.0, x, y, z)", "report page.html launch 0"])
page, _ = read("page.html")
if "error" not in page["again"] or not page["samples"]["series"]:
    fail("the page doesn't say what is missing")

# ---- functional mode
found = run([*SETUP, "report page.html"], ["-m", "functional"])
page, _ = read("page.html")
check("functional mode", (page["summary"]["result"]["mode"], "again" in page), ("functional", False))
check("executions there", sum(i["executions"] for f in page["program"]["functions"] for i in f["instructions"]), page["summary"]["result"]["warp_instructions"])

# ---- a page that would be too large shows what costs most, and says how much there is: 8 loads behind 4,000 short instructions
LINES = ["ld.param.u64 %rd1, [p];", "mov.f32 %f1, 0f3F800000;", *(f"fma.rn.f32 %f{k % 30 + 1}, %f1, %f1, %f1;" for k in range(4000)),
         *(f"ld.global.f32 %f{k + 1}, [%rd1+{4096 * k}];" for k in range(8)), "ret;"]
with open("long.ptx", "w", encoding="utf-8") as f:
    f.write(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry long(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .f32 %f<32>;\n" + "\n".join(LINES) + "\n}\n")
found = answers(warpstep, ["buffer b f32[16384] = iota", *(f"buffer b{k} f32[1] = iota" for k in range(1200)), "run long<<<1, 32>>>(b)", "report page.html"], ["-m", "performance", "long.ptx"])
page, size = read("page.html")
limits = {x["what"].split(",")[0]: (x["shown"], x["all"]) for x in page["limits"]}
shown = [i for f in page["program"]["functions"] for i in f["instructions"]]
check("instructions there are", limits["instructions"], (len(shown), len(LINES)))
check("allocations there are", limits["allocations"], (len(page["allocations"]["result"]["allocations"]), 1201))
check("the largest allocation is shown", "b" in {a["name"] for a in page["allocations"]["result"]["allocations"]}, True)
check("loads shown", sum("ld.global" in i["text"] for i in shown), 8)
check("figures of those shown", {i["index"] for i in page["again"]["instructions"]}, {i["index"] for i in shown})
if not 100 < len(shown) < 2000 or size > 1 << 20:
    fail(f"{len(shown)} instructions, {size} bytes")

# ---- the browser has drawn every part
if drawing:
    dom = drawing.communicate(timeout=50)[0]
    if 'class="error"' in dom:
        fail(re.search('class="error">[^<]*', dom).group(0))
    for part in ("summary", "timelapse", "source", "diagram", "accesses", "flow", "memory", "machine"):
        if f'<h2 id="{part}"' not in dom:
            fail(f"the browser has drawn no {part}")
