#!/bin/sh
# Runs pytorch_lines_test.py with a Python that has PyTorch; exit status 77 where there is none.
#   pytorch_lines_test LESSONS_FOLDER
set -eu
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import torch' 2>/dev/null; then
    exec "$python" "$(dirname -- "$0")/pytorch_lines_test.py" "$1"
  fi
done
echo 'skipped: no python3 here can import torch'
exit 77
