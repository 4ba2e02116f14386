# -gpgpu_kernel_cache: kernels that prefer L1 or shared memory. What they cost is compared with GPGPU-Sim (test_gpgpusim_322); here: kernels of
# different preference in several streams, where one has to wait for the other, what is shown, and values that make no sense.
[ -x "$WARPSTEP" ] || { echo "there is no program"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }
cat >two.ptx <<'END'
.version 7.0
.target sm_50
.address_size 64
.visible .entry a(.param .u64 p)
{
	.reg .b32 %r<6>; .reg .b64 %rd<6>; .local .align 4 .b8 l[64];
	ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;
	st.local.u32 [l+8], %r3; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r4, [%rd3]; ld.local.u32 %r5, [l+8];
	add.u32 %r4, %r4, %r5; st.global.u32 [%rd3], %r4; ret;
}
.visible .entry b(.param .u64 p)
{
	.reg .b32 %r<6>; .reg .b64 %rd<6>; .shared .align 4 .b8 s[8192];
	ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;
	mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r4, [%rd3]; shl.b32 %r1, %r1, 2; mov.u32 %r5, s; add.u32 %r1, %r1, %r5;
	st.shared.u32 [%r1], %r4; ld.shared.u32 %r5, [%r1]; add.u32 %r5, %r5, %r4; st.global.u32 [%rd3], %r5; ret;
}
END
run() {
	"$WARPSTEP" -c fermi-gtx480 -q --batch -o '-gpgpu_cache:dl1PrefL1 64:128:6,L:L:m:N,A:32:8,8' -o '-gpgpu_shmem_size_PrefL1 16384' \
		-o '-gpgpu_shmem_size_PrefShared 49152' "$@" -ex 'load two.ptx' -ex 'buffer p b32[4096] = iota' -ex 'buffer q b32[4096] = iota' \
		-ex 'launch a<<<30, 64, 0, 1>>>(p)' -ex 'launch b<<<30, 64, 0, 2>>>(q)' -ex 'launch a<<<30, 64, 0, 2>>>(q)' -ex 'launch b<<<30, 64, 0, 1>>>(p)' \
		-ex 'continue' -ex 'p p[5]' -ex 'p p[1900]' -ex 'p q[7]' -ex 'info occupancy'
}
# a adds the element's number, b doubles: p[n] = (n + n) * 2, q[n] = n * 2 + n
for options in '' '-gpgpu_kernel_cache a:L1' '-gpgpu_kernel_cache a:L1,b:shared' '-gpgpu_kernel_cache b:L1'; do
	run ${options:+-o "$options"} >out 2>&1 || complain "$options: $(cat out)"
	got=$(grep '^\$' out | sed 's/.*= //' | tr '\n' ' ')
	[ "$got" = '20 7600 21 ' ] || complain "$options: $got"
	grep -h 'shared memory' out >"shared${options##* }"
done
grep -q '8192 *49152 *6$' shared || complain "by default: $(cat shared)"
grep -q '8192 *16384 *2$' sharedb:L1 || complain "for L1: $(cat sharedb:L1)"
run -o '-gpgpu_kernel_cache a:L2' >out 2>&1
[ $? = 2 ] || complain "a:L2 is taken"
grep -qF "error: bad value 'a:L2' for -gpgpu_kernel_cache, expected KERNEL:L1|shared[,KERNEL:L1|shared]" out || complain "$(cat out)"
run -o '-gpgpu_kernel_cache b:L1' -o '-gpgpu_shmem_size_PrefL1 4096' >out 2>&1
grep -qF 'a block needs 8192 bytes of shared memory, a core has 4096' out || complain "too little: $(head -3 out)"
exit $bad
