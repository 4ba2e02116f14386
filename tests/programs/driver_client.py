# A client of the driver API as Python packages are: libcuda.so.1 by ctypes, kernels.ptx as text. Says what it found.
import ctypes as c
import sys

cuda = c.CDLL("libcuda.so.1")


def call(name, *arguments):
    error = getattr(cuda, name)(*arguments)
    if error:
        sys.exit(f"{name}: {error}")


device, context, module, function, memory = c.c_int(), c.c_void_p(), c.c_void_p(), c.c_void_p(), c.c_uint64()
call("cuInit", 0)
call("cuDeviceGet", c.byref(device), 0)
call("cuCtxCreate_v2", c.byref(context), 0, device)
call("cuModuleLoadData", c.byref(module), open(sys.argv[1], "rb").read() + b"\0")
call("cuModuleGetFunction", c.byref(function), module, b"fill")
call("cuMemAlloc_v2", c.byref(memory), c.c_size_t(400))
value, n = c.c_int(7), c.c_int(100)
parameters = (c.c_void_p * 3)(*[c.cast(c.byref(p), c.c_void_p) for p in (memory, value, n)])
call("cuLaunchKernel", function, 4, 1, 1, 32, 1, 1, 0, None, parameters, None)
result = (c.c_int * 100)()
call("cuMemcpyDtoH_v2", result, memory, c.c_size_t(400))
call("cuMemFree_v2", memory)
call("cuModuleUnload", module)
call("cuCtxDestroy_v2", context)
print("right" if list(result) == [7 + i for i in range(100)] else list(result))
