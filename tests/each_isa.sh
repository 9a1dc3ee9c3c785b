#!/bin/sh
# Usage: sh tests/each_isa.sh COMMAND...
# Runs COMMAND once per instruction set that this processor has. PyTorch, oneDNN, MKL, NumPy and
# OpenBLAS are told which one to use, because each instruction set adds in another order.

failed=

with() {
    name=$1 settings=$2
    shift 2
    echo "== $name"
    # shellcheck disable=SC2086 # several words
    env $settings "$@" || failed="$failed $name"
}

has() {
    grep -qw "$1" /proc/cpuinfo 2>/dev/null
}

with sse4 "ATEN_CPU_CAPABILITY=default ONEDNN_MAX_CPU_ISA=SSE41 MKL_CBWR=COMPATIBLE \
OPENBLAS_CORETYPE=Nehalem OMP_NUM_THREADS=1 \
NPY_DISABLE_CPU_FEATURES=X86_V3,X86_V4,AVX512_ICL,AVX512_SPR" "$@"
has avx2 && with avx2 "ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 MKL_CBWR=AVX2 \
OPENBLAS_CORETYPE=Haswell NPY_DISABLE_CPU_FEATURES=X86_V4,AVX512_ICL,AVX512_SPR" "$@"
has avx512dq && with avx512 "ATEN_CPU_CAPABILITY=avx512 ONEDNN_MAX_CPU_ISA=AVX512_CORE \
MKL_CBWR=AVX512 OPENBLAS_CORETYPE=SkylakeX" "$@"

[ -z "$failed" ] || {
    echo "failed with:$failed" >&2
    exit 1
}
