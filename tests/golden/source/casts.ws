# prompt
# args: casts.ptx
buffer o s32[4]
set source cuda
break casts.cu:33 thread 3
run casts<<<1,4>>>(o)
# casts to enumerations and bool, also of a value with a sign in front
print (Level)-2
print (Level)-(1)
print (Sign)-1
print (Sign)+1
print -(Level)-2
print (Level)-2 + 5
print (geo::flat::Kind)2
print (i)-1
print (i)*2
print (bool)2
print (bool)256
print (bool)0
print (bool)0.25
print (bool)&x
print (bool)2 + (bool)3
whatis (bool)2
# bit-fields wrap when they are assigned to
print x.delta = -65
print x.delta += 1
print x.id = 40
print x.id++
print ++x.id
print x.live = 2
print x.sign = -1
print x.wide = -1
print x.wide += 2
print x
# names with namespaces, of classes in classes
print sizeof(geo::flat::Node)
print sizeof(struct geo::flat::Node)
print sizeof(Outer::Inner)
print sizeof(int[4])
ptype geo::flat::Node
print *(geo::flat::Node *)&node
print sizeof(geo::round::Node)
print sizeof(flat::Node)
print sizeof(geo::flat::Level)
# f16 and bf16 are numbers; with /f the structure shows them, each in its own type
print h
print b
print h2
print b2
print/f h
print/f b
print/x b
print/f b2
whatis b
print *(bf16 *)&b + 1
