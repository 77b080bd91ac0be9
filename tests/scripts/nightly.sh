#!/usr/bin/env bash
# Tests scripts/nightly with a stand-in for haruspex: what it runs and where it puts the results, its exit codes, one night
# at a time, the nights that it keeps, and that the units of scripts/systemd run it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

cat >"$work/haruspex" <<'END'
#!/usr/bin/env bash
echo "haruspex $*"
for argument in "$@"; do [[ $argument != --hold ]] || sleep 3; done
if [[ $1 == fuzz ]]; then exit "${FUZZ_CODE:-0}"; fi
exit "${RECHECK_CODE:-0}"
END
chmod +x "$work/haruspex"
nightly=("$root/scripts/nightly" --haruspex "$work/haruspex" --out "$work/out" --jobs 3)

code=0
(cd "$work" && "${nightly[@]}" --time 2h -- --validate) >"$work/said" || code=$?
night=$work/out/latest
day=$(basename "$(readlink -f "$night")")
place=$work/out/$day
expected="haruspex fuzz --seed ${day//-/} --time 2h --jobs 3 --out $place/campaign --known $root/corpus/known --events \
$place/events.jsonl --junit $place/bugs.xml --sarif $place/bugs.sarif --validate
haruspex recheck $root/corpus/regress --known $root/corpus/known --json $place/recheck.json --junit $place/recheck.xml --sarif \
$place/recheck.sarif
exit code 0"
[[ $code -eq 0 ]] || complain "exit code $code of a night without findings"
diff <(echo "$expected") "$night/log.txt" || complain 'the log is another one'
diff "$night/log.txt" "$work/said" || complain 'what is printed is not the end of the log'

# Each code of the two commands, and the worst of them.
while read -r fuzz recheck worst; do
    code=0
    FUZZ_CODE=$fuzz RECHECK_CODE=$recheck "${nightly[@]}" >/dev/null || code=$?
    [[ $code -eq $worst ]] || complain "fuzz $fuzz, recheck $recheck: exit code $code, expected $worst"
done <<'END'
1 0 1
0 1 1
1 3 3
2 1 2
137 0 3
END
"${nightly[@]}" --reports '' --known '' >/dev/null
tail -n 2 "$night/log.txt" | grep -q 'fuzz .*/campaign --events' || complain 'known bugs that are none'
[[ $(tail -n 2 "$night/log.txt" | grep -c recheck) -eq 0 ]] || complain 'reports that are none are judged'

# One at a time.
"${nightly[@]}" -- --hold >/dev/null &
first=$!
sleep 1
code=0
"${nightly[@]}" 2>"$work/said" >/dev/null || code=$?
[[ $code -eq 2 && $(cat "$work/said") == "nightly: another night is at work in $work/out" ]] || complain "a second night: $code, $(cat "$work/said")"
wait "$first" || complain 'the first night failed'

# Only nights are removed, the oldest first.
mkdir "$work/out"/{2020-01-01,2020-01-02,2020-01-03,mine}
touch "$work/out"/{2020-01-01,2020-01-03}/log.txt
"${nightly[@]}" --keep 2 >/dev/null
left=$(cd "$work/out" && echo *)
[[ $left == "2020-01-02 2020-01-03 $day latest mine" ]] || complain "of the nights these are left: $left"

for wrong in '--time' '--jobs x' '--keep 0' '--never'; do
    code=0
    # shellcheck disable=SC2086
    "${nightly[@]}" $wrong >/dev/null 2>"$work/said" || code=$?
    [[ $code -eq 2 && -s $work/said ]] || complain "$wrong: exit code $code, expected 2 and a reason"
done

# The units name the script, and systemd accepts them where it is installed.
grep -q '^ExecStart=/opt/haruspex/scripts/nightly --out /var/lib/haruspex --time 12h$' \
    "$root/scripts/systemd/haruspex-nightly.service" || complain 'the unit does not run scripts/nightly'
if command -v systemd-analyze >/dev/null; then
    mkdir "$work/units"
    for unit in service timer; do
        sed "s|/opt/haruspex|$root|" "$root/scripts/systemd/haruspex-nightly.$unit" >"$work/units/haruspex-nightly.$unit"
    done
    SYSTEMD_UNIT_PATH=$work/units: systemd-analyze verify "$work/units/haruspex-nightly.timer" \
        "$work/units/haruspex-nightly.service" 2>"$work/said" || complain "systemd-analyze: $(cat "$work/said")"
fi
exit "$failed"
