#!/bin/sh
# Installs what was built, and runs an installed lesson, also after the folder has moved.
#   install_test.sh BUILD_FOLDER
set -eu

lessons=$(dirname -- "$(readlink -f -- "$0")")/../../lessons
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "FAILED: $*"
  exit 1
}

cmake --install "$build" --prefix "$folder/first place" >words 2>&1 || fail "$(cat words)"
[ -e 'first place/share/doc/attention_steps/LICENSE' ] || fail 'the licence is not installed'
for lesson in "$lessons"/[0-9]*.cpp "$lessons"/attend.cpp; do
  name=$(basename -- "$lesson" .cpp)
  [ -x "first place/libexec/attention_steps/$name" ] || fail "$name is not installed"
done

"$build/lessons/00_tour" >page
'first place/libexec/attention_steps/00_tour' | cmp - page || fail 'the installed tour is another'
mv 'first place' 'second place'
'second place/libexec/attention_steps/00_tour' | cmp - page || fail 'the tour does not run where it was moved to'
echo 'installed lessons run, wherever they are'
