# prompt
# args: typed-plain.ptx
# Without debug information users say the layout; the same kernel, and the same numbers as in typed.ws.
buffer slots Slot[3]
struct Stats {f32 mean, u32 n}
struct Slot {
struct Slot {unsigned long long key; s32 state; bool dirty; char tag[3]; Stats stats[2];};
struct Table {Slot *slots, int capacity, count}
ptype Slot
ptype /o Table
set var coef = {1, 2, 3}
set var coef f32[8] = iota 10 0.5
set var totals Stats[4] = {1, 2, 3, 4, [2] = {9, 9}}
set var matrix s32[6] = iota 5
set var matrix s32[7] = iota 5
set var A::weight s32[2] = {30, 40}
buffer slots Slot[3] = {{1, 5, true, "ab", {{0.5, 1}, {1.5, 2}}}, {2, .stats = {{2.5, 3}}}, {.stats[0].mean = 42}}
buffer out {f32 mean, u32 n}[3] = zero
launch gather<<<1, 32>>>(Table{slots, 63, 3}, out, 2)
print _Z6gather5TableP5Statsf_param_1[1].n
print _Z6gather5TableP5Statsf_param_1->mean
c
print out
print *(Stats *)&out[1]
print ((Stats *)out)[2].mean
info buffers
complete buffer x Sl
complete print out[0].
complete buffer x Slot[3] = 
# a list: pointers to the structure itself
struct Node {Node *next; struct Node *pair[2]; f32 value;}
buffer nodes Node[2] = {[0].value = 1.5, [1] = {.next = &nodes[0]}}
buffer nodes Node[2] = zero
set var nodes = {[0].value = 1.5, [1] = {.next = &nodes[0], .value = 3}}
print nodes
print nodes[1].next->value
print sizeof(struct Node)
# what can't be declared
struct E {E x}
struct int {f32 x}
struct E {}
struct E {f32 x, f64 x}
struct E {void x}
struct E {f32 x : 3}
struct E {f32 x[0]}
struct E {f32}
struct E {nothing x}
struct E {f32 x} y
struct Pixels {uchar4 p[2], float3 f, half h, double2 d, struct {int a; short b;} in, void *next}
ptype /o Pixels
