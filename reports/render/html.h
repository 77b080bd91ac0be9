#pragma once

#include <string>

// Pages of HTML that need no network and no script, in light or dark colours as the reader's system prefers.
namespace haruspex::render {

// Escapes the characters that have a meaning in HTML.
std::string escaped(const std::string& text);
// Returns a relative path as the address of a link.
std::string address(const std::string& path);
// Returns the attributes of an element that the keyboard can scroll if it is wider than the page. `label` names the
// element for readers who do not see it.
std::string region(const std::string& label);
// Returns a block of code that the keyboard can scroll if it is wider than the page. `label` names the block for
// readers who do not see it. In the language "diff", removed and new lines have colours.
std::string code_block(const std::string& text, const std::string& label, const std::string& language = "");
// Returns a Markdown text as HTML, with tables and code as on GitHub. Tables and code are named by the heading above
// them. Raw HTML on lines of its own, such as <details>, is kept; within a line it is text.
std::string from_markdown(const std::string& markdown);

struct Page {
    std::string title;
    std::string style;  // CSS in addition to that of all pages
    std::string body;   // HTML
};
std::string to_html(const Page& page);

// The CSS variables --ink, --faint and --c1 to --c4, for light and for dark.
extern const char* const colours;

}  // namespace haruspex::render
