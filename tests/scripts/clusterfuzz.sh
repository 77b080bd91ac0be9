#!/usr/bin/env bash
# Tests scripts/clusterfuzz/run as ClusterFuzz calls it: so many files, each of which the documented command judges.
#
#   tests/scripts/clusterfuzz.sh HARUSPEX
set -euo pipefail
haruspex=$(realpath "$1")
run=$(cd "$(dirname "$0")/../.." && pwd)/scripts/clusterfuzz/run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}
mkdir "$work"/{in,out,again,none}
export HARUSPEX=$haruspex

"$run" --input_dir "$work/in" --output_dir "$work/out" --no_of_files 12 --seed 7
"$run" "--input_dir=$work/in" "--output_dir=$work/again" --no_of_files=12 --seed=7
files=("$work"/out/fuzz-*)
[[ ${#files[@]} -eq 12 ]] || complain "${#files[@]} files, expected 12"
diff -r "$work/out" "$work/again" || complain 'the same seed gives other files'
cat "${files[@]}" | diff - <("$haruspex" generate --seed 7 --count 12) || complain 'the files are not the cases of the seed'
for file in "${files[@]}"; do
    code=0
    "$haruspex" run "$file" >"$work/said" 2>&1 || code=$?
    [[ $code -le 1 ]] || complain "exit code $code of haruspex run: $(cat "$work/said")"
done

# Another seed each time.
"$run" --input_dir "$work/in" --output_dir "$work/none" --no_of_files 0
[[ -z $(ls -A "$work/none") ]] || complain 'no file was asked for'
"$run" --input_dir "$work/in" --output_dir "$work/none" --no_of_files 1
cp "$work/none/fuzz-000000.json" "$work/first"
"$run" --input_dir "$work/in" --output_dir "$work/none" --no_of_files 1
! cmp -s "$work/first" "$work/none/fuzz-000000.json" || complain 'two calls without a seed give the same case'

while read -r -a wrong; do
    code=0
    "$run" "${wrong[@]}" 2>"$work/said" || code=$?
    [[ $code -eq 2 && -s $work/said ]] || complain "${wrong[*]}: exit code $code, expected 2 and a reason"
done <<END
--input_dir $work/in --output_dir $work/out
--input_dir $work/in --output_dir $work/nowhere --no_of_files 1
--input_dir $work/in --output_dir $work/out --no_of_files many
--input_dir $work/in --output_dir $work/out --no_of_files 1 --haruspex $work/nowhere
--input_dir $work/in --output_dir $work/out --no_of_files 1 --what 1
--input_dir
files
END
exit "$failed"
