# Parts of Markdown files that scripts write: those between the lines <!-- NAME --> and <!-- end of NAME -->.

# write_marked FILE NAME TEXT: the part NAME of FILE becomes what stands in the file TEXT.
write_marked() {
    if ! grep -qxF -- "<!-- $2 -->" "$1"; then
        echo "$1 has no line <!-- $2 -->" >&2
        return 1
    fi
    awk -v name="$2" -v text="$3" '
        $0 == "<!-- end of " name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " -->" {
            inside = 1
            print ""
            while ((getline line < text) > 0) { print line }
            print ""
        }' "$1" >"$1.new"
    mv "$1.new" "$1"
}
