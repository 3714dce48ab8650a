#!/bin/sh
# lessons/run and tests/run, in a checkout of their own with small lessons, so that a build takes a second.
#   run_scripts_test.sh CHECKOUT
# shellcheck disable=SC2015,SC2016
set -u

checkout=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect STATUS OUTPUT COMMAND...: the command ends so, and prints just that on standard output.
expect() {
  wanted_status=$1
  wanted=$2
  shift 2
  got=$("$@" 2>"$folder/words" </dev/null)
  status=$?
  [ "$status" -eq "$wanted_status" ] || fail "$*: status $status, not $wanted_status: $(cat "$folder/words")"
  [ "$got" = "$wanted" ] || fail "$*: printed \"$got\", not \"$wanted\""
}

# said WORDS: they are part of what the last command said on standard error.
said() {
  grep -qF -- "$1" "$folder/words" || fail "expected \"$1\" in: $(cat "$folder/words")"
}

# add_lesson NAME QUESTION
add_lesson() {
  printf '// Lesson\n//\n// Question   %s\n\n' "$2" >"lessons/$1.cpp"
  cat >>"lessons/$1.cpp" <<'END'
#include <cstdio>
int main(int count, char** arguments) {
  std::printf("page");
  for (int i = 1; i < count; ++i) std::printf(" <%s>", arguments[i]);
  std::printf("\n");
  return count == 3 ? 7 : 0;
}
END
}

root="$folder/a checkout with 'odd' letters"
mkdir -p "$root/lessons/support" "$root/tests"
cd "$root" || exit 1
cp "$checkout/lessons/run" lessons/
cp "$checkout/lessons/support/build.sh" lessons/support/
cp "$checkout/tests/run" tests/
cp "$checkout/CMakePresets.json" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.24)
project(small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lessons)
string(REGEX REPLACE "([][])" "[\\1]" here ${PROJECT_SOURCE_DIR})
file(GLOB lessons RELATIVE ${PROJECT_SOURCE_DIR} ${here}/lessons/[0-9]*.cpp)
foreach(lesson IN LISTS lessons ITEMS lessons/attend.cpp)
  cmake_path(GET lesson STEM name)
  add_executable(${name} ${lesson})
  enable_testing()
  add_test(NAME ${name} COMMAND ${name})
endforeach()
END
add_lesson 00_tour 'What is it?'
add_lesson attend 'What of my own numbers?'
add_lesson 05_scores 'Who asks whom?'
add_lesson 06_scaling 'Why divide?'

# Twice at once in a checkout that was never built.
lessons/run >"$folder/first" 2>&1 &
lessons/run 00 >"$folder/second" 2>&1 || fail "the second of two at once: $(cat "$folder/second")"
wait $! || fail "the first of two at once: $(cat "$folder/first")"
grep -qx page "$folder/first" && grep -qx page "$folder/second" || fail "two at once do not both print their page"
[ ! -e build/lessons/05_scores ] || fail "a lesson was built that nobody asked for"

# Which lesson, and what belongs to it.
expect 0 'page' lessons/run
[ ! -s "$folder/words" ] || fail "a run without a build says: $(cat "$folder/words")"
for name in 5 05 005 05_scores scores score 05_scores.cpp lessons/05_scores.cpp; do
  case $name in
    005) expect 2 '' lessons/run $name ;;
    *) expect 0 'page <--ascii>' lessons/run "$name" --ascii ;;
  esac
done
expect 7 'page <--text> <a dog>' lessons/run 05 --text 'a dog'
expect 7 'page <--text> <a dog>' lessons/run --text 'a dog' 05
expect 0 'page <--ascii> <--text=a dog> <--pause>' lessons/run --ascii --text='a dog' scores --pause
expect 0 'page <--text> <--seed> <1>' lessons/run --text --seed 1
expect 7 'page <--text> <>' lessons/run --text ''
expect 7 'page <--text-file> <->' lessons/run --text-file -
expect 7 'page <--seed> <-1>' lessons/run --seed -1
expect 0 'page <--help>' lessons/run --help
expect 0 'page <--text>' lessons/run --text
expect 2 '' lessons/run sca --mask causal scores
said 'one lesson at a time'
expect 2 '' lessons/run 9
said 'there is no lesson "9"; there are: 00_tour 05_scores 06_scaling; a sentence goes after --text, in quotes'
expect 2 '' lessons/run 'the dog'
said 'there is no lesson "the dog"'
said 'a sentence goes after --text, in quotes'
expect 0 page lessons/run 0
expect 2 '' lessons/run sc
said '"sc" is part of several names; choose one of: 05_scores 06_scaling'
expect 2 '' lessons/run '*'
expect 2 '' lessons/run ''
for name in lessons/ .cpp /; do
  expect 2 '' lessons/run "$name"
  said "there is no lesson \"$name\""
done
# What the scripts repeat is on one line, obeys nothing, and is not long.
expect 2 '' lessons/run "$(printf 'a\033[31m\nb')"
said 'there is no lesson "a?[31m?b";'
[ "$(wc -l <"$folder/words")" -eq 1 ] || fail "more than a line: $(cat "$folder/words")"
expect 2 '' lessons/run "$(printf 'a\033b')" "$(printf 'c\033d')"
said 'not "a?b" and "c?d"'
sixty=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
expect 2 '' lessons/run "${sixty}x"
said "there is no lesson \"$sixty...\""
expect 2 '' lessons/run "$sixty"
said "there is no lesson \"$sixty\""
# Options that no lesson has are for the lesson to refuse.
expect 0 'page <-x>' lessons/run -x
expect 0 'page <-->' lessons/run --
expect 7 'page <-x> <--ascii>' lessons/run -x 05 --ascii
expect 0 'page <--text> <-x> <--seed> <05>' lessons/run --text -x --seed 05

expect 0 "00_tour               What is it?
05_scores             Who asks whom?
06_scaling            Why divide?" lessons/run list
expect 2 '' lessons/run list --ascii
said 'list takes nothing else: leave out "--ascii"'
expect 2 '' lessons/run --text 'a dog' list
expect 2 '' lessons/run list 05

# attend takes files, in the order in which they stand; it is built when it is asked for.
[ ! -e build/lessons/attend ] || fail "attend was built before anybody asked for it"
expect 7 'page <05> <--compare>' lessons/run attend 05 --compare
expect 0 'page <--help>' lessons/run attend --help
expect 0 'page' lessons/run attend
expect 2 '' lessons/run --ascii attend
said 'attend takes files, so its name comes first: lessons/run attend FILE [options]'

# From any folder, and through links.
mkdir "$folder/elsewhere"
cd "$folder/elsewhere" || exit 1
expect 0 page "$root/lessons/run"
ln -s "$root/lessons/run" tour
expect 0 page ./tour
ln -s tour again
expect 0 page ./again
PATH=$PATH:$folder/elsewhere
expect 0 page again
cd "$root" || exit 1
CDPATH=/tmp expect 0 page lessons/run

# A new lesson, an edit, a mistake, and the mistake mended.
add_lesson 07_mine 'Mine?'
expect 0 page lessons/run 7
sed 's/page/other page/' lessons/07_mine.cpp >edited
mv edited lessons/07_mine.cpp
expect 0 'other page' lessons/run 7
echo 'this is no C++' >>lessons/07_mine.cpp
expect 1 '' lessons/run 7
said 'this is no C++'
said 'the build failed'
expect 0 page lessons/run 5
rm lessons/07_mine.cpp
expect 0 page lessons/run
expect 2 '' lessons/run 7

# A checkout that has moved.
moved="$folder/moved"
mv "$root" "$moved"
cd "$moved" || exit 1
expect 0 page lessons/run
grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$moved" build/CMakeCache.txt || fail "the build still belongs to the old place"
expect 0 page lessons/run
[ ! -s "$folder/words" ] || fail "a moved checkout is built again and again: $(cat "$folder/words")"

# A path with letters that a pattern or a make file could take for its own; where one cannot be built, it says so.
cd "$folder" || exit 1
moved_to() {
  mv "$moved" "$1"
  moved=$1
}
for name in 'br[x]' 'a]b[c' 'star*?' 'd$HOME' 'tick`x`' 'semi&(x)' 'col:x' 'pct%x' 'eq=x' 'at@x' 'lt<x>' "it's" 'sp  ace' '-dash' '~x'; do
  moved_to "$folder/$name"
  expect 0 page "$moved/lessons/run"
done
for letter in '#' '"' ';' \\; do
  moved_to "$folder/a${letter}b"
  expect 1 '' "$moved/lessons/run"
  [ "$(cat "$folder/words")" = "lessons/run: a checkout cannot be built where its path holds $letter: move it to another folder" ] ||
    fail "a path with $letter: $(cat "$folder/words")"
done
for name in 'a[b' 'a]b' '[a][b'; do
  moved_to "$folder/$name"
  for script in lessons/run tests/run; do
    expect 1 '' "$moved/$script"
    [ "$(cat "$folder/words")" = "$script: a checkout cannot be built where its path holds a [ or ] without its other half: move it to another folder" ] ||
      fail "the path $name: $(cat "$folder/words")"
  done
done
moved_to "$folder/moved"
cd "$moved" || exit 1

# A checkout that belongs to another. (Root may write everywhere, so a file stands where the folder should.)
rm -rf build
: >build
expect 1 '' lessons/run
[ "$(cat "$folder/words")" = "lessons/run: cannot write to $moved/build: copy the checkout to a folder of your own" ] ||
  fail "a checkout that cannot be written to: $(cat "$folder/words")"
rm build

# A compiler with arguments.
CXX='env c++' expect 0 page lessons/run
[ "$(cat "$folder/words")" = 'Building for the first time: less than half a minute' ] ||
  fail "a compiler with arguments: $(cat "$folder/words")"

# What is missing is named, or installed; nothing else is. The PATH here has only what it must have.
tools=$folder/tools
mkdir "$tools"
for tool in sh readlink sed tr cat mkdir find grep ninja make flock env mktemp rm cmake getconf; do
  found=$(command -v $tool) && ln -s "$found" "$tools/$tool"
done
printf '#!/bin/sh\necho "${user:-1000}"\n' >"$tools/id"
printf '#!/bin/sh\necho "apt-get $*" >>"%s/apt"\n' "$folder" >"$tools/apt-get"
chmod +x "$tools/id" "$tools/apt-get"
rm -rf build
PATH=$tools expect 1 '' lessons/run
said 'as root: apt-get update && apt-get install g++ libfmt-dev libcli11-dev libutf8proc-dev'
[ ! -e "$folder/apt" ] || fail "apt-get was called without being root"
user=0
export user
PATH=$tools CXX=/no/such/compiler expect 1 '' lessons/run
said 'Installing g++ libfmt-dev libcli11-dev libutf8proc-dev'
[ "$(cat "$folder/apt")" = 'apt-get -o DPkg::Lock::Timeout=600 update
apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends g++ libfmt-dev libcli11-dev libutf8proc-dev' ] ||
  fail "apt-get was called so: $(cat "$folder/apt")"
rm "$tools/apt-get"
PATH=$tools expect 1 '' lessons/run
said "please install (Debian's names): g++ libfmt-dev libcli11-dev libutf8proc-dev"

# tests/run builds all and ends with what ctest says.
"$moved/tests/run" >"$folder/output" 2>&1 || fail "tests/run: $(cat "$folder/output")"
grep -q '100% tests passed, 0 tests failed out of 4' "$folder/output" || fail "tests/run says: $(cat "$folder/output")"
grep -qx 'Building for the first time: some minutes' "$folder/output" || fail "tests/run says: $(cat "$folder/output")"
"$moved/tests/run" -R scaling 2>&1 | grep -q 'out of 1$' || fail "tests/run does not hand its options to ctest"
expect 2 '' tests/run --preset fast
said '--preset takes debug, release, asan or tsan, not "fast"'

[ $failures -eq 0 ] && echo "the scripts: all held"
exit $failures
