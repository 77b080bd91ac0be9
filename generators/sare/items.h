#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generators/sare/fault.h"
#include "generators/sare/raw_expr.h"

// A SARE's items as written in the text, and their assembly into a system.
namespace haruspex::sare {

struct RawDeclaration {
    std::size_t offset = 0;
    std::vector<value::Type> types;
    int rank = 0;
};

struct RawEquation {
    std::size_t offset = 0;
    std::vector<std::string> variables;
    std::optional<std::vector<value::Type>> types;
    std::vector<RawExpr> values;
    Condition domain{Truth{true}};
};

struct RawUpdate {
    std::size_t offset = 0;
    std::vector<Index> target;
    std::vector<RawExpr> values;
    std::vector<RecurrenceVariable> over;
    Condition where{Truth{true}};
};

// Everything that the text states about one tensor.
struct RawTensor {
    std::string name;
    std::optional<RawDeclaration> declaration;
    std::vector<RawEquation> equations;
    std::vector<RawUpdate> updates;
};

struct RawSystem {
    Sare sare;                              // still without tensors and staging records
    std::vector<RawTensor> tensors;         // in the order of their first mention
    std::map<Subject, std::size_t> places;  // offsets in the text of the finished system's items

    RawTensor& tensor(const std::string& name);
};

// Infers types, stages updates, and fills in the tensors and staging records of system.sare. Reports inconsistencies to
// `tokens`.
void assemble(RawSystem& system, Tokens& tokens);

}  // namespace haruspex::sare
