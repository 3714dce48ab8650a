#!/bin/sh
# Builds the lessons and writes their transcripts anew. Read the difference (git diff) before keeping it.
#   tests/lessons/refresh_transcripts.sh            all lessons
#   tests/lessons/refresh_transcripts.sh 00_tour    one
set -eu

script=$(readlink -f -- "$0")
root=${script%/tests/lessons/refresh_transcripts.sh}
# shellcheck source=lessons/support/build.sh
. "$root/lessons/support/build.sh"

for lesson in ${1:-$(lesson_names)}; do
  build lessons "$root/build" "$lesson"
  "$root/tests/lessons/transcripts_test.sh" --refresh "$root/build/lessons" "$lesson"
done
