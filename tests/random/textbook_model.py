"""The textbook core, written from its specification: which warp instruction issues where in which cycle.

Reads a subset of PTX, executes integers exactly (floats are unknown values: no branch and no address may depend on one) and times every warp
instruction. Nothing here is taken from warpstep.
"""
import re

LANES = 32
ALL = 0xffffffff
SHARED_WINDOW, LOCAL_WINDOW = 1 << 40, 1 << 41
FLOATS = ("f16", "f16x2", "bf16", "bf16x2", "f32")
INTEGERS = ("u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "pred")
CONTROL = ("bra", "brx", "call", "ret", "exit", "bar", "barrier", "membar", "fence", "nanosleep", "mbarrier", "trap", "brkpt", "pmevent")
LOAD_STORE = ("ld", "st", "ldu", "atom", "red", "prefetch", "prefetchu", "tex", "tld4", "suld", "sust", "sured", "ldmatrix", "stmatrix", "cp")
SPECIAL = ("div", "rem", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh")
NO_RESULT = ("st", "red", "prefetch", "prefetchu", "bra", "brx", "ret", "exit", "membar", "fence", "nanosleep", "trap", "brkpt", "pmevent", "sust", "sured", "call")
CARRY = "carry flag"


class Unsupported(Exception):
    """PTX that the model doesn't read, or a branch or address that it can't compute."""


# ---- PTX ----

class Insn:
    """An instruction: operands, registers read and written, kind, and what latency it has ("kind", "shared" or "global")."""
    def __init__(self, text, function):
        self.text, self.function, self.pc, self.target, self.meets = text, function, 0, None, None
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
        floats = any(t in FLOATS for t in self.types) if op == "cvt" else bool(self.types) and self.types[0] in FLOATS
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
        self.registers, self.code, self.labels, self.locals = set(), [], {}, {}


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
            if i.op == "bra":
                i.target = f.labels[i.operands[0]]
                n.append(i.target)
            elif i.op in ("ret", "exit"):
                n.append(end)
            if i.op not in ("bra", "ret", "exit") or i.guard:
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
            if i.op == "bra":
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


# ---- values ----

def signed(v, bits):
    return v - (1 << bits) if v >> bits - 1 & 1 else v


COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b,
           "ge": lambda a, b: a >= b, "lo": lambda a, b: a < b, "ls": lambda a, b: a <= b, "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b}
BINARY = {"add": lambda a, b, n: a + b, "sub": lambda a, b, n: a - b, "and": lambda a, b, n: a & b, "or": lambda a, b, n: a | b, "xor": lambda a, b, n: a ^ b,
          "shl": lambda a, b, n: a << b if b < n else 0, "min": lambda a, b, n: min(a, b), "max": lambda a, b, n: max(a, b)}
ATOMIC = {"add": lambda a, b: a + b, "exch": lambda a, b: b, "min": min, "max": max, "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


class Frame:
    """An activation of a function: rows of values (None: unknown), cycles from which registers are ready, bytes of parameters by name and offset."""
    def __init__(self, function):
        self.function, self.rows, self.ready, self.params, self.caller, self.call = function, {}, {}, {}, None, None

    def row(self, name):
        return self.rows[name] if name in self.rows else [0] * LANES


class Values:
    """Executes an instruction for the lanes of a mask."""
    def __init__(self, module, memory, arguments):
        self.module, self.memory, self.arguments = module, memory, arguments

    def operand(self, w, f, text):
        """The row of an operand, None if it is unknown."""
        if text in f.function.registers:
            return f.row(text)
        if re.match(r"-?(0x[0-9a-fA-F]+|\d+)U?$", text):
            return [int(text.rstrip("U"), 0)] * LANES
        if text.startswith("%"):
            return w.special(text)
        if text in f.function.locals:
            return [f.function.locals[text][1]] * LANES
        if text in self.module.symbols:
            return [self.module.symbols[text][1]] * LANES
        if re.match(r"-?[\d.]+$|0[fFdD][0-9a-fA-F]+$|\{.*\}$|_$|-?\d+\.\d*$", text):
            return None
        raise Unsupported("operand " + text)

    def guard(self, f, i, mask):
        """The lanes for which the guard is true; None if that is unknown."""
        if not i.guard:
            return mask
        row = f.row(i.guard)
        if row is None:
            return None
        return mask & sum(1 << k for k in range(LANES) if bool(row[k]) != i.negated)

    def write(self, f, name, row, mask, lanes):
        """Sets a register in the lanes of `lanes`: all that are unknown afterwards make the row unknown."""
        if name not in f.function.registers:
            return
        if row is None or lanes is None:
            if lanes != 0:
                f.rows[name] = None
        elif lanes == ALL:
            f.rows[name] = list(row)
        else:
            old = f.row(name)
            if old is None: # another path's lanes are unknown: remember these ones, a read of the others is the generator's mistake
                old = [None] * LANES
            f.rows[name] = [row[k] if lanes >> k & 1 else old[k] for k in range(LANES)]

    def run(self, w, f, i, mask):
        if i.is_control():
            return
        lanes = self.guard(f, i, mask)
        if i.op in LOAD_STORE:
            return self.access(w, f, i, mask, lanes)
        if i.types and i.types[0] == "f64" or i.op in ("addc", "subc", "madc") or "cc" in i.parts:
            row = None
        else:
            row = self.compute(w, f, i, mask)
        names = i.operands[0].split("|")
        if i.op == "setp" and row is not None:
            self.write(f, names[0], row[0], mask, lanes)
            if len(names) > 1:
                self.write(f, names[1], row[1], mask, lanes)
            return
        for name in i.writes - {CARRY}:
            self.write(f, name, row, mask, lanes)

    def compute(self, w, f, i, mask):
        """The row of results, of setp a pair of rows; None: unknown."""
        op, parts, kind = i.op, i.parts, i.types[-1] if i.types else ""
        if op == "activemask":
            return [mask] * LANES
        if any(t in FLOATS or t == "f64" for t in i.types) or not kind or "|" in i.operands[0] and op != "setp":
            return None
        if op not in BINARY and op not in ("mov", "mul", "mad", "not", "shr", "setp", "selp", "cvt", "cvta", "vote") or (op == "mad" or op == "mul") and "hi" in parts:
            return None
        if kind in ("u8", "s8", "u16", "s16", "b16"):
            return None
        of = [self.operand(w, f, o.lstrip("!")) for o in i.operands[1:]]
        if None in of:
            return None
        bits = 1 if kind == "pred" else int(kind[1:])
        for n, row in enumerate(of):
            if op not in ("selp", "setp") or n < 2:
                limit = (1 << (2 * bits if op == "mad" and "wide" in parts and n == 2 else bits)) - 1
                of[n] = [None if v is None else v & limit for v in row]
        if op == "vote":
            return self.vote(i, of[0], mask)
        if op == "setp":
            rows = [self.lane(i, kind, bits, [row[k] for row in of]) if mask >> k & 1 else (0, 0) for k in range(LANES)]
            return None if any(v is None for v in rows) else ([v[0] for v in rows], [v[1] for v in rows])
        return [self.lane(i, kind, bits, [row[k] for row in of]) if mask >> k & 1 else 0 for k in range(LANES)]

    @staticmethod
    def vote(i, row, mask):
        on = sum(1 << k for k in range(LANES) if mask >> k & 1 and row[k])
        if i.operands[1].startswith("!"):
            on = mask & ~on
        return [on if "ballot" in i.parts else int(on == mask) if "all" in i.parts else int(on != 0) if "any" in i.parts else int(on in (0, mask))] * LANES

    @staticmethod
    def lane(i, kind, bits, of):
        op, parts = i.op, i.parts
        if None in of:
            return None
        if kind[0] == "s" and op != "selp":
            of = [signed(v, bits) if n < 2 else v for n, v in enumerate(of)]
        if op == "setp":
            v = COMPARE[parts[1]](of[0], of[1])
            a, b = v, not v
            if len(of) > 2:
                p = bool(of[2]) != i.operands[3].startswith("!")
                a, b = [BINARY[parts[2]](bool(x), p, 1) for x in (a, b)]
            return int(a), int(b)
        if op in BINARY:
            if kind == "pred":
                of = [v ^ i.operands[1 + n].startswith("!") for n, v in enumerate(of)]
            v = BINARY[op](of[0], of[1], bits)
        elif op == "shr":
            v = of[0] >> min(of[1], bits)
        elif op in ("mul", "mad"):
            v = of[0] * of[1] + (of[2] if op == "mad" else 0)
            bits = 2 * bits if "wide" in parts else bits
        elif op == "selp":
            v = of[0] if of[2] else of[1]
        else:
            v = ~of[0] if op == "not" else of[0]
            if op == "cvt":
                bits = int(i.types[0][1:])
            elif op == "cvta":
                window = SHARED_WINDOW if i.space == "shared" else LOCAL_WINDOW if i.space == "local" else 0
                v += -window if "to" in parts else window
        return v & (1 << bits) - 1

    def place(self, w, f, i, text):
        """(dictionary, keys of the lanes, space) of a memory operand; param: (None, name and offset)."""
        m = re.match(r"\[\s*([%\w$]+)\s*(?:\+\s*(-?\w+))?\s*\]$", text)
        base, offset = m.group(1), int(m.group(2) or "0", 0)
        return base, offset, None if i.space == "param" else self.operand(w, f, base)

    def cell(self, w, space, address, lane):
        if space == "generic":
            space, address = ("local", address - LOCAL_WINDOW) if address >= LOCAL_WINDOW else ("shared", address - SHARED_WINDOW) if address >= SHARED_WINDOW else ("global", address)
        if space == "local":
            return w.local, (lane, address & ~3)
        return (w.block.shared if space == "shared" else self.memory), address & ~3

    def access(self, w, f, i, mask, lanes):
        op = i.op
        if op == "st" and i.space == "param":
            name, offset, _ = self.place(w, f, i, i.operands[0])
            row = self.operand(w, f, i.operands[1]) if "f" not in i.types[0] else None
            old = f.params.get((name, offset))
            f.params[name, offset] = row if lanes == ALL or not old else None if row is None else [row[k] if lanes >> k & 1 else old[k] for k in range(LANES)]
            return
        if op in ("ld", "ldu") and i.space == "param":
            name, offset, _ = self.place(w, f, i, i.operands[1])
            row = self.arguments[name] if name in self.arguments and f.caller is None and name in f.function.params else f.params.get((name, offset))
            for r in i.writes:
                self.write(f, r, [row] * LANES if isinstance(row, int) else row, mask, lanes)
            return
        if op in ("prefetch", "prefetchu"):
            return
        loads = op in ("ld", "ldu")
        _, offset, base = self.place(w, f, i, i.operands[1 if loads or op == "atom" else 0])
        if base is None:
            raise Unsupported("unknown address: " + i.text)
        size = int(i.types[-1][1:]) // 8 * (4 if "v4" in i.parts else 2 if "v2" in i.parts else 1)
        exact = size == 4 and i.types[-1] in ("u32", "s32", "b32")
        if loads:
            row = None
            if exact and lanes is not None:
                row = [0] * LANES
                for k in range(LANES):
                    if lanes >> k & 1:
                        where, key = self.cell(w, i.space, base[k] + offset, k)
                        row[k] = where.get(key, 0)
                row = None if any(row[k] is None for k in range(LANES)) else row
            for r in i.writes:
                self.write(f, r, row, mask, lanes)
            return
        data = self.operand(w, f, i.operands[2 if op == "atom" else 1]) if exact else None
        action = next((p for p in i.parts if p in ATOMIC), None)
        before = [0] * LANES
        for k in range(LANES):
            if not (mask if lanes is None else lanes) >> k & 1:
                continue
            for word in range(0, size, 4):
                where, key = self.cell(w, i.space, base[k] + offset + word, k)
                old = before[k] = where.get(key, 0)
                v = None if data is None or lanes is None else data[k]
                if op != "st" and v is not None:
                    v = None if old is None or action is None else ATOMIC[action](old, v & ALL)
                where[key] = None if v is None else v & ALL
        row = None if not exact or lanes is None or None in before else before
        for r in i.writes:
            self.write(f, r, row, mask, lanes)


# ---- the machine ----

class Options:
    """What the options say. units and latency by kind; memory: latency of shared and global."""
    def __init__(self, **given):
        self.schedulers, self.width, self.pairs, self.policy = 1, 1, "any", "rr"
        self.units = {"FP32": 32, "INT32": 0, "FP64": 32, "SFU": 32, "LS": 32}
        self.latency = {"FP32": 24, "INT32": 24, "FP64": 24, "SFU": 24, "CONTROL": 24}
        self.memory = {"shared": 24, "global": 400}
        self.cores, self.warps, self.blocks, self.shared_bytes = 1, 48, 8, 49152
        for name, value in given.items():
            assert hasattr(self, name)
            setattr(self, name, value)

    def one_kind(self, kind):
        """Kinds as units see them: control takes INT32 units, and INT32 those of FP32 if it has none."""
        kind = "INT32" if kind == "CONTROL" else kind
        return "FP32" if kind == "INT32" and self.units["INT32"] == 0 else kind

    def dispatch(self, kind):
        return max(1, -(-LANES * self.schedulers // self.units[self.one_kind(kind)]))

    def result(self, i):
        return self.latency[i.kind] if i.latency == "kind" else self.memory[i.latency]

    def last(self, i):
        """The latency that counts for an instruction at the end of a path."""
        return self.latency["CONTROL"] if i.is_control() or i.op in ("st", "prefetch", "prefetchu") else self.result(i)

    def shares(self):
        return (self.units["FP32"], self.schedulers) in ((192, 4), (48, 2))


class Entry:
    """A path: lanes at one place, and where it ends (None: nowhere)."""
    def __init__(self, pc, mask, ends, frame):
        self.pc, self.mask, self.ends, self.frame = pc, mask, ends, frame


class Block:
    def __init__(self, number, launch):
        self.number, self.shared, self.warps, self.threads = number, {}, [], launch["threads"]
        self.grid, self.block = launch["grid"], launch["block"]


class Warp:
    def __init__(self, block, index, slot, function):
        self.block, self.index, self.slot = block, index, slot
        lanes = min(LANES, block.threads - LANES * index)
        self.stack = [Entry(function.first, (1 << lanes) - 1, None, Frame(function))]
        self.wait = self.count = 0
        self.barrier, self.local = None, {}

    def special(self, name):
        """The row of a special register, None if the model doesn't know it."""
        b = self.block
        numbers = [self.index * LANES + k for k in range(LANES)]
        if name in ("%tid.x", "%tid.y"):
            return [n % b.block[0] if name[-1] == "x" else n // b.block[0] for n in numbers]
        if name == "%laneid":
            return list(range(LANES))
        values = {"%ctaid.x": b.number % b.grid[0], "%ctaid.y": b.number // b.grid[0], "%ntid.x": b.block[0], "%ntid.y": b.block[1], "%nctaid.x": b.grid[0], "%nctaid.y": b.grid[1]}
        return [values[name]] * LANES if name in values else None

    def is_done(self):
        return not self.stack


class Scheduler:
    def __init__(self, number, core):
        self.number, self.core, self.free, self.last = number, core, 0, None


class Core:
    def __init__(self, number, options):
        self.number, self.slots, self.blocks = number, [None] * options.warps, []
        self.schedulers = [Scheduler(k, self) for k in range(options.schedulers)]
        self.shared_until = [0] * (options.schedulers // 2 + 1)


class Machine:
    def __init__(self, module, options, launch, memory, arguments):
        self.module, self.options, self.launch = module, options, launch
        self.function = module.functions[launch["kernel"]]
        self.values = Values(module, dict(memory), arguments)
        self.values.memory.update(module.words)
        self.cores = [Core(k, options) for k in range(options.cores)]
        self.next_block, self.last_core, self.rows, self.cycles = 0, options.cores - 1, [], 0
        self.is_room_made = False

    def place(self, wait):
        """Places the blocks for which there is room."""
        o, n = self.options, -(-self.launch["threads"] // LANES)
        while self.next_block < self.launch["blocks"]:
            for k in range(1, o.cores + 1):
                core = self.cores[(self.last_core + k) % o.cores]
                free = [s for s in range(o.warps) if core.slots[s] is None]
                shared = self.module.shared_bytes * (len(core.blocks) + 1)
                if len(free) >= n and len(core.blocks) < o.blocks and shared <= o.shared_bytes:
                    break
            else:
                return
            self.last_core = core.number
            block = Block(self.next_block, self.launch)
            self.next_block += 1
            core.blocks.append(block)
            for index, slot in enumerate(free[:n]):
                w = core.slots[slot] = Warp(block, index, slot, self.function)
                w.wait, w.core = wait, core
                block.warps.append(w)

    def run(self, limit=2000000):
        self.place(0)
        t = 0
        while any(core.blocks for core in self.cores):
            self.is_room_made = False
            for core in self.cores:
                for s in core.schedulers:
                    if s.free <= t:
                        self.choose(s, t)
            if self.is_room_made:
                self.place(t + 1)
            t = self.next_cycle(t)
            if t > limit:
                raise Unsupported("more than %d cycles" % limit)
        return self.rows, self.cycles

    def next_cycle(self, t):
        """The next cycle in which a warp may issue."""
        best = None
        for core in self.cores:
            for w in core.slots:
                if w is None or w.is_done() or w.barrier is not None:
                    continue
                at = max(w.wait, core.schedulers[w.slot % self.options.schedulers].free, self.ready(w, self.module.code[w.stack[-1].pc]), t + 1)
                best = at if best is None else min(best, at)
        if best is None and any(core.blocks for core in self.cores):
            raise Unsupported("deadlock")
        return t + 1 if best is None else best

    def ready(self, w, i):
        ready = w.stack[-1].frame.ready
        return max([ready.get(r, 0) for r in i.reads | i.writes], default=0)

    def order(self, s):
        o = self.options
        slots = list(range(s.number, o.warps, o.schedulers))
        if o.policy == "rr" and s.last is not None:
            k = slots.index(s.last) + 1
            slots = slots[k:] + slots[:k]
        warps = [s.core.slots[k] for k in slots if s.core.slots[k] is not None]
        if o.policy == "ahead":
            warps.sort(key=lambda w: (-w.count, w.slot))
        elif o.policy == "behind":
            warps.sort(key=lambda w: (w.count, w.slot))
        return warps

    def choose(self, s, t):
        for w in self.order(s):
            if w.is_done() or w.barrier is not None or w.wait > t:
                continue
            i = self.module.code[w.stack[-1].pc]
            if self.ready(w, i) <= t:
                s.last = w.slot
                self.issue(s, w, i, t)
                return

    def issue(self, s, w, i, t):
        e = w.stack[-1]
        j = self.second(s, w, e, i, t)
        longest = max(self.options.dispatch(k.kind) for k in (i, j) if k)
        s.free = t + longest
        for k in (i, j):
            if k:
                self.one(s, w, k, t, s.free)

    def second(self, s, w, e, i, t):
        """The instruction that is issued together with i, or None."""
        o = self.options
        if o.width < 2 or i.is_control() or i.pc + 1 == e.ends:
            return None
        j = self.module.code[i.pc + 1]
        if j.is_control() or self.ready(w, j) > t or (j.reads | j.writes) & i.writes or j.writes & i.reads:
            return None
        a, b = o.one_kind(i.kind), o.one_kind(j.kind)
        if o.pairs == "any":
            return j if a != b or o.units[a] // o.schedulers >= 64 else None
        if o.pairs == "int32":
            return j if (i.kind == "INT32") != (j.kind == "INT32") else None
        if a != "FP32" or b != "FP32":
            return None
        if o.units["FP32"] // o.schedulers >= 64:
            return j
        m = s.number // 2
        if o.shares() and s.core.shared_until[m] <= t:
            s.core.shared_until[m] = t + o.dispatch("FP32")
            return j
        return None

    def one(self, s, w, i, t, free):
        """Issues an instruction of a warp: its row, its effect, and where the warp goes on."""
        o, e = self.options, w.stack[-1]
        done = t + o.result(i) if i.writes else None
        self.rows.append({"core": s.core.number, "warp": w.slot, "scheduler": s.number, "pc": 8 * i.pc, "text": i.text, "lanes": e.mask,
                          "issue": t, "dispatched": free, "ready": done})
        self.cycles = max(self.cycles, t + o.dispatch(i.kind), done or 0)
        w.count += 1
        f = e.frame
        for r in i.writes:
            f.ready[r] = done
        self.values.run(w, f, i, e.mask)
        if i.op == "bra":
            self.branch(w, e, i, t)
        elif i.op in ("exit", "ret"):
            self.leave(w, e, i, t)
        elif i.op == "call":
            self.call(w, e, i, t)
        else:
            e.pc += 1
            if i.op in ("bar", "barrier") and i.parts[1] in ("sync", "red", "cta"):
                self.arrive(w, e, i, t)
            self.end_path(w, t + o.last(i))

    @staticmethod
    def end_path(w, wait):
        """Takes paths that have come to their end off the stack."""
        while w.stack and w.stack[-1].ends is not None and w.stack[-1].pc == w.stack[-1].ends:
            w.stack.pop()
            w.wait = max(w.wait, wait)

    def taken(self, w, e, i):
        lanes = self.values.guard(e.frame, i, e.mask)
        if lanes is None or i.guard and any(e.frame.row(i.guard)[k] is None for k in range(LANES) if e.mask >> k & 1):
            raise Unsupported("unknown branch: " + i.text)
        return lanes

    def branch(self, w, e, i, t):
        wait = t + self.options.latency["CONTROL"]
        w.wait = wait
        taken = self.taken(w, e, i)
        if taken in (0, e.mask) or i.target == i.pc + 1:
            e.pc = i.target if taken else i.pc + 1
            self.end_path(w, wait)
            return
        groups = sorted(((i.target, taken), (i.pc + 1, e.mask & ~taken)), key=lambda g: -g[1])
        if i.meets is not None and i.meets != e.ends:
            e.pc, meets = i.meets, i.meets
        else:
            w.stack.pop()
            meets = e.ends
        for pc, mask in groups:
            if pc != meets:
                w.stack.append(Entry(pc, mask, meets, e.frame))

    def call(self, w, e, i, t):
        if i.guard:
            raise Unsupported("guarded call")
        w.wait = t + self.options.latency["CONTROL"]
        e.pc += 1
        results, name, arguments = i.call
        callee = self.module.functions[name]
        frame = Frame(callee)
        frame.caller, frame.call = e.frame, (results, e)
        for formal, actual in zip(callee.params, arguments):
            for (n, offset), row in list(e.frame.params.items()):
                if n == actual:
                    frame.params[formal, offset] = row
        w.stack.append(Entry(callee.first, e.mask, None, frame))

    def leave(self, w, e, i, t):
        """exit, and ret: lanes leave the kernel, or the activation."""
        lanes, f = self.taken(w, e, i), e.frame
        returns = i.op == "ret" and f.caller is not None
        e.pc += 1
        for x in w.stack:
            if not returns or x.frame is f:
                x.mask &= ~lanes
        w.stack = [x for x in w.stack if x.mask]
        if returns or i.op == "ret" and e.mask:
            w.wait = t + self.options.latency["CONTROL"]
        if returns:
            results, _ = f.call
            for formal, actual in zip(f.function.results, results):
                for (n, offset), row in f.params.items():
                    if n == formal:
                        old = f.caller.params.get((actual, offset))
                        f.caller.params[actual, offset] = row if lanes == ALL or not old or row is None else [row[k] if lanes >> k & 1 else old[k] for k in range(LANES)]
            if w.stack and w.stack[-1].frame is f.caller:
                self.end_path(w, t + self.options.latency["CONTROL"])
        if w.stack and w.stack[-1] is e and e.ends == e.pc:
            self.end_path(w, t + self.options.latency["CONTROL"])
        if w.is_done():
            self.ended(w, t)

    def ended(self, w, t):
        """A warp's last lanes have exited at t."""
        for other in w.block.warps:
            if other.barrier is not None:
                self.open(w.block, other.barrier, t)
        if all(x.is_done() for x in w.block.warps):
            core = w.core
            for x in w.block.warps:
                core.slots[x.slot] = None
            core.blocks.remove(w.block)
            self.is_room_made = True

    def arrive(self, w, e, i, t):
        live = 0
        for x in w.stack:
            live |= x.mask
        if e.mask != live:
            raise Unsupported("a barrier that some lanes reach")
        w.barrier = i.operands[1 if "red" in i.parts else 0]
        self.open(w.block, w.barrier, t)

    @staticmethod
    def open(block, barrier, t):
        live = [x for x in block.warps if not x.is_done()]
        if all(x.barrier == barrier for x in live):
            for x in live:
                x.barrier, x.wait = None, t + 1


def simulate(text, options, launch, memory, arguments):
    """Rows and cycles of a launch: {"kernel", "grid" and "block" (x, y), "blocks" and "threads": their products}; memory: initial words by address; arguments: values by name."""
    return Machine(Module(text), options, launch, memory, arguments).run()
