#!/bin/sh
# A lesson as a process: what goes to which stream, and the exit status.
#   lesson_process_test.sh LESSON        LESSON is the built tour
# shellcheck disable=SC2015,SC2016,SC2217
set -u

lesson=$1
name=${lesson##*/}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect STATUS MESSAGE ARGUMENT...: the lesson ends so, its one line on standard error is MESSAGE, its page is empty.
expect() {
  wanted_status=$1
  wanted=$2
  shift 2
  "$lesson" "$@" >page 2>words </dev/null
  status=$?
  [ "$status" -eq "$wanted_status" ] || fail "$*: status $status, not $wanted_status"
  [ "$(cat words)" = "$name: $wanted" ] || fail "$*: said \"$(cat words)\", not \"$name: $wanted\""
  [ ! -s page ] || fail "$*: wrote a page"
}

# Bad options: one line, status 2, no page.
expect 2 'unknown option --sed: did you mean --seed? (--help lists them all)' --sed 1
expect 2 '--seed takes a whole number from 0 to 18446744073709551615, not "-1"' --seed -1
expect 2 '--threads takes a whole number from 1 to 256, not "0"' --matmul blocked --threads 0
expect 2 '--threads takes a whole number from 1 to 256, not "-1"' --threads -1
expect 2 '--threads takes a whole number from 1 to 256, not "257"' --threads 257
expect 2 '--matmul takes naive or blocked, not "fast"' --matmul fast
expect 2 '--text needs a value, but an option follows; if "--seed" is the value, write it after --text=' --text --seed 1
expect 2 '--text-file: cannot open "none": No such file or directory' --text-file none
expect 2 '--pause needs a terminal to wait for your keys: leave it out in a pipe or a script' --pause
for place in '--memory=dog --seed 1' '--seed 1 --memory dog' '--memory dog --face json' '--explain X[0,0] --memory dog'; do
  # shellcheck disable=SC2086 # several arguments each
  expect 2 '--memory gives a second text, and this lesson has only one: leave out --memory' $place
done

# What is refused late leaves no weights behind.
echo kept >weights
"$lesson" --save-weights weights --explain 'nothing[0,0]' >page 2>words </dev/null
[ "$(cat weights)" = kept ] || fail 'weights were written although the address was refused'
"$lesson" --save-weights weights --memory dog >page 2>words </dev/null
[ "$(cat weights)" = kept ] || fail 'weights were written although --memory was refused'
expect 2 '--memory has an empty value: --memory TEXT' --memory=
for arguments in '--heads 7 --d-model 8' '--heads 7 --d-model 8 --weights torch' '--head 5' '--d-model 8'; do
  # shellcheck disable=SC2086 # several arguments each
  "$lesson" $arguments >page 2>words
  status=$?
  [ "$status" -eq 2 ] || fail "$arguments: status $status, not 2"
  [ ! -s page ] || fail "$arguments: wrote a page"
  [ "$(wc -l <words)" -eq 1 ] || fail "$arguments: said $(cat words)"
done
printf 'caf\351' >latin1
"$lesson" --text-file latin1 >page 2>words
[ $? -eq 2 ] && [ ! -s page ] && [ "$(wc -l <words)" -eq 1 ] || fail "Latin 1 is not refused in one line: $(cat words)"

# What is asked for goes to standard output, with nothing beside it.
for arguments in --help --version '' '--face json'; do
  # shellcheck disable=SC2086
  "$lesson" $arguments >page 2>words || fail "\"$arguments\" fails: $(cat words)"
  [ -s page ] || fail "\"$arguments\" prints nothing"
  [ ! -s words ] || fail "\"$arguments\" says $(cat words)"
done
"$lesson" --help | grep -q '^Usage: lessons/run' || fail "--help does not say how lessons are run"
"$lesson" --version | grep -q "^$name of attention_steps [0-9.]*\$" || fail "--version does not say what this is"

# The same text from an argument, a file and standard input is the same page.
"$lesson" --text 'a dog sat' --face json >argument
echo 'a dog sat' >text
"$lesson" --text-file text --face json | cmp - argument || fail "a text from a file is another text"
"$lesson" --text-file - --face json <text | cmp - argument || fail "a text from standard input is another text"

# What is no text file, or none that a page has room for, is told at once. A pipe is waited for, as any program does.
expect 2 '--text-file: cannot read ".": Is a directory' --text-file .
for endless in /dev/zero huge; do
  [ $endless != huge ] || truncate -s 20G huge
  expect 2 "--text-file: \"$endless\" holds more than 1048576 bytes: give a shorter text" --text-file $endless
done
rm huge
mkfifo later
{ sleep 1 && echo 'a dog sat' >later; } &
"$lesson" --text-file later --face json | cmp - argument || fail "a text from a pipe is another text"
wait $!
yes sat | head -n 100000 >text
expect 2 'the text has 100000 tokens, and a page has room for 1024 at most: give a shorter text' --text-file text

# Colour goes into a pipe only when it is asked for, and then NO_COLOR does not matter.
escape=$(printf '\033')
TERM=xterm "$lesson" | grep -q "$escape" && fail "colour in a pipe"
TERM=xterm NO_COLOR=1 "$lesson" --color always | grep -q "$escape" || fail "--color always gives way to NO_COLOR"
"$lesson" --color never --ascii --text 'a dog sat' | LC_ALL=C grep -q '[^ -~]' && fail "--ascii prints more than ASCII"

# A reader that leaves, a disk that is full: a line, a status, no crash.
# (A page is smaller than a pipe, so the reader must be gone before it is written.)
mkfifo gone
sleep 1 <gone &
exec 3>gone
wait $!
"$lesson" >&3 2>words
status=$?
exec 3>&-
[ $status -eq 1 ] || fail "a closed pipe: status $status"
[ "$(cat words)" = "$name: standard output: the reader closed it before the page ended" ] || fail "a closed pipe: $(cat words)"
if [ -e /dev/full ]; then
  "$lesson" >/dev/full 2>words
  status=$?
  [ $status -eq 1 ] || fail "a full disk: status $status"
  [ "$(cat words)" = "$name: standard output: cannot write the page: No space left on device" ] || fail "a full disk: $(cat words)"
  expect 1 '--out "/dev/full": cannot write the page: No space left on device' --out /dev/full
fi
"$lesson" >&- 2>words
[ $? -eq 1 ] || fail "a closed standard output is not an error"

# --out: the page and nothing else, with the mode it had.
"$lesson" >expected
"$lesson" --out out >page 2>words || fail "--out fails: $(cat words)"
[ ! -s page ] && [ ! -s words ] || fail "--out prints beside the file"
cmp out expected || fail "--out writes another page"
chmod 604 out
ln -s out link
"$lesson" --out link --text 'a dog sat' || fail "--out through a link fails"
[ -h link ] && ! cmp -s out expected || fail "--out does not follow a link"
case $(ls -l out) in -rw----r--*) ;; *) fail "--out changes the mode: $(ls -l out)" ;; esac
"$lesson" --out /dev/stdout | cmp - expected || fail "--out /dev/stdout is not standard output"
expect 2 '--out "no/page": cannot write the page: No such file or directory' --out no/page

# Standard output by its name, when it is a file: what is there stays, and what comes after comes after.
{ echo before && "$lesson" --out /dev/stdout && echo after; } >all || fail "--out /dev/stdout into a file fails"
{ echo before && cat expected && echo after; } | cmp - all || fail "--out /dev/stdout does not write where it stands"

# Nobody to complain to: the status says it.
if [ -e /dev/full ]; then
  "$lesson" --sed 1 >page 2>/dev/full
  [ $? -eq 2 ] || fail "a full standard error"
fi
"$lesson" --sed 1 >page 2>&-
[ $? -eq 2 ] || fail "a closed standard error"
"$lesson" >&- 2>&-
[ $? -eq 1 ] || fail "both closed"

# A terminal narrower than the narrowest page shows that page.
if command -v script >/dev/null 2>&1; then
  "$lesson" --width 60 >narrow
  for columns in 1 8 12 30 59 60; do
    export lesson columns
    script -qec 'stty cols $columns -opost; "$lesson" --color never' /dev/null </dev/null | cmp - narrow ||
      fail "a terminal of $columns columns"
  done
fi

[ $failures -eq 0 ] && echo "a lesson as a process: all held"
exit $failures
