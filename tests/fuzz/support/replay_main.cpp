// Runs a fuzz target over files and folders of inputs, without a fuzzer: the corpora replayed by any compiler, with or
// without sanitizers. A crash ends the process; the input under way is named first.
//   usage: replay [--for SECONDS] PATH...
// With --for the inputs are repeated for so many seconds of processor time, and the executions in one of them printed.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

struct Recorded {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

const char* under_way = "";

void name_input(int signal) {
  for (const char* text : {"\nwhile running ", under_way, "\n"})
    (void)!write(STDERR_FILENO, text, std::string_view(text).size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void add(const fs::path& file, std::vector<Recorded>& inputs) {
  std::ifstream in(file, std::ios::binary);
  inputs.push_back({file.string(), {std::istreambuf_iterator<char>(in), {}}});
  if (!in.is_open() || in.bad()) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    std::exit(2);
  }
}

std::vector<Recorded> load(const std::vector<fs::path>& paths) {
  std::vector<Recorded> inputs;
  for (const fs::path& path : paths) {
    if (!fs::is_directory(path)) {
      add(path, inputs);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) add(entry.path(), inputs);
  }
  std::ranges::sort(inputs, {}, &Recorded::name);
  return inputs;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int count, char** arguments) {
  double seconds = 0;
  std::vector<fs::path> paths;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--for" && i + 1 < count)
      seconds = std::strtod(arguments[++i], nullptr);
    else
      paths.emplace_back(arguments[i]);
  }
  const std::vector<Recorded> inputs = load(paths);
  if (inputs.empty()) {
    std::fputs("no inputs\n", stderr);
    return 2;
  }
  std::signal(SIGABRT, name_input);
  const double begin = cpu_seconds();
  std::uint64_t runs = 0;
  do {
    for (const Recorded& input : inputs) {
      under_way = input.name.c_str();
      LLVMFuzzerTestOneInput(input.bytes.data(), input.bytes.size());
      ++runs;
    }
  } while (cpu_seconds() - begin < seconds);
  std::printf("%llu executions of %zu inputs", static_cast<unsigned long long>(runs), inputs.size());
  if (seconds > 0) std::printf(", %.0f in a CPU second", static_cast<double>(runs) / (cpu_seconds() - begin));
  std::puts("");
  return 0;
}
