# A kernel that numba compiles and launches through libcuda.so.1. numba 0.56 marks its code as NVVM 1.6, which newer libNVVMs only take as 2.0.
import sys

try:
    import numpy as np
    from llvmlite import ir
    from numba import cuda
    from numba.core.errors import NumbaPerformanceWarning
    from numba.cuda.cudadrv import nvvm

    major, minor, *_ = nvvm.NVVM().get_ir_version()
except Exception as error:
    print("no numba with a libNVVM:", str(error).splitlines()[0])
    sys.exit(77)
import warnings

warnings.simplefilter("ignore", NumbaPerformanceWarning)


def add_ir_version(mod):
    i32 = ir.IntType(32)
    mod.add_named_metadata("nvvmir.version", mod.add_metadata([i32(n) for n in (major, minor, 3, 0)]))


if major >= 2 and hasattr(nvvm, "add_ir_version"):
    nvvm.add_ir_version = add_ir_version


@cuda.jit
def scale(a, f):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= f


a = np.arange(1000, dtype=np.float32)
d = cuda.to_device(a)
scale[8, 128](d, np.float32(3))
cuda.synchronize()
print("right" if (d.copy_to_host() == 3 * a).all() else d.copy_to_host())
