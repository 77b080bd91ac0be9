#pragma once
namespace haruspex::random {
struct Policy {};
}
