#pragma once

#include "generators/base/alternatives.h"

// Include this only in the source that instantiates an Alternatives type. Instantiate it behind the definitions of the
// alternatives:
//
//   template class haruspex::Alternatives<Circle, Square>;
namespace haruspex {

template <typename... Kinds>
Alternatives<Kinds...>::Alternatives(const Alternatives& other) = default;
template <typename... Kinds>
Alternatives<Kinds...>::Alternatives(Alternatives&& other) noexcept = default;
template <typename... Kinds>
Alternatives<Kinds...>& Alternatives<Kinds...>::operator=(const Alternatives& other) = default;
template <typename... Kinds>
Alternatives<Kinds...>& Alternatives<Kinds...>::operator=(Alternatives&& other) noexcept = default;
template <typename... Kinds>
Alternatives<Kinds...>::~Alternatives() = default;
template <typename... Kinds>
bool Alternatives<Kinds...>::operator==(const Alternatives& other) const {
    return static_cast<const Variant&>(*this) == static_cast<const Variant&>(other);
}

}  // namespace haruspex
