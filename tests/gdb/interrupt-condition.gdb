# run: launch spin<<<1,1>>>(A)
# Ctrl-C while gdb evaluates a condition itself, again and again: it sends it while the machine stands
python import threading, os, signal
python timer = threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT))
python gdb.events.cont.connect(lambda event: timer.ident or timer.start())
python gdb.events.stop.connect(lambda event: print(event.stop_signal))
set print frame-info short-location
break 133 if $_thread == 99
continue
info breakpoints
