# kernel: nested.ptx
# args: -m performance
# run: launch work<<<500, 256>>>(A, 20)
# `finish` out of a call in a call: in code of -G gdb looks at the frame of a thread that comes by before the one that finishes. It is shown one of 128,000.
set print frame-info location
tbreak nested.cu:19
continue
next
next
step
step
python quiet = gdb.execute("cd " + __import__("os").environ.get("TMP", "/tmp"), to_string=True)
set logging file finish-many-blocks
set logging redirect on
set logging debugredirect on
set logging enabled on
set debug remote 1
finish
set debug remote 0
set logging enabled off
frame
python print("few packets" if open("finish-many-blocks").read().count("Sending packet") in range(5, 100) else "many packets")
finish
