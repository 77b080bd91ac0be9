#include "reports/render/html.h"

#include <string>

#include "tests/support/catch.h"

using namespace haruspex::render;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Markdown becomes HTML: headings, code, lists, tables and what is folded") {
    CHECK(from_markdown("# f(x) < `2`\n") == "<h1>f(x) &lt; <code>2</code></h1>\n");
    CHECK(from_markdown("one\n*two*\n\n- a\n- b\n") == "<p>one\n<em>two</em></p>\n<ul><li>a</li>\n<li>b</li>\n</ul>\n");
    CHECK(holds(from_markdown("## Where\n\n```\nf[x] <= a && b\n```\n"),
                "aria-label=\"Where\">f[x] &lt;= a &amp;&amp; b\n</pre>"));
    CHECK(from_markdown("a &lt; b") == "<p>a &lt; b</p>\n");
    CHECK(from_markdown("[x](y?a=1&b=\"2\")") == "<p><a href=\"y?a=1&amp;b=&quot;2&quot;\">x</a></p>\n");
    const std::string folded = from_markdown("<details><summary>more</summary>\n\n```cpp\nx;\n```\n\n</details>\n");
    CHECK(folded.starts_with("<details><summary>more</summary>\n<pre "));
    CHECK(folded.ends_with(">x;\n</pre>\n</details>\n"));
    const std::string table = from_markdown("## Cells\n\n| cell | is |\n|---|---|\n| `f(0)` | 1 |\n");
    CHECK(holds(table, "<caption class=\"unseen\">Cells</caption>"));
    CHECK(holds(table, "<thead><tr><th scope=\"col\">cell</th><th scope=\"col\">is</th></tr>"));
    CHECK(holds(table, "<tbody><tr><th scope=\"row\"><code>f(0)</code></th><td>1</td></tr>"));
}

TEST_CASE("what stands in angle brackets within a line is text") {
    CHECK(from_markdown("min(f(x), i32<k>) and <b>bold</b>") ==
          "<p>min(f(x), i32&lt;k&gt;) and &lt;b&gt;bold&lt;/b&gt;</p>\n");
}

TEST_CASE("lines of a diff have colours, and nothing in it is taken for HTML") {
    const std::string html = from_markdown("```diff\n a<b\n-gone & lost\n+new\n```\n");
    CHECK(
        holds(html, "> a&lt;b\n<span class=\"gone\">-gone &amp; lost</span>\n<span class=\"new\">+new</span>\n</pre>"));
    CHECK_FALSE(holds(from_markdown("```cpp\n-x;\n```\n"), "<span"));
}

TEST_CASE("a page has its title escaped, and links lead where they say") {
    const std::string page = to_html({"a < b", ".x {}", "<main>&amp;</main>\n"});
    CHECK(holds(page, "<title>a &lt; b</title>"));
    CHECK(holds(page, ".x {}</style>"));
    CHECK(page.ends_with("<body>\n<main>&amp;</main>\n</body></html>\n"));
    CHECK(address("a b/c#1%\"") == "a%20b/c%231%25%22");
    CHECK(address("caf\u00e9.html") == "caf%C3%A9.html");
}
