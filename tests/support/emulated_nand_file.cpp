// The medium in a file, so that another process can go on with it.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/support/emulated_nand.h"

namespace ftlab::tests {

void EmulatedNand::save(const std::string& path) const {
  std::ofstream out(path, std::ios::binary);
  const auto put = [&](const void* bytes, std::size_t n) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(n));
  };
  for (const auto& s : image_.segments) {
    put(s->data.data(), s->data.size());
    put(s->spare.data(), s->spare.size());
    put(s->state.data(), s->state.size());
    put(s->bits.data(), s->bits.size());
    const std::uint32_t rest[] = {s->next_page,     s->erases,           s->must_erase ? 1U : 0U,
                                  s->bad ? 1U : 0U, s->failed ? 1U : 0U, s->refuses ? 1U : 0U};
    put(rest, sizeof rest);
  }
  if (out) return;
  std::fprintf(stderr, "emulated NAND: cannot write %s\n", path.c_str());
  std::abort();
}

void EmulatedNand::load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const auto get = [&](void* bytes, std::size_t n) {
    in.read(static_cast<char*>(bytes), static_cast<std::streamsize>(n));
  };
  for (std::uint32_t i = 0; i < options_.segments; ++i) {
    Segment& s = writable(i);
    get(s.data.data(), s.data.size());
    get(s.spare.data(), s.spare.size());
    get(s.state.data(), s.state.size());
    get(s.bits.data(), s.bits.size());
    std::uint32_t rest[6] = {};
    get(rest, sizeof rest);
    s.next_page = rest[0];
    s.erases = rest[1];
    s.must_erase = rest[2] != 0;
    s.bad = rest[3] != 0;
    s.failed = rest[4] != 0;
    s.refuses = rest[5] != 0;
  }
  if (in) return;
  std::fprintf(stderr, "emulated NAND: cannot read %s\n", path.c_str());
  std::abort();
}

}  // namespace ftlab::tests
