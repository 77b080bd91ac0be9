#include "oracle/validator/flow/write_dependences.h"

#include <variant>
#include <vector>

#include "generators/base/overload.h"
#include "harness/sched/traverse.h"

namespace haruspex::validator {
namespace {

using Names = std::set<std::string>;

// The names and arrays behind lets; lets of one name are taken together.
class Lets {
public:
    explicit Lets(const sched::Program& program) {
        sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
            std::visit(Overload{[&](const sched::Let& let) { add(let.name, let.value); },
                                [&](const sched::LetValue& let) { add(let.name, let.value); }, [](const auto&) {}},
                       stmt.node);
        });
    }

    Names arrays_of(const sched::Expr& expr) const {
        Names arrays = sched::arrays_read(expr);
        const Names mentioned = sched::free_names(expr);
        std::vector<std::string> open(mentioned.begin(), mentioned.end());
        Names seen = mentioned;
        while (!open.empty()) {
            const auto let = lets_.find(open.back());
            open.pop_back();
            if (let == lets_.end()) { continue; }
            arrays.insert(let->second.arrays.begin(), let->second.arrays.end());
            for (const std::string& name : let->second.names) {
                if (seen.insert(name).second) { open.push_back(name); }
            }
        }
        return arrays;
    }

private:
    struct Behind {
        Names names, arrays;
    };

    void add(const std::string& name, const sched::Expr& value) {
        Behind& behind = lets_[name];
        behind.names.merge(sched::free_names(value));
        behind.arrays.merge(sched::arrays_read(value));
    }

    std::map<std::string, Behind> lets_;
};

}  // namespace

std::map<const sched::Write*, Names> write_dependences(const sched::Program& program) {
    const Lets lets(program);
    std::map<const sched::Write*, Names> behind;
    sched::for_each_statement(program.body, [&](const sched::Stmt& stmt) {
        const auto* assign = std::get_if<sched::Assign>(&stmt.node);
        if (assign == nullptr) { return; }
        for (const sched::Write& write : assign->writes) {
            Names& arrays = behind[&write];
            arrays = lets.arrays_of(write.value);
            if (assign->condition) { arrays.merge(lets.arrays_of(*assign->condition)); }
            arrays.insert(write.array);
        }
    });
    return behind;
}

}  // namespace haruspex::validator
