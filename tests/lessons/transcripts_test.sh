#!/bin/sh
# Compares what lessons print with the transcripts that are kept, byte for byte; or writes them anew.
#   transcripts_test.sh LESSONS_FOLDER [LESSON]              differences are shown; exit status 1 when there are any
#   transcripts_test.sh --refresh LESSONS_FOLDER [LESSON]    writes the transcripts from what the lessons print now
# LESSONS_FOLDER holds the built lessons. Which pages there are stands in transcripts/pages.
set -eu

here=$(dirname -- "$(readlink -f -- "$0")")
folder=$here/transcripts
refresh=no
if [ "${1-}" = --refresh ]; then
  refresh=yes
  shift
fi
lessons=${1:?which folder has the built lessons?}
only=${2-}

# Neither the width of a terminal nor a locale may matter.
unset COLUMNS NO_COLOR
export LC_ALL=C

printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
count=0
kept=

# page LESSON NAME OPTION...
# shellcheck disable=SC2317 # called by eval
page() {
  lesson=$1
  name=$1.$2.txt
  shift 2
  [ "$lesson" = attend ] || set -- --timing off "$@" # what is measured is never twice the same
  count=$((count + 1))
  kept="$kept $name"
  if ! "$lessons/$lesson" "$@" >"$printed" 2>&1 </dev/null; then
    printf '%s: the lesson failed: %s\n' "$name" "$(tail -n 1 "$printed")"
    failed=1
  elif [ "$refresh" = yes ]; then
    cp -- "$printed" "$folder/$name"
  elif [ ! -e "$folder/$name" ]; then
    printf '%s is missing: tests/lessons/refresh_transcripts.sh writes it\n' "$name"
    failed=1
  elif ! cmp -s -- "$folder/$name" "$printed"; then
    printf '%s differs (- kept, + printed now). If the change is meant: tests/lessons/refresh_transcripts.sh\n' "$name"
    diff -u -- "$folder/$name" "$printed" | tail -n +3 | cut -c 1-240 | head -n 60 || :
    failed=1
  fi
}

for source in "$here"/../../lessons/[0-9]*.cpp "$here"/../../lessons/attend.cpp; do
  current=${source##*/}
  current=${current%.cpp}
  [ -z "$only" ] || [ "$only" = "$current" ] || continue
  while read -r which name options; do
    case $which in
      '*') [ "$current" != attend ] || continue ;; # the options of lessons are not attend's
      "$current") ;;
      *) continue ;;
    esac
    eval "page $current $name $options" # the options are quoted as for a shell
  done <"$folder/pages"
done

[ "$count" -gt 0 ] || { printf 'there is no lesson %s\n' "$only"; exit 1; }

# A transcript that no line of `pages` names would never be compared again.
for file in "$folder/$only"*.txt; do
  case $kept in
    *" ${file##*/}"*) ;;
    *)
      if [ "$refresh" = yes ]; then
        rm -- "$file"
      elif [ -e "$file" ]; then
        printf '%s belongs to no page in tests/lessons/transcripts/pages\n' "${file##*/}"
        failed=1
      fi
      ;;
  esac
done

[ "$failed" -eq 0 ] && printf '%s pages are as kept\n' "$count"
exit $failed
