// A part, host or scenario file as an input says it: whole, or one that ships with values of the input in it. The first
// byte chooses; in the second case every line KEY=VALUE of the rest is set as an override, as a study would.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "common/toml/toml_file.h"
#include "tests/fuzz/files/toml_words.h"
#include "tests/fuzz/support/input.h"
#include "tests/fuzz/support/input_error.h"
#include "tests/fuzz/support/text_mutator.h"

namespace ftlab::fuzz {

class DataFiles {
 public:
  explicit DataFiles(const char* folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const auto& path : paths) shipped_.push_back(spec::TomlFile::load(path.string()));
    require(!shipped_.empty(), "there are files that ship", folder);
  }

  /// `load(file, choice)`: the loader of the kind of file; `choice` is any number.
  template <class Load>
  void run(const std::uint8_t* data, std::size_t size, Load load) const {
    Input in(data, size);
    const std::uint8_t choice = in.byte();
    const auto rest = in.rest();
    const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
    reads_or_refuses([&] {
      spec::TomlFile file = choice % 4 == 0 ? spec::TomlFile::parse(text, "input.toml") : overridden(text, choice / 4);
      load(file, choice);
    });
  }

 private:
  [[nodiscard]] spec::TomlFile overridden(std::string_view text, unsigned which) const {
    spec::TomlFile file = shipped_[which % shipped_.size()].copy();
    constexpr int kMaxLines = 16;
    for (int line = 0; line < kMaxLines && !text.empty(); ++line) {
      const std::size_t end = text.find('\n');
      const std::string_view one = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      const std::size_t equals = one.find('=');
      if (equals != std::string_view::npos) file.set(one.substr(0, equals), one.substr(equals + 1), "--set");
    }
    return file;
  }

  std::vector<spec::TomlFile> shipped_;
};

}  // namespace ftlab::fuzz
