#include "tests/cores/unicorn.h"

#include <dlfcn.h>

#include <stdexcept>

namespace ftlab::tests {
namespace {

constexpr int kReadWriteExecute = 7;  // UC_PROT_ALL

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("the library has no ") + name);
}

}  // namespace

/// As its header declares them.
struct Unicorn::Functions {
  int (*open)(int architecture, int mode, void** engine);
  int (*close)(void* engine);
  int (*map)(void* engine, std::uint64_t address, std::uint64_t size, std::uint32_t permissions, void* bytes);
  int (*write)(void* engine, const int* numbers, void* const* values, int count);
  int (*read)(void* engine, const int* numbers, void** values, int count);
  int (*start)(void* engine, std::uint64_t begin, std::uint64_t until, std::uint64_t timeout, std::size_t count);
  const char* (*text)(int error);
};

Unicorn::Unicorn(const std::string& library) : functions_(std::make_unique<Functions>()) {
  handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
  find(handle_, "uc_open", functions_->open);
  find(handle_, "uc_close", functions_->close);
  find(handle_, "uc_mem_map_ptr", functions_->map);
  find(handle_, "uc_reg_write_batch", functions_->write);
  find(handle_, "uc_reg_read_batch", functions_->read);
  find(handle_, "uc_emu_start", functions_->start);
  find(handle_, "uc_strerror", functions_->text);
}

// Its code stays loaded: it keeps threads' data.
Unicorn::~Unicorn() = default;

Unicorn::Machine::Machine(const Unicorn& library, Architecture architecture, int mode) : library_(library) {
  check(library_.functions_->open(static_cast<int>(architecture), mode, &engine_), "open");
}

Unicorn::Machine::~Machine() { library_.functions_->close(engine_); }

void Unicorn::Machine::map(std::uint64_t address, std::span<std::uint8_t> bytes) {
  check(library_.functions_->map(engine_, address, bytes.size(), kReadWriteExecute, bytes.data()), "map memory");
}

void Unicorn::Machine::write_registers(std::span<const int> numbers, std::span<std::uint64_t> values) {
  const auto places = pointers(values);
  check(library_.functions_->write(engine_, numbers.data(), places.data(), static_cast<int>(numbers.size())),
        "write registers");
}

void Unicorn::Machine::read_registers(std::span<const int> numbers, std::span<std::uint64_t> values) {
  auto places = pointers(values);
  check(library_.functions_->read(engine_, numbers.data(), places.data(), static_cast<int>(numbers.size())),
        "read registers");
}

std::string Unicorn::Machine::run(std::uint64_t begin, std::uint64_t until, std::size_t count) {
  const int error = library_.functions_->start(engine_, begin, until, 0, count);
  return error == 0 ? "" : library_.functions_->text(error);
}

void Unicorn::Machine::check(int error, const char* what) const {
  if (error != 0) throw std::runtime_error(std::string("cannot ") + what + ": " + library_.functions_->text(error));
}

std::vector<void*> Unicorn::Machine::pointers(std::span<std::uint64_t> values) {
  std::vector<void*> places;
  places.reserve(values.size());
  for (std::uint64_t& value : values) places.push_back(&value);
  return places;
}

}  // namespace ftlab::tests
