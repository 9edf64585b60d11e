#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: what compile.sh keeps of what a compiler says of its kernels; the
# compiler is made up.
set -u
compile=$(realpath "$1")/variants/cuda/compile.sh
# shellcheck source=src/base/test.sh
. "$(realpath "$1")/src/base/test.sh"

cat >nvcc <<'END'
#!/bin/sh
for word; do
    [ "${before-}" != --keep-dir ] || kept=$word
    before=$word
done
cat >"$kept/k.ptx" <<'PTX'
.visible .entry copy_b(
.maxntid 256, 1, 1
    // tag fast
    // tag reverse
    ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
@%p1 ld.global.nc.u8 %rs1, [%rd2];
    cp.async.bulk.shared::cluster.global.mbarrier [%r1], [%rd1], 16;
    st.global.v2.f64 [%rd3], {%fd1, %fd2};
    st.global.f32 [%rd3], %f1;
.visible .entry plain(
    st.global.u16 [%rd3], %rs1;
PTX
cat >&2 <<'SAID'
k.cu(3): warning #177-D: variable "x" was declared but never referenced
ptxas info    : Compiling entry function 'copy_b' for 'sm_90'
ptxas info    : Function properties for copy_b
    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
SAID
exit "${STATUS-0}"
END
chmod +x nvcc
cat >wanted <<'END'
kernel,arch,registers,stack_bytes,spill_store_bytes,spill_load_bytes,shared_bytes,block_threads,wide_load_bytes,narrow_load_bytes,wide_store_bytes,narrow_store_bytes,tags
copy_b,sm_90,40,16,4,8,2048,256,32,1,16,4,fast+reverse
plain,sm_90,12,0,0,0,0,0,0,0,0,2,
END
ok 'compiles' sh "$compile" ./nvcc -c k.cu -o k.cu.o
ok 'keeps the resources' diff wanted k.cu.csv
sh "$compile" ./nvcc -o k.cu.o 2>warnings
ok 'warnings go on' grep -q 'warning #177' warnings
ok 'the report does not' sh -c '! grep -q ptxas warnings'
ok 'nothing else is left' sh -c '! ls -d *.kept'
fails() { ! STATUS=1 sh "$compile" ./nvcc -o bad.o; }
ok 'an error is an error' fails
ok 'without a report' sh -c '! ls bad.csv'
tally
