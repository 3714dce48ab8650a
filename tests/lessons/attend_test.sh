#!/bin/sh
# attend as a process: its lines, its streams, its exit status.
#   attend_test.sh ATTEND GOLDEN        ATTEND is the built program, GOLDEN the folder of reference cases
# shellcheck disable=SC2015,SC2016
set -u

attend=$1
golden=$(readlink -f -- "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# ends STATUS ARGUMENT...: attend ends so. What it printed stands in page, what it said in words.
ends() {
  wanted=$1
  shift
  "$attend" "$@" >page 2>words </dev/null
  status=$?
  [ "$status" -eq "$wanted" ] || fail "$*: status $status, not $wanted: $(head -c 300 words)"
}

# refused MESSAGE ARGUMENT...: status 2, that one line, no page.
refused() {
  message=$1
  shift
  ends 2 "$@"
  [ "$(cat words)" = "attend: $message" ] || fail "$*: said \"$(cat words)\", not \"attend: $message\""
  [ ! -s page ] || fail "$*: wrote a page"
}

# printed LINE: the page has that line.
printed() {
  grep -qxF -- "$1" page || fail "no line \"$1\" in: $(head -c 2000 page)"
}

case_of() { # case_of FILE LINE...
  file=$1
  shift
  { printf 'case mine\n' && printf '%s\n' "$@" && printf 'end\n'; } >"$file"
}

# Softmax of ln 1 and ln 3 is 1/4 and 3/4.
case_of good 'op Softmax' 'source by-hand' 'tolerance 1e-06 0' 'input x float32 1 2 0 1.0986123' 'output y float32 1 2 0.25 0.75'
case_of off 'op Softmax' 'tolerance 1e-06 0' 'input x float32 1 2 0 1.0986123' 'output y float32 1 2 0.25 0.5'
case_of precise 'op Softmax' 'tolerance 1e-12 1e-09' 'input x float64 1 2 0 1.0986122886681098' 'output y float64 1 2 0.25 0.75'
case_of shape 'op Softmax' 'input x float32 1 2 0 0' 'output y float32 2 1 2 0.5 0.5'
case_of silent 'op Softmax' 'input x float32 1 2 0 1'
case_of unknown 'op Softmin' 'input x float32 1 2 0 1' 'output y float32 1 2 0 1'
case_of nan 'op Softmax' 'input x float32 1 2 0 0' 'output y float32 1 2 nan 0.5'

ends 0 --compare good
printed 'passed  good: 1 output, allowed 1e-06 + 0 |theirs|'
printed '1 passed, 0 failed'
ends 1 --compare off
printed 'FAILED  off: 1 output, allowed 1e-06 + 0 |theirs|'
printed '        FAILED y (on the page: shares): 1 of 2 numbers are too far off; largest difference 0.25, at [1]: ours 0.75, theirs 0.5'
printed '0 passed, 1 failed'
[ ! -s words ] || fail "--compare says: $(cat words)"
ends 0 --compare precise
printed 'passed  precise: 1 output, allowed 1e-05 + 1e-05 |theirs|, not 1e-12 + 1e-09 |theirs|, because the case is in float64 and we compute in float32'
ends 1 --compare shape
printed '        FAILED y (on the page: shares): ours is [2], theirs [1, 2]'
ends 1 --compare nan
ends 1 --compare good off precise
printed '2 passed, 1 failed'
[ "$(wc -l <page)" -eq 5 ] || fail "many files: $(cat page)"
ends 2 --compare good unknown off
printed '1 passed, 1 failed, 1 not compared: see the message'
[ "$(wc -l <words)" -eq 1 ] || fail "a bad file among good ones: $(cat words)"
grep -qF 'attend: unknown: there is no operator Softmin here: did you mean Softmax? Known are: AlibiAttention AlibiSlopes' words ||
  fail "an unknown operator: $(cat words)"
refused 'silent: the case gives no outputs, so there is nothing to compare: leave out --compare' --compare silent
# It is refused before it is computed: what would be wrong then is not told.
case_of silent-and-bad 'op Softmax' 'attr axis 7' 'input x float32 1 2 0 1'
refused 'silent-and-bad: the case gives no outputs, so there is nothing to compare: leave out --compare' --compare silent-and-bad
ends 0 silent
ends 1 off
"$attend" --compare - <good | grep -q '^passed  -: ' || fail 'a case from standard input'
ends 0 good --compare
printed '1 passed, 0 failed'

# Bad files and options.
refused 'none: cannot be opened: No such file or directory' none
refused 'which case? give a FILE; --help says what it holds'
refused 'one page shows one case, not 2: add --compare to compare them all' good off
refused 'unknown option --compar: did you mean --compare? (--help lists them all)' --compar good
refused 'unknown option --text: did you mean --depth? (--help lists them all)' good --text=a
refused '--write "good" would replace the case: give another name' good --write good
refused '--matrix takes places with commas between them, as 1,2, not "1,"' good --matrix 1,
refused '--compare prints lines and no page: leave out --face, --pause, --explain, --width, --precision and --ascii, or leave out --compare' --compare good --face json
refused '--compare prints lines and no page: leave out --face, --pause, --explain, --width, --precision and --ascii, or leave out --compare' --compare good --width 60
refused '--write needs a file: the page goes to standard output' good --write -
refused '--write "no/where": cannot write the case: No such file or directory' good --write no/where
# Of a long name the end tells which file is meant.
long=$(printf 'd%.0s' $(seq 100))
cp good "$long"
ends 0 --compare "$long"
grep -q "^passed  $long: " page || fail "a long name is cut: $(head -1 page)"
refused '--pause needs a terminal to wait for your keys: leave it out in a pipe or a script' good --pause
case_of typo 'op ScaledDotProductAttention' 'input Q float32 2 1 1 1' 'input K float32 2 1 1 1' 'input V float32 2 1 1 1' 'input bais float32 2 1 1 1'
refused 'typo: ScaledDotProductAttention has no input bais: did you mean bias? It knows: Q K V mask bias' typo
case_of missing 'op ScaledDotProductAttention' 'input Q float32 2 1 1 1' 'input K float32 2 1 1 1'
refused 'missing: ScaledDotProductAttention needs the input V, and the case has none of that name: add it' missing
case_of attribute 'op Softmax' 'attr axes 0' 'input x float32 1 1 1'
refused 'attribute: Softmax has no attribute axes: did you mean axis? It knows: axis opset' attribute
case_of rank 'op ScaledDotProductAttention' 'input Q float32 0 1' 'input K float32 1 1 1' 'input V float32 2 1 1 1'
ends 2 rank
[ "$(wc -l <words)" -eq 1 ] || fail "wrong ranks: $(cat words)"
case_of axis 'op Softmax' 'attr axis 9223372036854775807' 'input x float32 2 1 1 1'
refused 'axis: Softmax: there is no axis 9223372036854775807 in x [1, 1]: give one from -2 to 1' axis
case_of number 'op LayerNormalization' 'input X float32 0 1' 'input W float32 0 1'
refused 'number: LayerNormalization: X is a single number and has no axis: give it one, with the rank 1 and the size 1' number
: >empty
refused 'empty:1: the file ends too soon: found the end of the file, expected a keyword such as input, or end' empty
mkdir folder
refused 'folder: cannot be read: Is a directory' folder
refused '/dev/zero: the file is larger than 268435456 bytes: give fewer numbers, or some by a formula, as hashed does' /dev/zero
mkfifo pipe
cat good >pipe &
ends 0 --compare pipe
printed 'passed  pipe: 1 output, allowed 1e-06 + 0 |theirs|'
wait
case_of large 'op CausalMask' 'attr size 1000000'
refused 'large: CausalMask: all steps together would take 3000000000000 numbers (the largest step is [1000000, 1000000]), and may take 16777216: give smaller sizes' large
case_of output 'op Softmax' 'input x float32 1 1 1' 'output z float32 1 1 1'
refused 'output: Softmax has no output z: did you mean y? It knows: y log_y' output

# The page.
ends 0 good --face json
grep -q '"options": {"case": "mine", "operator": "Softmax"}' page || fail "the trace: $(head -c 300 page)"
ends 0 good --explain 'shares[1]'
grep -q 'shares\[1\]' page || fail "--explain: $(cat page)"
case_of tokens 'op ScaledDotProductAttention' 'input Q float32 2 1 1 1' 'input K float32 2 1 1 1' 'input V float32 2 1 1 3' 'output output float32 2 1 1 3'
ends 0 tokens --explain 'output[0,0]'
grep -q 'context\[0, 0\]' page || fail "--explain of an output: $(cat page)"
ends 0 tokens --compare
grep -q '^        output (on the page: context): largest difference ' page || fail "an output that is another step: $(cat page)"
ends 0 good --ascii
LC_ALL=C grep -q '[^ -~]' page && fail '--ascii prints more than ASCII'
ends 0 --help
grep -q '^Usage: lessons/run attend FILE' page || fail '--help'
ends 0 --version
grep -q '^attend of attention_steps [0-9.]*$' page || fail '--version'
ends 0 good --out out
"$attend" good | cmp - out || fail '--out writes another page'
if [ -e /dev/full ]; then
  # 1 would say that an output is not met.
  for arguments in '--compare good' 'good' 'good --out /dev/full' 'good --write /dev/full' '--compare good --write /dev/full'; do
    # shellcheck disable=SC2086 # several words
    "$attend" $arguments >/dev/full 2>words
    status=$?
    [ $status -eq 2 ] || fail "a full disk, $arguments: status $status, not 2"
    grep -q '^attend: .*: No space left on device$' words || fail "a full disk, $arguments: $(cat words)"
    [ "$(wc -l <words)" -eq 1 ] || fail "a full disk, $arguments: $(cat words)"
  done
fi

# --write: our outputs, which then hold exactly; the rest of the case as it was.
ends 0 silent --write written
grep -q '^source attention_steps-[0-9.]*$' written || fail "who computed it: $(cat written)"
grep -q '^output log_y float32 1 2$' written || fail "an output that was not asked for: $(cat written)"
ends 0 --compare written
"$attend" written --write again >/dev/null && cmp written again || fail 'written again it is another'
ends 1 off --compare --write mended
ends 0 --compare mended
refused '--write writes one case: give one FILE' --compare good off --write both

# The case that lessons/README.md shows, copied to a file.
awk '/^A case is a text file/ { near = 1 } /^```/ && near { if (inside) exit; inside = 1; next } inside' \
  "$golden/../../lessons/README.md" >shown
ends 0 shown
ends 0 shown --compare
printed 'passed  shown: 1 output, allowed 1e-05 + 1e-05 |theirs|'

# Every reference case whose operator is known.
find "$golden" -name '*.case' ! -path '*/random/*' ! -path '*/world/*' ! -path '*/layers/dec_*' | sort >cases
# shellcheck disable=SC2046 # no name has a space in it
ends 0 --compare $(cat cases)
printed "$(wc -l <cases) passed, 0 failed"

[ $failures -eq 0 ] && echo 'attend does as it says'
exit $failures
