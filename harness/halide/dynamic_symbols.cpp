#include "harness/halide/dynamic_symbols.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace haruspex::halide {
namespace {

// The tables of one object, where the dynamic linker left them. Those that it lacks are null or empty.
struct Tables {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const std::uint32_t* gnu_hash = nullptr;
    const ElfW(Word) * hash = nullptr;
    std::span<const ElfW(Rela)> of_data, of_calls;
};

Tables tables_of(const ElfW(Dyn) * entry) {
    Tables tables;
    const ElfW(Rela)* data = nullptr, *calls = nullptr;
    std::size_t data_bytes = 0, call_bytes = 0;
    for (; entry->d_tag != DT_NULL; ++entry) {
        const auto address = entry->d_un.d_ptr;
        switch (entry->d_tag) {
            case DT_SYMTAB: tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
            case DT_STRTAB: tables.names = reinterpret_cast<const char*>(address); break;
            case DT_GNU_HASH: tables.gnu_hash = reinterpret_cast<const std::uint32_t*>(address); break;
            case DT_HASH: tables.hash = reinterpret_cast<const ElfW(Word)*>(address); break;
            case DT_RELA: data = reinterpret_cast<const ElfW(Rela)*>(address); break;
            case DT_RELASZ: data_bytes = entry->d_un.d_val; break;
            case DT_JMPREL: calls = reinterpret_cast<const ElfW(Rela)*>(address); break;
            case DT_PLTRELSZ: call_bytes = entry->d_un.d_val; break;
            default: break;
        }
    }
    if (data != nullptr) { tables.of_data = {data, data_bytes / sizeof(ElfW(Rela))}; }
    if (calls != nullptr) { tables.of_calls = {calls, call_bytes / sizeof(ElfW(Rela))}; }
    return tables;
}

// Only the hash tables tell how many symbols there are.
std::size_t number_of_symbols(const Tables& tables) {
    if (tables.hash != nullptr) { return tables.hash[1]; }
    if (tables.gnu_hash == nullptr) { return 0; }
    const std::uint32_t buckets = tables.gnu_hash[0], first = tables.gnu_hash[1], bloom_words = tables.gnu_hash[2];
    const std::uint32_t* bucket = tables.gnu_hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
    const std::uint32_t* chain = bucket + buckets;
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < buckets; ++i) { last = std::max(last, bucket[i]); }
    if (last < first) { return first; }
    // The last link of a chain has its lowest bit set.
    while ((chain[last - first] & 1) == 0) { ++last; }
    return std::size_t{last} + 1;
}

DynamicSymbols read(const Tables& tables) {
    DynamicSymbols found;
    if (tables.symbols == nullptr || tables.names == nullptr) { return found; }
    const std::size_t count = number_of_symbols(tables);
    for (std::size_t i = 1; i < count; ++i) {
        const ElfW(Sym)& symbol = tables.symbols[i];
        if (symbol.st_shndx != SHN_UNDEF) { found.defined.insert(tables.names + symbol.st_name); }
    }
    for (const auto& table : std::array{tables.of_data, tables.of_calls}) {
        for (const ElfW(Rela) & relocation : table) {
            const auto symbol = ELF64_R_SYM(relocation.r_info);
            if (symbol != 0) { found.called.insert(tables.names + tables.symbols[symbol].st_name); }
        }
    }
    return found;
}

struct Search {
    ElfW(Addr) address = 0;
    DynamicSymbols found;
};

// Ends the iteration with 1 at the object that has the address.
int visit(dl_phdr_info* info, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    const std::span<const ElfW(Phdr)> segments(info->dlpi_phdr, info->dlpi_phnum);
    const auto has_address = [&](const ElfW(Phdr) & segment) {
        const auto begin = info->dlpi_addr + segment.p_vaddr;
        return segment.p_type == PT_LOAD && begin <= search.address && search.address < begin + segment.p_memsz;
    };
    if (std::ranges::none_of(segments, has_address)) { return 0; }
    const auto dynamic = std::ranges::find(segments, ElfW(Word){PT_DYNAMIC}, &ElfW(Phdr)::p_type);
    if (dynamic != segments.end()) {
        search.found = read(tables_of(reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + dynamic->p_vaddr)));
    }
    return 1;
}

}  // namespace

DynamicSymbols dynamic_symbols_at(const void* address) {
    Search search{reinterpret_cast<ElfW(Addr)>(address), {}};
    ::dl_iterate_phdr(visit, &search);
    return std::move(search.found);
}

}  // namespace haruspex::halide
