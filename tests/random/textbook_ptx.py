"""The PTX that the model of the textbook core reads: instructions with their kinds and registers, functions, variables, and where paths meet."""
import re

ALL = 0xffffffff
FLOATS = ("f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2")
INTEGERS = ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "pred")
CONTROL = ("bra", "brx", "call", "ret", "exit", "bar", "barrier", "membar", "fence", "nanosleep", "mbarrier", "trap", "brkpt", "pmevent")
LOAD_STORE = ("ld", "st", "ldu", "atom", "red", "prefetch", "prefetchu", "tex", "tld4", "txq", "suq", "istypep", "suld", "sust", "sured", "ldmatrix", "stmatrix", "cp")
SPECIAL = ("div", "rem", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh")
NO_RESULT = ("st", "red", "prefetch", "prefetchu", "bra", "brx", "ret", "exit", "membar", "fence", "nanosleep", "trap", "brkpt", "pmevent", "sust", "sured", "call")
CARRY = "carry flag"


class Unsupported(Exception):
    """PTX that the model doesn't read, or a branch or address that it can't compute."""


class Insn:
    """An instruction: operands, registers read and written, kind, and what latency it has ("kind", "shared" or "global")."""
    def __init__(self, text, function):
        self.text, self.function, self.pc, self.targets, self.meets = text, function, 0, [], None
        m = re.match(r"(?:@(!?)\s*([%\w$]+)\s+)?([\w.:]+)\s*(.*)$", text, re.S)
        self.negated, self.guard = m.group(1) == "!", m.group(2)
        self.parts = m.group(3).split(".")
        self.op, rest = self.parts[0], m.group(4)
        self.operands = [] if self.op == "call" else split(rest)
        self.types = [p for p in self.parts[1:] if p in FLOATS + INTEGERS + ("f64",)]
        self.call = read_call(rest) if self.op == "call" else None
        self.find_kind()
        self.find_registers()

    def find_kind(self):
        op, parts = self.op, self.parts
        self.space = next((p.split("::")[0] for p in parts[1:] if p.split("::")[0] in ("global", "shared", "local", "const", "param")), "generic")
        self.latency = "kind"
        floats = any(t in FLOATS for t in self.types) # cvt, set and slct have two types
        if op in CONTROL:
            self.kind = "CONTROL"
        elif op in ("ld", "ldu") and self.space in ("param", "const"):
            self.kind, self.latency = "INT32", "shared"
        elif op == "st" and self.space == "param":
            self.kind = "INT32"
        elif op in LOAD_STORE:
            self.kind, self.latency = "LS", "shared" if self.space == "shared" else "global"
        elif "f64" in self.types:
            self.kind = "FP64"
        elif op in SPECIAL:
            self.kind = "SFU"
        else:
            self.kind = "FP32" if floats else "INT32"

    def find_registers(self):
        known = self.function.registers
        names = [[n for n in re.findall(r"%?[A-Za-z_$][\w$]*", o) if n in known] for o in self.operands]
        results = 0 if self.op in NO_RESULT or (self.op in ("bar", "barrier") and "red" not in self.parts) else 1
        self.writes = {n for o in names[:results] for n in o}
        self.reads = {n for o in names[results:] for n in o} | ({self.guard} if self.guard else set())
        if "cc" in self.parts:
            self.writes.add(CARRY)
        if self.op in ("addc", "subc", "madc"):
            self.reads.add(CARRY)

    def is_control(self):
        return self.kind == "CONTROL"


def split(text):
    """The operands: text between commas outside brackets."""
    out, depth, word = [], 0, ""
    for ch in text.strip():
        depth += (ch in "[{(") - (ch in "]})")
        if ch == "," and depth == 0:
            out.append(word.strip())
            word = ""
        else:
            word += ch
    return out + [word.strip()] if word.strip() else out


def read_call(text):
    m = re.match(r"(?:\(([^)]*)\)\s*,\s*)?([\w$]+)(?:\s*,\s*\(([^)]*)\))?\s*$", text.strip())
    if not m:
        raise Unsupported("call " + text)
    return split(m.group(1) or ""), m.group(2), split(m.group(3) or "")


class Function:
    def __init__(self, name, results, params):
        self.name, self.results, self.params = name, results, params
        self.registers, self.code, self.labels, self.locals, self.tables = set(), [], {}, {}, {}


class Module:
    """Functions, the code of all of them in the order of the file, variables and their initial words."""
    def __init__(self, text):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        self.functions, self.code, self.symbols, self.words, self.shared_bytes = {}, [], {}, {}, 0
        self.top = 0x100000
        at = 0
        item = re.compile(r"\s*(?:\.(?:version|target|address_size)\b[^\n]*|((?:\.visible|\.extern|\.weak)?\s*\.(?:entry|func)\b[^{;]*)([{;])|(\.(?:global|const|shared)\b[^;]*);)")
        while text[at:].strip():
            m = item.match(text, at)
            if not m:
                raise Unsupported("module: " + text[at:at + 60])
            at = m.end()
            if m.group(1) and m.group(2) == "{":
                end = matching(text, at - 1)
                self.read_function(m.group(1), text[at:end])
                at = end + 1
            elif m.group(3):
                self.variable(m.group(3), self.symbols)
        for k, i in enumerate(self.code):
            i.pc = k
        for f in self.functions.values():
            self.link(f)

    def variable(self, text, into):
        m = re.match(r"\.(\w+)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([%\w$]+)\s*(?:\[(\d+)\])?\s*(?:=\s*\{?([^}]*)\}?)?\s*$", text.strip(), re.S)
        space, align, kind, name, count, init = m.groups()
        size = int(kind[1:]) // 8
        align, total = int(align or size), size * int(count or 1)
        if space in ("global", "const"):
            self.top = (self.top + 255) & ~255
            into[name] = (space, self.top)
            for k, word in enumerate(split(init or "")):
                self.words[self.top + 4 * k] = int(word, 0) & ALL
            for k in range(len(split(init or "")), (total + 3) // 4):
                self.words[self.top + 4 * k] = 0
            self.top += total
        elif space == "shared":
            self.shared_bytes = (self.shared_bytes + align - 1) // align * align
            into[name] = (space, self.shared_bytes)
            self.shared_bytes += total
        else:
            used = sum(s for _, _, s in into.values())
            used = (used + align - 1) // align * align
            into[name] = (space, used, total)

    def read_function(self, head, body):
        m = re.match(r"(?:\.visible|\.weak)?\s*\.(entry|func)\s*(?:\(([^)]*)\)\s*)?([\w$]+)\s*(?:\(([^)]*)\))?", head.strip())
        names = [[w.split()[-1] for w in split(g or "")] for g in (m.group(2), m.group(4))]
        f = self.functions[m.group(3)] = Function(m.group(3), *names)
        code = []
        for s in statements(body):
            if s.startswith(".reg"):
                for name in split(s.split(None, 2)[2]):
                    r = re.match(r"(.*)<(\d+)>$", name)
                    f.registers |= {r.group(1) + str(k) for k in range(int(r.group(2)))} if r else {name}
            elif s.startswith(".local"):
                self.variable(s, f.locals)
            elif s.startswith(".shared"):
                self.variable(s, self.symbols)
            elif s.startswith(".branchtargets"):
                f.tables[code.pop()[:-1]] = split(s.split(None, 1)[1])
            elif not s.startswith((".param", ".loc", ".pragma")):
                code.append(s)
        for s in code:
            if s.endswith(":"):
                f.labels[s[:-1]] = len(self.code) + len(f.code)
            else:
                f.code.append(Insn(s, f))
        f.first = len(self.code)
        self.code += f.code

    def link(self, f):
        """Finds targets of branches, and for each branch where its paths meet: the immediate postdominator, None if that is the function's end."""
        end = f.first + len(f.code)
        after = {}
        for i in f.code:
            n = []
            if i.op in ("bra", "brx"):
                i.targets = [f.labels[name] for name in ([i.operands[0]] if i.op == "bra" else f.tables[i.operands[1]])]
                n += i.targets
            elif i.op in ("ret", "exit"):
                n.append(end)
            if i.op not in ("bra", "brx", "ret", "exit") or i.guard:
                n.append(i.pc + 1)
            after[i.pc] = n
        full = (1 << len(f.code) + 1) - 1
        sets = {pc: full for pc in after}
        sets[end] = 1 << end - f.first
        changed = True
        while changed:
            changed = False
            for pc in range(end - 1, f.first - 1, -1):
                s = full
                for n in after[pc]:
                    s &= sets[n]
                s |= 1 << pc - f.first
                changed = changed or s != sets[pc]
                sets[pc] = s
        for i in f.code:
            if i.op in ("bra", "brx"):
                behind = [pc for pc in sets if pc != i.pc and sets[i.pc] >> pc - f.first & 1]
                first = max(behind, key=lambda pc: bin(sets[pc]).count("1"))
                i.meets = None if first == end else first


def statements(body):
    """Statements of a function, and labels with their colon; braces of scopes are left out."""
    at, out = 0, []
    while True:
        at = re.compile(r"[\s{}]*").match(body, at).end()
        if at == len(body):
            return out
        m = re.compile(r"[\w$]+:(?!:)|[^;]*;").match(body, at)
        out.append(m.group(0).rstrip(";").strip())
        at = m.end()


def matching(text, at):
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == "{") - (text[k] == "}")
        if depth == 0:
            return k
    raise Unsupported("unbalanced braces")


