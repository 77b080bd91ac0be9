# Functions that return an option's value, for scripts that run in the root and hold the caller's folder in $here:
#
#   --cases) cases=$(number_of "$@"); shift ;;
#
# A missing or malformed value ends the script with exit code 2 (the script stops at errors).

value_of() {
    if [[ -z ${2:-} ]]; then
        echo "$(basename "$0"): expected a value after $1" >&2
        exit 2
    fi
    printf '%s\n' "$2"
}

number_of() {
    if [[ ! ${2:-} =~ ^(0|[1-9][0-9]{0,8})$ ]]; then
        echo "$(basename "$0"): expected a number after $1, found '${2:-}'" >&2
        exit 2
    fi
    printf '%s\n' "$2"
}

# Of a file or a folder, which need not be there.
path_of() {
    local path
    path=$(value_of "$@") || exit
    (cd "$here" && realpath -m -- "$path") || exit 2
}
