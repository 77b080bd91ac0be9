#include "reports/render/html.h"

#include <md4c.h>

#include <sstream>
#include <string_view>

#include "generators/base/ensure.h"

namespace haruspex::render {
namespace {

constexpr const char* common_style = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --shade: #f6f8fa; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --shade: #161b22; --bad: #ff7b72; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 62rem;
       margin: 0 auto; padding: 1rem; }
a { color: var(--c1); }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--faint); }
h1, h2, li, p { overflow-wrap: anywhere; }
code, pre { font: 0.9rem/1.45 ui-monospace, monospace; }
code { background: var(--shade); }
pre { background: var(--shade); padding: 0.7rem 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid var(--faint); text-align: left; vertical-align: top; }
th[scope=row] { font-weight: 400; }
thead th { background: var(--shade); }
tbody tr:hover { background: var(--shade); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--c1); outline-offset: 2px; }
details { margin: 0.5rem 0 1.5rem; }
summary { cursor: pointer; }
.bad { color: var(--bad); font-weight: 600; }
.gone { color: var(--bad); }
.new { color: var(--c3); }
@media print { details > * { display: block; } .scroll { overflow: visible; } }
)css";

std::string coloured(const std::string& diff) {
    std::string html;
    std::istringstream lines(diff);
    for (std::string line; std::getline(lines, line);) {
        const char* kind = line.starts_with('-') ? "gone" : line.starts_with('+') ? "new" : nullptr;
        html +=
            kind == nullptr ? escaped(line) : "<span class=\"" + std::string(kind) + "\">" + escaped(line) + "</span>";
        html += "\n";
    }
    return html;
}

std::string text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

// Writes HTML from the blocks, spans and texts that md4c reports.
class Writer {
public:
    std::string write(const std::string& markdown) {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTMLSPANS;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* writer) {
            static_cast<Writer*>(writer)->enter(type, detail);
            return 0;
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* writer) {
            static_cast<Writer*>(writer)->leave(type, detail);
            return 0;
        };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* writer) {
            static_cast<Writer*>(writer)->enter(type, detail);
            return 0;
        };
        parser.leave_span = [](MD_SPANTYPE type, void*, void* writer) {
            static_cast<Writer*>(writer)->html_ += "</" + std::string(element(type)) + ">";
            return 0;
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* writer) {
            static_cast<Writer*>(writer)->add(type, {text, size});
            return 0;
        };
        const int failed = md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, this);
        ENSURE(failed == 0, "every text is Markdown");
        return std::move(html_);
    }

private:
    static std::string_view element(MD_BLOCKTYPE type) {
        switch (type) {
            case MD_BLOCK_QUOTE: return "blockquote";
            case MD_BLOCK_UL: return "ul";
            case MD_BLOCK_OL: return "ol";
            case MD_BLOCK_LI: return "li";
            case MD_BLOCK_P: return "p";
            case MD_BLOCK_THEAD: return "thead";
            case MD_BLOCK_TBODY: return "tbody";
            case MD_BLOCK_TR: return "tr";
            default: return "";
        }
    }
    static std::string_view element(MD_SPANTYPE type) {
        switch (type) {
            case MD_SPAN_EM: return "em";
            case MD_SPAN_STRONG: return "strong";
            case MD_SPAN_A: return "a";
            case MD_SPAN_CODE: return "code";
            default: return "span";
        }
    }

    void enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                heading_.clear();
                html_ += "<h" + std::to_string(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level) + ">";
                is_heading_ = true;
                break;
            case MD_BLOCK_CODE:
                code_.clear();
                is_code_ = true;
                break;
            case MD_BLOCK_TABLE:
                html_ += "<div " + region(heading_) + "><table><caption class=\"unseen\">" + escaped(heading_) +
                         "</caption>\n";
                break;
            case MD_BLOCK_TR:
                html_ += "<tr>";
                is_first_cell_ = true;
                break;
            case MD_BLOCK_TH: html_ += "<th scope=\"col\">"; break;
            case MD_BLOCK_TD: html_ += is_first_cell_ ? "<th scope=\"row\">" : "<td>"; break;
            case MD_BLOCK_HR: html_ += "<hr>\n"; break;
            default:
                if (!element(type).empty()) { html_ += "<" + std::string(element(type)) + ">"; }
        }
    }

    void leave(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_H:
                html_ += "</h" + std::to_string(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level) + ">\n";
                is_heading_ = false;
                break;
            case MD_BLOCK_CODE:
                is_code_ = false;
                html_ += code_block(code_, heading_, text_of(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang));
                break;
            case MD_BLOCK_TABLE: html_ += "</table></div>\n"; break;
            case MD_BLOCK_TH: html_ += "</th>"; break;
            case MD_BLOCK_TD:
                html_ += is_first_cell_ ? "</th>" : "</td>";
                is_first_cell_ = false;
                break;
            default:
                if (!element(type).empty()) { html_ += "</" + std::string(element(type)) + ">\n"; }
        }
    }

    void enter(MD_SPANTYPE type, void* detail) {
        html_ += "<" + std::string(element(type));
        if (type == MD_SPAN_A) {
            html_ += " href=\"" + escaped(text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href)) + "\"";
        }
        html_ += ">";
    }

    void add(MD_TEXTTYPE type, const std::string& text) {
        if (is_heading_) { heading_ += text; }
        if (is_code_) {
            code_ += text;
            return;
        }
        switch (type) {
            case MD_TEXT_NULLCHAR: html_ += "\uFFFD"; break;
            case MD_TEXT_BR: html_ += "<br>\n"; break;
            case MD_TEXT_SOFTBR: html_ += "\n"; break;
            // An entity means the same in HTML.
            case MD_TEXT_ENTITY:
            case MD_TEXT_HTML: html_ += text; break;
            default: html_ += escaped(text);
        }
    }

    std::string html_, heading_, code_;
    bool is_heading_ = false, is_code_ = false, is_first_cell_ = false;
};

}  // namespace

const char* const colours =
    ":root { --ink: #1f2328; --faint: #d0d7de; --c1: #0550ae; --c2: #bc4c00; --c3: #1a7f37; --c4: #8250df; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #3d444d; --c1: #79c0ff; --c2: #ffa657; "
    "--c3: #7ee787; --c4: #d2a8ff; } }\n";

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

std::string address(const std::string& path) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    std::string result;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (plain.find(c) != std::string_view::npos) {
            result += c;
        } else {
            result += {'%', hex[byte / 16], hex[byte % 16]};
        }
    }
    return result;
}

std::string region(const std::string& label) {
    return "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + escaped(label) + "\"";
}

std::string code_block(const std::string& text, const std::string& label, const std::string& language) {
    return "<pre " + region(label) + ">" + (language == "diff" ? coloured(text) : escaped(text)) + "</pre>\n";
}

std::string from_markdown(const std::string& markdown) { return Writer().write(markdown); }

std::string to_html(const Page& page) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + colours + common_style +
           page.style + "</style></head>\n<body>\n" + page.body + "</body></html>\n";
}

}  // namespace haruspex::render
