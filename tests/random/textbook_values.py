"""What instructions compute, for the model of the textbook core: integers, predicates and words of memory exactly, everything else is unknown (None)."""
import re

from textbook_ptx import ALL, CARRY, FLOATS, LOAD_STORE, Unsupported

LANES = 32
SHARED_WINDOW, LOCAL_WINDOW = 1 << 40, 1 << 41

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


