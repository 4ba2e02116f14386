"""warpstep in gdb: PTX in disassemblies, cuda-gdb's tables and focus, the registers of all lanes.

    gdb -x warpstep.py -ex 'target remote :1234'

Nothing here is needed to debug: a bare gdb shows source, threads and registers. All it knows it asks warpstep with `monitor`.
"""
import struct

import gdb

# ---- talking to warpstep ----


def quietly(command):
    """What a command of gdb's prints, without what `set trace-commands on` adds to it."""
    if not hasattr(gdb, "with_parameter") or not gdb.parameter("trace-commands"):
        return gdb.execute(command, to_string=True)
    with gdb.with_parameter("trace-commands", False):
        return gdb.execute(command, to_string=True)


def monitor(line):
    """What warpstep answers to a command of its prompt."""
    return quietly("monitor " + line)


def follow():
    """Moves warpstep's focus to the thread gdb has selected."""
    thread = gdb.selected_thread()
    if thread and thread.name != "host":
        monitor("focus uid %d" % int(gdb.parse_and_eval("$uid")))


# ---- PTX in x/i, disassemble, layout asm ----

INSTRUCTION = 8  # bytes
NOP = b"\x66\x0f\x1f\x05"  # the no-operation that stands for every instruction; a displacement to its text's symbol follows

try:
    import gdb.disassembler

    class PtxDisassembler(gdb.disassembler.Disassembler):
        """Shows the PTX text of an instruction; leaves everything else to gdb."""

        def __init__(self):
            super().__init__("ptx")

        def __call__(self, info):
            code = bytes(info.read_memory(INSTRUCTION))
            if code[:4] != NOP:
                return None
            where = info.address + INSTRUCTION + int.from_bytes(code[4:], "little", signed=True)
            name = quietly("info symbol 0x%x" % where)
            if " in section " not in name:  # around the code there are some that point at themselves
                return gdb.disassembler.DisassemblerResult(INSTRUCTION, "(no code)") if where == info.address else None
            return gdb.disassembler.DisassemblerResult(INSTRUCTION, name.rsplit(" in section ", 1)[0])

    gdb.disassembler.register_disassembler(PtxDisassembler())
except ImportError:  # before gdb 13: instructions are shown with their text as a symbol
    pass

# ---- commands ----


class Forward(gdb.Command):
    """A command of warpstep's prompt, for the thread gdb has selected."""

    def __init__(self, name, what, line=None, kind=gdb.COMMAND_DATA):
        self.line = line or name
        self.__doc__ = what
        super().__init__(name, kind)

    def invoke(self, args, from_tty):
        self.dont_repeat()
        follow()
        gdb.write(monitor(("%s %s" % (self.line, args)).strip()))


def beginning(words, word):
    return [w for w in words if w.startswith(word)]


class InfoCuda(Forward):
    subjects = ("devices", "sms", "warps", "lanes", "kernels", "blocks", "threads", "barriers", "line")

    def __init__(self):
        super().__init__("info cuda", "Tables of the simulated GPU: " + ", ".join(self.subjects) + ".",
                         kind=gdb.COMMAND_STATUS)

    def complete(self, text, word):
        return beginning(Cuda.words if " " in text.lstrip() else self.subjects, word)


class Cuda(gdb.Command):
    """cuda kernel|block|thread|device|sm|warp|lane N ...: switch the focus, gdb's thread too; without numbers: show it."""

    words = ("device", "sm", "warp", "lane", "kernel", "grid", "block", "thread")

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_RUNNING)

    def complete(self, text, word):
        return beginning(self.words, word)

    def invoke(self, args, from_tty):
        self.dont_repeat()
        follow()
        before = monitor("output $uid")
        text = monitor("cuda " + args)
        if monitor("output $uid") == before:
            gdb.write(text)
            return
        gdb.write(text.splitlines()[0] + "\n")  # the source line behind it is gdb's to show
        select(monitor("output $uid"))


def select(uid):
    """Selects gdb's thread of a uid."""
    if not uid.strip().isdigit():
        return
    gdb.execute("info threads 2147483647", to_string=True)  # none; but it brings the list of threads up to date
    for thread in gdb.selected_inferior().threads():
        if thread.ptid[1] == int(uid):
            gdb.execute("thread %d" % thread.num)  # not thread.switch(): warpstep is to know whom its user cares about
            return


class Ptx(gdb.Command):
    """PTX and warps: ptx lanes REGISTER, ptx warp, ptx simt, ptx focus [on|off]."""

    def __init__(self):
        super().__init__("ptx", gdb.COMMAND_DATA, prefix=True)


class PtxLanes(gdb.Command):
    """ptx lanes REGISTER: a register in all lanes of the warp; r1 and %r1 are the same."""

    def __init__(self):
        super().__init__("ptx lanes", gdb.COMMAND_DATA)

    def invoke(self, args, from_tty):
        self.dont_repeat()
        follow()
        name = args.strip()
        if name and name.isidentifier():
            text = monitor("info lanes %" + name)
            gdb.write(monitor("info lanes " + name) if text.startswith("error") else text)
        else:
            gdb.write(monitor("info lanes " + name))


class PtxFocus(gdb.Command):
    """ptx focus [on|off]: show where the selected thread is on the machine; on: at every stop."""

    shown = False

    def __init__(self):
        super().__init__("ptx focus", gdb.COMMAND_STATUS)

    def complete(self, text, word):
        return beginning(("on", "off"), word)

    def invoke(self, args, from_tty):
        if args in ("on", "off"):
            PtxFocus.shown = args == "on"
        else:
            follow()
            gdb.write(monitor("focus"))


def tell_exit_status():
    """In host (): $_exitcode and $_exitsignal of the program that has ended, as warpstep has them; gdb hears of no exit."""
    thread = gdb.selected_thread()
    if not thread or thread.name != "host" or not hasattr(gdb, "set_convenience_variable"):
        return
    for name in ("_exitcode", "_exitsignal"):
        try:
            text = monitor("output $" + name).strip()
            gdb.set_convenience_variable(name, int(text) if text.isdigit() else None)
        except gdb.error:
            pass


def on_stop(event):
    tell_exit_status()
    if PtxFocus.shown:
        try:
            follow()
            gdb.write(monitor("focus"))
        except gdb.error:
            pass


# ---- names of threads ----


without_names = {}  # by the connection's number


def on_new_thread(event):
    """For its own speed gdb isn't told names in large blocks: here it asks for them, once a thread."""
    thread = event.inferior_thread
    connection = getattr(thread.inferior, "connection_num", None)
    if connection not in without_names:
        without_names[connection] = "disabled" in gdb.execute("show remote threads-packet", to_string=True)
    if without_names[connection]:
        try:
            thread.name = thread.details.partition(", ")[0]
        except gdb.error:
            pass  # the connection is going


InfoCuda()
Cuda()
Ptx()
PtxLanes()
PtxFocus()
Forward("ptx warp", "ptx warp: the lanes of the selected thread's warp.", "info lanes")
Forward("ptx simt", "ptx simt: the SIMT stack of the selected thread's warp.", "info simt-stack")
Forward("why", "why [EXPR [DEPTH]] | why warp N | barrier | hang | request N: where a value comes from; what a warp waits for.")
Forward("who-wrote", "who-wrote LVALUE: who has written memory or a PTX register last.")
Forward("find-nan", "find-nan [EXPR | BUFFER]: the instruction at which a NaN or an infinity was born.")
Forward("diff-launch", "diff-launch A B | A functional|performance | A schedule SEED: the first result that differs.")
Forward("info findings", "info findings [N]: what the checkers have found.", kind=gdb.COMMAND_STATUS)
Forward("info stalls", "info stalls [warp N]: cycles lost to what, at which line (performance mode).", kind=gdb.COMMAND_STATUS)
Forward("dp", "dp CORE: dump the pipeline of a SIMT core (performance mode).")
Forward("dm", "dm PARTITION: dump a memory partition (performance mode).")
Forward("dicnt", "dicnt [NODE]: dump the interconnect (performance mode).")
Forward("ptxdis", "ptxdis START_PC END_PC: PTX between two pcs.")
Forward("stats", "stats [GLOB]: GPGPU-Sim's statistics.")
gdb.events.stop.connect(on_stop)
gdb.events.new_thread.connect(on_new_thread)
quietly("set print thread-events off")  # a block that comes into the focus would be a line for each of its threads
gdb.execute("define hookpost-monitor\nmaintenance flush register-cache\nmaintenance flush dcache\nend")


# ---- numbers that CUDA's headers declare as classes of bits ----

def _small_float(bits, exponent_bits, mantissa_bits, has_infinity):
    """The value of an 8-bit float."""
    bias = (1 << exponent_bits - 1) - 1
    sign = -1.0 if bits >> 7 & 1 else 1.0
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    if has_infinity and exponent == (1 << exponent_bits) - 1:
        return sign * float('inf') if not mantissa else float('nan')
    if not has_infinity and bits & 0x7f == 0x7f:
        return float('nan')
    fraction = mantissa / float(1 << mantissa_bits)
    return sign * (fraction * 2.0 ** (1 - bias) if not exponent else (1 + fraction) * 2.0 ** (exponent - bias))


_NUMBERS = {
    '__half': lambda bits: '%.5g' % struct.unpack('e', struct.pack('H', bits))[0],
    '__nv_bfloat16': lambda bits: '%.4g' % struct.unpack('f', struct.pack('I', bits << 16))[0],
    '__nv_fp8_e4m3': lambda bits: '%.3g' % _small_float(bits, 4, 3, False),
    '__nv_fp8_e5m2': lambda bits: '%.3g' % _small_float(bits, 5, 2, True),
}


class _Number:
    """Prints a class of bits as the number that it is."""
    def __init__(self, value, decode):
        self.value, self.decode = value, decode

    def to_string(self):
        return self.decode(int(self.value['__x']))


def _number_printer(value):
    kind = value.type.strip_typedefs().unqualified()
    decode = _NUMBERS.get(kind.tag) if kind.code == gdb.TYPE_CODE_STRUCT else None
    return _Number(value, decode) if decode and any(f.name == '__x' for f in kind.fields()) else None


gdb.pretty_printers.append(_number_printer)
