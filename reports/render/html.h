#pragma once

#include <string>

// Pages of HTML that need no network and no script, light or dark as the reader's system is.
namespace haruspex::render {

// With the characters that HTML gives a meaning.
std::string escaped(const std::string& text);
// A relative path as the address of a link.
std::string address(const std::string& path);
// The attributes of an element that is a region of its own, which the keyboard can scroll when it is wider than the
// page.
std::string region(const std::string& label);
// A block that the keyboard can scroll when it is wider than the page. `label` names it for who does not see it; of a
// "diff", what is gone and what is new have colours.
std::string code_block(const std::string& text, const std::string& label, const std::string& language = "");
// What a Markdown text says, with tables and code as GitHub has them. Tables and code are named by the heading that
// they stand under. Raw HTML stays where it stands in lines of its own, as <details> does, and is text within a line.
std::string from_markdown(const std::string& markdown);

struct Page {
    std::string title;
    std::string style;  // CSS beside what all pages have
    std::string body;   // HTML
};
std::string to_html(const Page& page);

// The CSS variables --ink, --faint and --c1 to --c4, for light and for dark.
extern const char* const colours;

}  // namespace haruspex::render
