# run: launch lanes<<<2,64>>>(A, 5)
info source
list
info threads 1 2 64
info registers rip tid_x laneid
print $_thread
