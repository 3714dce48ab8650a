#!/bin/sh
# Looks into the kernels as they were compiled, one object file for each level.
#   levels_test.sh NAME=OBJECT...        NAME: plain, base, avx2 or avx512
# - None has a function that another file might have too: the linker would keep either, and a processor might meet
#   instructions that it does not know.
# - Where the level has fused multiply-adds, products use them: without, they take twice as long.
set -eu

failed=0
for level; do
  name=${level%%=*}
  object=${level#*=}
  shared=$(nm -C "$object" | grep -E ' [VWuvw] ' || :)
  if [ -n "$shared" ]; then
    printf '%s: others may have these, too:\n%s\n' "$name" "$shared"
    failed=1
  fi
  case $name in
    avx2) register=ymm ;;
    avx512) register=zmm ;;
    *) continue ;;
  esac
  count=$(objdump -d --no-show-raw-insn "$object" | grep -cE "vf(n?)madd.*%$register" || :)
  if [ "$count" -lt 100 ]; then
    printf '%s: %s fused multiply-adds of %s; is contraction off?\n' "$name" "$count" "$register"
    failed=1
  fi
done
exit "$failed"
