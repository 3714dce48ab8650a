#!/bin/sh
# Every way to end the program ends it, many times over: no thread is left behind, and none is waited for in vain.
#   exit_test.sh PROGRAM
set -eu

for way in 'return' 'another thread goes on' 'from within work' 'a destructor works' 'in a forked process'; do
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    status=0
    timeout 20 "$1" "$way" || status=$?
    if [ "$status" -ne 0 ]; then
      printf '%s: status %s (124 is a program that did not end)\n' "$way" "$status"
      exit 1
    fi
  done
done
