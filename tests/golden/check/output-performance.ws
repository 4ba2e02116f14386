# args: -q -m performance output.ptx
# status: 3
# it stops in front of each such printf, which goes on as if nothing were wrong
check init on
set check-action stop
buffer A s32[4]
run prints<<<1, 4>>>(A)
continue
continue
continue
