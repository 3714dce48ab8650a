# shellcheck shell=sh
# What lessons/run, tests/run and tests/bench/run share: install what is missing, configure, build. They set $script and $root.
# shellcheck disable=SC2154

say() {
  printf '%s\n' "$*" >&2
}

# fail STATUS MESSAGE...
fail() {
  status=$1
  shift
  say "${script#"$root/"}: $*"
  exit "$status"
}

# quoted TEXT: as a message may show it, on one line, cut when long.
quoted() {
  printf '"%s"\n' "$(printf %s "$1" | LC_ALL=C tr '[:cntrl:]' '?' | sed 's/[[:cntrl:]]/?/g; s/^\(.\{60\}\)..*/\1.../')"
}

# "00_tour 01_tokenize ...": names of lessons hold no spaces.
lesson_names() {
  separator=
  for file in "$root"/lessons/[0-9]*.cpp; do
    file=${file##*/}
    printf '%s' "$separator${file%.cpp}"
    separator=' '
  done
}

has_tool() {
  command -v "$1" >/dev/null 2>&1
}

# CXX may name a compiler with arguments, such as "ccache g++", which CMake takes too.
has_compiler() {
  # shellcheck disable=SC2086 # several words
  set -- ${CXX:-c++}
  has_tool "$1"
}

has_header() {
  # shellcheck disable=SC2086 # several words
  printf '#include <%s>\n' "$1" | ${CXX:-c++} -E -x c++ - >/dev/null 2>&1
}

# missing_packages PRESET: Debian's names of what is not there. Whoever put a tool or a header there, it counts.
missing_packages() {
  has_tool cmake || printf ' cmake'
  has_tool ninja || has_tool make || printf ' ninja-build'
  has_compiler || printf ' g++'
  has_header fmt/core.h || printf ' libfmt-dev'
  has_header CLI/CLI.hpp || printf ' libcli11-dev'
  has_header utf8proc.h || printf ' libutf8proc-dev'
  case $1 in
    lessons | bench) return ;;
  esac
  has_header catch2/catch_all.hpp || has_header catch2/catch.hpp || printf ' catch2'
  has_header nlohmann/json.hpp || printf ' nlohmann-json3-dev'
}

# quietly COMMAND...: what it prints is shown only when it fails.
quietly() {
  output=$("$@" 2>&1) || {
    say "$output"
    return 1
  }
}

# install_packages PACKAGE...
install_packages() {
  by_hand="as root: apt-get update && apt-get install $*"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    has_tool sudo || fail 1 "something is missing; install it $by_hand"
    as_root=sudo
    [ -t 0 ] || as_root='sudo -n' # nobody is there to type a password
  fi
  say "Installing $*"
  for command in update "install -y --no-install-recommends $*"; do
    # Another apt may be at work: wait for it.
    # shellcheck disable=SC2086 # several words each
    quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 $command ||
      fail 1 "could not install what is missing; try it $by_hand"
  done
}

# install_missing PRESET
install_missing() {
  packages=$(missing_packages "$1")
  [ -n "$packages" ] || return 0
  if has_tool apt-get; then
    # shellcheck disable=SC2086 # one word per package
    install_packages $packages
    return
  fi
  case $packages in
    *' cmake'* | *' ninja-build'* | *' g++'*) fail 1 "please install (Debian's names):$packages" ;;
    *) say "Not found here, so CMake downloads:$packages" ;;
  esac
}

# configure PRESET FOLDER
configure() {
  install_missing "$1"
  generator='Unix Makefiles'
  ! has_tool ninja || generator=Ninja
  # A build folder remembers its checkout and its generator: one that was made elsewhere is no use here.
  if [ -e "$2/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$2/CMakeCache.txt"; then
    find "$2" -mindepth 1 -delete
  fi
  if [ ! -e "$2/CMakeCache.txt" ]; then
    how_long='less than half a minute'
    case $1 in
      debug | release | asan | tsan) how_long='some minutes' ;;
    esac
    say "Building for the first time: $how_long"
  fi
  [ ! -e "$2/Makefile" ] || generator='Unix Makefiles'
  quietly cmake -S "$root" --preset "$1" -G "$generator" || fail 1 "CMake could not configure the build"
}

# Make files, CMake's lists or the compiler's -D would take these characters of a path for their own. To CMake, what
# follows an open bracket belongs to the same item of a list.
require_path_for_building() {
  for character in '#' '"' ';' \\; do
    case $root in
      *"$character"*) fail 1 "a checkout cannot be built where its path holds $character: move it to another folder" ;;
    esac
  done
  open=$(printf %s "$root" | tr -cd '[')
  closed=$(printf %s "$root" | tr -cd ']')
  [ ${#open} -eq ${#closed} ] ||
    fail 1 "a checkout cannot be built where its path holds a [ or ] without its other half: move it to another folder"
}

# build PRESET FOLDER TARGET
# shellcheck disable=SC2094 # the folder is opened for its lock, not read
build() {
  require_path_for_building
  { mkdir -p "$2" && [ -w "$2" ]; } 2>/dev/null ||
    fail 1 "cannot write to $2: copy the checkout to a folder of your own"
  # One at a time in one build folder. The lock ends with the subshell.
  (
    ! has_tool flock || flock 9
    # The configured build fits this checkout and these lessons; no CMake is started to find that out.
    fitting="$root: $(lesson_names)"
    configured=
    [ ! -e "$2/configured" ] || IFS= read -r configured <"$2/configured" || :
    if [ "$configured" != "$fitting" ]; then
      configure "$1" "$2"
      printf '%s\n' "$fitting" >"$2/configured"
    fi
    if [ -e "$2/build.ninja" ]; then
      quietly ninja -C "$2" "$3"
    else
      quietly make -C "$2" -j "$(getconf _NPROCESSORS_ONLN)" "$3"
    fi || fail 1 "the build failed; the compiler's words are above"
  ) 9<"$2"
}
