# kernel: waits.ptx
# run: launch waits<<<1,32>>>(A)
# Ctrl-C while one thread runs and no other: a `continue` with scheduler-locking on, and a `stepi` that would wait for the other side of
# a branch for ever, since lanes of a warp for sm_61 make no progress independently. Both threads can go on then.
python import threading, os, signal
python later = lambda: threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
python once = lambda event: (gdb.events.cont.disconnect(once), later())
set print frame-info short-location
python line = lambda: gdb.newest_frame().find_sal().line
tbreak 19
continue
set scheduler-locking on
thread 4
python gdb.events.cont.connect(once)
stepi
python print(line(), gdb.selected_thread().num)
thread 1
python gdb.events.cont.connect(once)
continue
python print(line() in range(15, 20), gdb.selected_thread().num)
set var A[0] = 1
tbreak 25
continue
print r2
thread 4
stepi
python print(line(), gdb.selected_thread().num)
print r2
