# run: launch spin<<<1,32>>>(A)
# Ctrl-C a second after gdb lets it run. Where in the loop that is, the machine may choose; `next` goes to the line behind it.
python import threading, os, signal
python timer = threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT))
python gdb.events.cont.connect(lambda event: timer.ident or timer.start())
python line = lambda: gdb.newest_frame().find_sal().line
set print frame-info short-location
continue
python before = line()
print r2 > 100
delete
next
python print({132: 133, 133: 134, 134: 135, 135: 132}[before] == line())
info threads 1
