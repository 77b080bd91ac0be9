#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/base/result.h"

namespace haruspex::measure {

// A file that grows line by line and survives the death of its writer. The first line identifies its contents.
class Ledger {
public:
    // Opens or creates the file. Removes an incomplete last line, which a killed writer left. An Error if the first
    // line is another one, the file cannot be written, or another process has it open.
    [[nodiscard]] static Result<Ledger> open(const std::filesystem::path& file, const std::string& first_line);
    Ledger(Ledger&& other) noexcept;
    Ledger& operator=(Ledger&&) = delete;
    ~Ledger();

    // The lines that were there when the file was opened, without the first line.
    const std::vector<std::string>& lines() const { return lines_; }
    // Appends a line, which is on disk when this returns.
    [[nodiscard]] Result<void> append(const std::string& line);

private:
    Ledger(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}
    std::filesystem::path file_;
    int descriptor_;
    std::vector<std::string> lines_;
};

}  // namespace haruspex::measure
