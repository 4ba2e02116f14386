"""Lines for the prompt: every command, subject and setting with numbers at the ends of the types.

extreme_numbers.py ROOT launched|bare
What reaches outside the process, or waits for lines of its own, is left out."""
import re
import sys

NUMBERS = ["0", "-1", "32", "64", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
           "18446744073709551616", "0xffffffffffffffff", "99999999999999999999999", "1e308", "-1e308"]
LEFT_OUT = {"load", "save", "cd", "source", "shell", "quit", "define", "document", "commands", "gdbserver", "while",
            "if", "eval", "dot", "complete", "history", "pwd", "alias", "compare", "directory", "apropos", "kill"}
RUNS = {"continue", "step", "stepi", "next", "step-line", "nexti", "until", "advance", "run-to-cycle", "finish",
        "run-to-barrier", "run-to-exit", "dpc", "run"}
FORMS = {  # beside N and N N
    "undisplay": ["{n}-{n}", "1-{n}", "{n}-1"],
    "delete": ["{n}-{n}", "1-{n}", "display {n}"],
    "enable": ["{n}-{n}", "1.{n}", "{n}.1", "display {n}", "once {n}", "count {n} 1"],
    "disable": ["1.{n}", "display {n}", "1-{n}"],
    "ignore": ["1 {n}"],
    "condition": ["1 {n}", "{n} 1"],
    "break": ["*{n}", "+{n}", "k.ptx:{n}", "13 {n}", "13 thread ({n},{n},{n})", "13 block ({n},0,0)", "13 warp {n}", "13 if {n}"],
    "tbreak": ["*{n}", "-{n}"],
    "watch": ["A[{n}]", "{n} {n}", "shared[{n}]", "local[{n}]", "*(u64*){n}", "A[0..{n}]", "$stat.{n}", "core[{n}].issued"],
    "rwatch": ["A[{n}]", "global[{n}]"],
    "focus": [w + " {n}" for w in ("uid", "thread", "block", "warp", "lane", "core", "kernel")] + ["thread ({n},{n},{n})", "block ({n},{n},{n})"],
    "cuda": [w + " {n}" for w in ("thread", "block", "warp", "lane", "sm", "kernel", "device", "grid")] + ["thread ({n},{n},{n})"],
    "thread": ["apply {n} echo", "apply {n}-{n} echo", "apply 1-{n} nosuch", "find {n}"],
    "frame": ["level {n}", "apply {n} echo", "apply level {n}-{n} echo", "apply level 1-{n} nosuch"],
    "print": ["A[{n}]", "A[0..{n}]", "A[{n}..{n}]", "A[0]@{n}", "${n}", "$${n}", "{n} + {n}", "{n} - 1", "{n} * {n}", "-{n}", "- ({n})",
              "{n} / -1", "{n} % -1", "1 << {n}", "1 >> {n}", "{n} << 1", "~{n}", "(s32){n}", "(f32){n}", "(u8){n}", "(s64)(f64){n}",
              "*(f32*){n}", "*(u64*){n}@{n}", "shared[{n}]", "local[{n}]", "const[{n}]", "param[{n}]", "global[{n}]", "&A[{n}]", "A + {n}",
              "%r{n}", "core[{n}].issued", "core[0].warp[{n}].pc", "core[0..{n}].issued", "core[0].scoreboard.warp[{n}]",
              "-elements {n} -- A", "-repeats {n} -- A", "/x {n}", "/c {n}", "/f {n}", "/t {n}", "/a {n}", "/s {n}", "/i {n}", "$_exitcode + {n}"],
    "x": ["/{n}xw A", "/{n}i 0", "/4xw {n}", "/2i {n}", "/2s {n}", "/-{n}x A", "/{n}", "/g {n}", "/3c {n}"],
    "printf": ['"%d\\n", {n}', '"%{n}d\\n", 1', '"%.{n}f\\n", 1.0', '"%s\\n", {n}', '"%c%x%lld\\n", {n}, {n}, {n}', '"%f\\n", {n}'],
    "output": ["/x {n}", "A[{n}]"],
    "display": ["/x {n}", "A[{n}]", "/{n}i $pc"],
    "set": ["$v = {n}", "var $v = {n}", "A[{n}] = 1", "A[0] = {n}", "%r1 = {n}", "%p1 = {n}", "shared[{n}] = 1", "$pc = {n}"],
    "show": ["values {n}"],
    "list": ["{n},{n}", "{n},", ",{n}", "k.ptx:{n}", "*{n}", "+{n}", "1,{n}"],
    "disassemble": ["{n},{n}", "{n},+{n}", "0,+{n}", "/r {n},{n}"],
    "backtrace": ["full {n}", "-{n}"],
    "ptx_tids2pcs": ["{n},{n} 0", "0 {n}", "0,{n} {n} 0", "0 {n} 0"],
    "ptxdis_func": ["0 {n}", "{n} 0"],
    "dp": ["{n} warp {n}", "0 warp {n}", "{n} --diff", "0 unit {n}"],
    "dm": ["{n} --tags"],
    "diagram": ["warp {n}..{n}", "warp 0..{n}", "cycle {n}..{n}", "cycle 0..{n}", "core {n}", "warp 0 cycle {n}", "compact cycle 0..{n}"],
    "trace": ["WARP_SCHEDULER on core {n}", "request {n}", "off"],
    "stats": ["{n}", "--list {n}"],
    "buffer": ["B{i} u8[{n}]", "B{i} f64[{n}] = zero", "B{i} u32[2] = fill {n}", "B{i} s8[4] = iota {n} {n}", "B{i} f32[4] = iota {n} {n}",
               "B{i} s64[4] = random {n} {n} {n}", "B{i} f64[4] = random {n} -{n} {n}", "B{i} u16[2] = {{{n}, {n}}}", "B{i} s32[4] = random 1 {n} 5"],
    "launch": ["k<<<{n}, 1>>>(A, 1)", "k<<<1, {n}>>>(A, 1)", "k<<<(1,{n},{n}), (1,1,{n})>>>(A, 1)", "k<<<1, 1, {n}>>>(A, 1)",
               "k<<<1, 1, 0, {n}>>>(A, 1)", "k<<<1, 1>>>({n}, {n})", "k<<<1, 1>>>(&A[{n}], 1)"],
    "dprintf": ['13,"%d\\n",{n}', '{n},"x"'],
    "ptype": ["A[{n}]"],
    "until": ["*{n}"],
    "catch": ["kernel {n}"],
    "stepi": ["-{n}"],
}
INFO = ["{n}", "{n} {n}", "core {n}", "warp {n}", "core 0 warp {n}", "*{n}", "A[{n}]", "k.ptx:{n}", "%r{n}"]
START = ["delete", "undisplay", "kill", "launch k<<<2, 64>>>(A, 64)", "stepi 3", "break 13", "display 1"]


def names(path, macros):
    text = open(path, encoding="utf-8").read()
    return re.findall(r'^(?:%s)\("([^"]+)"' % macros, text, re.M)


def commands(root):
    out = {}
    for name in names(root + "/src/command/commands.def", "TEXT|RUN|BACK|REPORT|OWN"):
        if name not in LEFT_OUT:
            out[name] = ["{n}", "{n} {n}"] + FORMS.get(name, [])
    subjects = re.findall(r'^\s*\{"([a-z-]+)", ', open(root + "/src/command/info/info.c", encoding="utf-8").read(), re.M)
    out["info"] = [s + " " + form for s in subjects for form in INFO]
    return out


def main(root, launched):
    i = 0
    print("buffer A u32[64] = iota")
    for name, forms in commands(root).items():
        for n in NUMBERS:
            for form in forms:
                if launched and (name in RUNS or form is forms[0]) and (form is forms[0] or name in ("launch", "run")):
                    print("\n".join(START))
                i += 1
                print(name + " " + form.format(n=n, i=i))
    for setting in names(root + "/src/command/interpreter/settings.def", "[A-Z]+"):
        for n in NUMBERS:
            print(f"set {setting} {n}\nprint A\nlist 1\ninfo line\nstepi")
    print("echo all of it\\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "launched")
