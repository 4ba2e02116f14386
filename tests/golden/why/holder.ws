# A compare-and-swap that found another value wrote nothing: the holder of a lock is who has written it last, whoever tries since then.
set history on
load holder.ptx
buffer words u32[8] = {0, 0, 0, 1, 7, 0, 0, 0}
break holder.ptx:38
ignore 1 5
run held<<<1, 64>>>(words)
delete
# the second warp spins on the lock
who-wrote words[0]
why words[0]
# one of 32 lanes got it, the others failed in the same instruction: only one has read 0
who-wrote words[2]
# a swap that succeeds wrote, be the value the same; so did an exchange: the last lane's
who-wrote words[3]
who-wrote words[4]
# nobody came to write it
who-wrote words[1]
awatch words[0]
rc
delete
focus uid 1
# who got words[2]: its old value is 0
break holder.ptx:19
rc
info lanes %r2
