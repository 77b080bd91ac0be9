#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"

namespace haruspex::measure {

// A file that grows line by line and outlives whoever writes it. Its first line says of what it is.
class Ledger {
public:
    // Opens or makes it. A last line that is not whole, because its writer was killed, is taken away. An Error when its
    // first line is another one, it cannot be written, or another process has it open.
    [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& file, const std::string& first_line);
    Ledger(Ledger&& other) noexcept;
    Ledger& operator=(Ledger&&) = delete;
    ~Ledger();

    // The lines that were there when it was opened, without the first.
    const std::vector<std::string>& lines() const { return lines_; }
    // On disk when this returns.
    [[nodiscard]] Result<void> append(const std::string& line);

private:
    Ledger(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
    std::vector<std::string> lines_;
};

}  // namespace haruspex::measure
