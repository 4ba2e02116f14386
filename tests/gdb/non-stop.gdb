# target: none
set non-stop on
target remote @SERVER@
info threads
