# kernel: many-warps.ptx
# args: -m performance
# run: launch warps<<<1,1024>>>(A)
# One thread is stepped by itself, and the other 31 warps run meanwhile. gdb has looked at all threads: for it they stay where they were,
# with their registers, until they are to run.
set print frame-info short-location
python here = lambda: tuple(int(gdb.parse_and_eval(x)) for x in ("$pc", "$sp", "r1", "r3", "r4"))
python look = lambda: {t.num: (t.switch(), here()) for t in gdb.selected_inferior().threads()}
tbreak 19 if r3 == 3 && r1 == 0
continue
python chosen = gdb.selected_thread()
python before = look()
python chosen.switch()
python print(len(before), len({t[1][0] for t in before.values()}) > 1)
set scheduler-locking on
stepi 8
stepi
python after = look()
python chosen.switch()
python print(before.pop(chosen.num) != after.pop(chosen.num), before == after)
set scheduler-locking off
tbreak 23 if r1 == 0
continue
python pcs = lambda: {t.num: (t.switch(), int(gdb.parse_and_eval("$pc")))[1] for t in gdb.selected_inferior().threads()}
python print(sum(pc != before[n][1][0] for n, pc in pcs().items() if n != chosen.num) > 900)
python chosen.switch()
print r3
