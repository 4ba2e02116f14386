# run: launch spin<<<1,32>>>(A)
python import threading, os, signal; threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
continue
print r2 > 100
delete
next
info threads 1
