#include "generators/schedule/schedule.h"

namespace haruspex::schedule {

std::string print(const Schedule& schedule) {
    std::string text;
    for (const Directive& directive : schedule.directives) { text += directive.text() + "\n"; }
    return text;
}

}  // namespace haruspex::schedule
