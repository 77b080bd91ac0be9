#!/usr/bin/env bash
# Tests the READMEs. Every `haruspex` command in a fenced block of a README.md runs, and its exit code is neither 2 nor 3;
# its output contains the lines shown below a command with a "$", in this order ("…" stands for anything); every file,
# script, link and command named in a README.md or CONTRIBUTING.md exists; the figures of README.md are those of corpus/.
#
#   tests/scripts/readme.sh [HARUSPEX]     the command to test; build/release/haruspex unless given
#
# With README_TIMES=1 it prints the time at which each command begins, in seconds, to standard error.
#
# Each README is run separately, in its own folder, where the test has put the files that a reader has by then: a small
# campaign `night`, case.json, corpus/ with two of its reports, … Markdown comments in a README give the test further
# instructions:
#
#   <!-- file: NAME -->      the fenced block that follows is the file NAME
#   <!-- run: COMMAND -->    run the command here
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
haruspex=$(realpath "${1:-$tree/build/release/haruspex}")

# Changes to the options of each command, by the longest matching prefix; a command without an entry fails the test.
#   --option=VALUE     replaces the option's value, if the option is shown, unless the shown value is a smaller number
#   +--option=VALUE    the same, but adds the option if it is not shown
# The output of a changed command is not compared.
declare -A shortened=(
    ['--version']=''
    ['fuzz']='--cases=4 --time=3s --other-sizes=1 --jobs=1 +--triage-runs=2'
    ['fuzz --against']='--cases=4 --time=3s --jobs=1'
    ['merge']='--jobs=1 +--triage-runs=2'
    ['status']=''
    ['features']=''
    ['generate']='--count=3'
    ['run']=''
    ['judge']=''
    ['show']=''
    ['init']=''
    ['compilers']=''
    ['reproduce']=''
    ['minimize']='--jobs=1 +--runs=3'
    ['minimize night/findings/compiler_internal_error-bd2862bf/7-3']=''
    ['triage']='--jobs=1 --most-runs=3 +--runs=3'
    ['known add']='+--runs=2'
    ['known list']=''
    ['known not']='+--runs=2'
    ['known split']='+--runs=2'
    ['known merge']=''
    ['versions']='--with=self'
    ['versions corpus']=''
    ['recheck']=''
    ['compare']=''
    ['file']=''
    ['interpret']=''
    ['tensor']=''
    ['validate']=''
    ['equivalence']=''
    ['measure --generate']='--generate=1 --jobs=1'
    ['measure --generate 1000 --seed 7 --show']=''
    ['measure --detect']='--detect=1 +--mutants=guard_one_more +--methods=interpreter'
    ['measure corpus/benchmarks']='+--rows=sdot +--methods=native'
    ['completion']=''
    ['manual']=''
)
# Longer than any command takes on a busy machine.
most_seconds=100

failed=0
complain() {
    printf '%s\n' "$1"
    failed=1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$haruspex" "$work/bin/haruspex"
export PATH="$work/bin:$PATH" LC_ALL=C.UTF-8

mapfile -d '' -t readmes < <(cd "$tree" && find . -path ./build -prune -o -name README.md -printf '%P\0' | LC_ALL=C sort -z)

# --- The reader's files ---

fixture=$work/fixture
mkdir -p "$fixture/corpus/regress/open"
cd "$fixture"
cases=4 finding=''
while [[ -z $finding ]]; do
    if [[ $cases -gt 1000 ]]; then
        echo "no finding among $cases cases of seed 7"
        exit 1
    fi
    code=0
    haruspex fuzz --cases "$cases" --seed 7 --triage-runs 3 --out night >"$work/log" 2>&1 || code=$?
    if [[ $code -gt 1 ]]; then
        cat "$work/log"
        echo "a campaign of $cases cases ends with $code"
        exit 1
    fi
    # The folder of findings is made with the first finding.
    finding=$(find night -mindepth 3 -maxdepth 3 -path 'night/findings/*' | LC_ALL=C sort | head -n 1)
    cases=$((cases * 2))
done
issue=$(find night/issues -mindepth 1 -maxdepth 1 -type d | LC_ALL=C sort | head -n 1)

cp -r "$tree/corpus/benchmarks" "$tree/corpus/known" corpus/
is_replaced=''
for report in min-accumulation-trimmed tuple-update-reads-new-component; do
    cp -r "$tree/corpus/regress/open/$report" corpus/regress/open/
    # Another version of Halide may not have these bugs.
    said=$(haruspex reproduce "corpus/regress/open/$report" 2>&1) || true
    if [[ $said != 'the finding still shows, exactly'* ]]; then
        cp "$finding"/* "corpus/regress/open/$report/"
        is_replaced=yes
    fi
done
haruspex generate --seed 7 --first 17 --count 1 >case.json
haruspex generate --seed 7 --count 3 >cases.jsonl
mkdir before
ln -s "$haruspex" before/haruspex
haruspex recheck corpus/regress --json debian12.json >/dev/null || [[ $? -eq 1 ]]
cp debian12.json debian13.json

# --- Blocks ---

# block_after README NAME: prints the fenced block below <!-- file: NAME -->.
block_after() {
    awk -v mark="<!-- file: $2 -->" '
        $0 == mark { wanted = 1; next }
        wanted && /^```/ { if (inside) { exit } inside = 1; next }
        inside { print }' "$1"
}
block_after "$tree/oracle/validator/README.md" pairs.sare >pairs.sare
block_after "$tree/oracle/validator/README.md" pairs.sched >pairs.sched
block_after "$tree/generators/tensor/README.md" trace.tensor >trace.tensor

# steps_of README: prints a line for each step, with a tab after its kind: "file NAME", "run COMMAND", or
# "command COMMAND" followed by "output LINE" lines.
steps_of() {
    awk '
        function step(kind, text) { print kind "\t" text }
        !fenced && match($0, /^<!-- (file|run): .* -->$/) {
            text = $0
            sub(/^<!-- /, "", text); sub(/ -->$/, "", text)
            kind = text; sub(/:.*/, "", kind); sub(/^[a-z]+: /, "", text)
            step(kind, text)
            next
        }
        /^ *```/ { fenced = !fenced; shown = 0; next }
        !fenced { next }
        /^[$] (haruspex|g[+][+]) / { shown = 1; step("command", substr($0, 3)); next }
        /^haruspex / { shown = 0; step("command", $0); next }
        shown && NF == 0 { shown = 0; next }
        shown { step("output", $0) }' "$1"
}

# --- Commands ---

# Sets `short` to the changed command, or fails if there is no entry for it.
shorten() {
    local command=$1 name='' key rule option value shown
    for key in "${!shortened[@]}"; do
        if [[ "$command " == "haruspex $key "* && ${#key} -gt ${#name} ]]; then name=$key; fi
    done
    short=$command
    if [[ -z $name ]]; then return 1; fi
    for rule in ${shortened[$name]}; do
        option=${rule%%=*} value=${rule#*=}
        option=${option#+}
        if [[ " $short " == *" $option "* ]]; then
            shown=${short#* "$option" } shown=${shown%% *}
            if [[ $shown =~ ^[0-9]+$ && $value =~ ^[0-9]+$ && $shown -le $value ]]; then continue; fi
            short=${short/" $option $shown"/" $option $value"}
        elif [[ $rule == +* ]]; then
            short+=" $option $value"
        fi
    done
}

# holds_lines SHOWN OUTPUT: whether OUTPUT contains the lines of SHOWN, in order; else prints the first missing one.
holds_lines() {
    local line pattern candidate found
    exec {output}<"$2"
    while IFS= read -r line; do
        pattern=${line//'…'/$'\x01'}
        pattern=$(sed -e 's/[][\\*?]/\\&/g' -e 's/\x01/*/g' <<<"$pattern")
        if [[ $pattern == '*' ]]; then continue; fi
        found=''
        while IFS= read -r -u "$output" candidate; do
            # shellcheck disable=SC2053
            if [[ ${candidate%"${candidate##*[! ]}"} == $pattern ]]; then found=yes; break; fi
        done
        if [[ -z $found ]]; then
            exec {output}<&-
            echo "$line"
            return 1
        fi
    done <"$1"
    exec {output}<&-
}

# run_command README COMMAND: runs the command; $work/shown holds the output shown below it.
run_command() {
    local readme=$1 command real word missing code=0
    # Text after a "#" is for the reader.
    command=$(sed -E 's/ +#.*//; s/ +$//' <<<"$2")
    if [[ $command == g++* ]]; then
        # A program for one version of Halide, if it is installed.
        real=$command
        if [[ $command =~ -I([^ ]+) && ! -d ${BASH_REMATCH[1]} ]]; then return; fi
    else
        real=${command//'<group>/<case>'/${finding#night/findings/}}
        real=${real//'issues/<group>'/${issue#night/}}
        for word in $real; do
            if [[ $word == night/findings/* && ! -e $word ]]; then real=${real//"$word"/$finding}; fi
        done
        if ! shorten "$real"; then
            complain "$readme: $0 does not say how to run: $command"
            return
        fi
        if [[ $real == *' --mutant '* || $real == *' --detect '* ]] && [[ ! -d $(dirname "$haruspex")/mutants ]]; then
            echo "$readme: not run, for want of mutants: $command"
            return
        fi
        # A changed command and a replaced report have another output than shown.
        if [[ $short != "$command" || ($is_replaced && $short == *corpus/regress/*) ]]; then : >"$work/shown"; fi
        real=$short
    fi
    if [[ -n ${README_TIMES:-} ]]; then printf '%s\t%s\n' "$SECONDS" "$real" >&2; fi
    timeout "$most_seconds" bash -c "$real" </dev/null >"$work/output" 2>&1 || code=$?
    if [[ $code -gt 1 ]]; then
        complain "$readme: exit code $code of: $real"
        sed 's/^/    /' "$work/output"
    elif ! missing=$(holds_lines "$work/shown" "$work/output"); then
        complain "$readme: the output of \"$real\" has no line"
        printf '    %s\nbut\n' "$missing"
        sed 's/^/    /' "$work/output"
    fi
}

for readme in "${readmes[@]}"; do
    steps_of "$tree/$readme" >"$work/steps"
    if ! grep -q '^command' "$work/steps"; then continue; fi
    rm -rf "$work/here"
    cp -r "$fixture" "$work/here"
    cd "$work/here"
    mapfile -t steps <"$work/steps"
    for ((k = 0; k < ${#steps[@]}; ++k)); do
        kind=${steps[k]%%$'\t'*} text=${steps[k]#*$'\t'}
        case $kind in
            file) block_after "$tree/$readme" "$text" >"$text" ;;
            run) bash -c "$text" ;;
            command)
                : >"$work/shown"
                while [[ $((k + 1)) -lt ${#steps[@]} && ${steps[k + 1]} == output* ]]; do
                    k=$((k + 1))
                    printf '%s\n' "${steps[k]#*$'\t'}" >>"$work/shown"
                done
                run_command "$readme" "$text"
                ;;
        esac
    done
done

# --- Names ---

cd "$tree"
commands=$(haruspex --help | awk '/^Subcommands:/ { lists = 1; next } lists && NF == 0 { exit } lists && /^  [a-z]/ { print $1 }')
for page in "${readmes[@]}" CONTRIBUTING.md; do
    folder=$(dirname "$page")
    while IFS= read -r target; do
        if [[ ! -e $folder/${target%%#*} ]]; then complain "$page: a link to $target, which is not there"; continue; fi
        if [[ $target != *'#'* ]]; then continue; fi
        anchors=$(sed -nE 's/^#+ +//p' "$folder/${target%%#*}" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-')
        if ! grep -qxF -- "${target#*#}" <<<"$anchors"; then complain "$page: a link to $target, which is no heading"; fi
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\(//; s/\)$//' | grep -v '^https\?:' || true)

    # Files by their path from the root; headers and sources also by name in the page's folder.
    while IFS= read -r name; do
        name=${name%/}
        if compgen -G "$name" >/dev/null || [[ -e $name.h || -e $name.cpp || -e $folder/$name ]]; then continue; fi
        complain "$page: $name is not there"
    done < <({ grep -oE '`[^`]+`' "$page" | tr -d '`'; awk '/^ *```/ { fenced = !fenced } fenced' "$page"; } |
        grep -oE '(^|[ (])((generators|harness|oracle|reports|corpus|scripts|tests)/[A-Za-z0-9_./*-]+|[a-z_]+/[a-z_]+[.]h)([^a-z]|$)' |
        sed -E 's/^[ (]//; s/[^A-Za-z0-9_*-]+$//' | grep -vE '/(NAME|fixed)\b|…' | LC_ALL=C sort -u)

    while IFS= read -r name; do
        if ! grep -qxF -- "$name" <<<"$commands"; then complain "$page: haruspex $name is no command"; fi
    done < <(grep -oE '`haruspex [a-z-]+' "$page" | awk '{ print $2 }' | LC_ALL=C sort -u)
done

# --- Figures ---

# What scripts/count-bugs writes.
sentence=$(haruspex known list corpus/known --as count)
if ! grep -qF "**$sentence.**" README.md; then complain "README.md does not say: **$sentence.**"; fi
if ! diff <(haruspex known list corpus/known --as markdown) \
    <(awk '$0 == "<!-- end of bugs -->" { exit } inside && NF > 0; $0 == "<!-- bugs -->" { inside = 1 }' corpus/known/README.md); then
    complain "corpus/known/README.md does not list the bugs of its folder"
fi
thousands() { sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$1"; }
for figure in decided compiled; do
    number=$(thousands "$(sed -nE "s/^ *\"$figure\": ([0-9]+),\$/\1/p" corpus/baseline/halide-14.json)")
    if ! grep -qF "$number" README.md; then complain "README.md: $number programs of corpus/baseline/halide-14.json are $figure"; fi
done
if ! grep -q '"unsound": 0,' corpus/baseline/halide-14.json; then complain "README.md: runs contradict proofs in corpus/baseline/halide-14.json"; fi

exit "$failed"
