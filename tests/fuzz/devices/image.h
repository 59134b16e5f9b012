// The image file of a device as an input says it: any bytes, or what a used device has saved with bytes changed and its
// end missing. What is read is a device that works and saves the same again; what is refused leaves it as it was.
#pragma once

#include <array>
#include <istream>
#include <sstream>
#include <streambuf>
#include <string>

#include "tests/fuzz/support/input.h"
#include "tests/fuzz/support/input_error.h"

namespace ftlab::fuzz {

/// Bytes in memory as a stream, given anew for each input.
class MemoryStream : private std::streambuf, public std::istream {
 public:
  explicit MemoryStream(std::string& bytes) : std::istream(static_cast<std::streambuf*>(this)) {
    setg(bytes.data(), bytes.data(), bytes.data() + bytes.size());
  }
};

template <class Bus>
class ImageTarget {
 public:
  /// `use`: an input that leaves something worth saving.
  explicit ImageTarget(std::span<const std::uint8_t> use) {
    Input in(use.data(), use.size());
    bus_.renew();
    bus_.run(in, 400);
    saved_ = image();
  }

  void run(Input& in) {
    bytes_ = draw(in);
    bus_.renew();
    MemoryStream stream(bytes_);
    if (!reads_or_refuses([&] { bus_.core().load_image(stream, "device.img"); })) return;
    constexpr int kSteps = 24;
    bus_.run(in, kSteps);
    if (!in.one_in(16)) return;
    // Saved and loaded it is the same device.
    std::string first = image();
    bus_.renew();
    MemoryStream again(first);
    require(reads_or_refuses([&] { bus_.core().load_image(again, "device.img"); }), "what was saved can be loaded");
    require(image() == first, "what was loaded is saved the same");
  }

 private:
  std::string draw(Input& in) {
    if (in.one_in(8)) {
      const auto raw = in.take(in.word());
      return {reinterpret_cast<const char*>(raw.data()), raw.size()};
    }
    std::string bytes = saved_;
    for (std::uint32_t edits = in.below(12); edits > 0; --edits) {
      // Heads and rows are in front of the content.
      const std::size_t at = in.dword() % (in.one_in(2) ? bytes.size() : std::min<std::size_t>(bytes.size(), 600));
      bytes[at] = static_cast<char>(in.byte());
    }
    if (in.one_in(8)) bytes.resize(in.dword() % bytes.size());
    return bytes;
  }

  std::string image() {
    std::ostringstream out;
    bus_.core().save_image(out);
    return std::move(out).str();
  }

  Bus bus_;
  std::string saved_;
  std::string bytes_;
};

/// One input, as the image of the device on that bus. What the image is made from was used by chance.
template <class Bus>
int run_image(const std::uint8_t* data, std::size_t size) {
  static const auto use = [] {
    std::array<std::uint8_t, 4096> dice{};
    std::uint32_t state = 1;
    for (std::uint8_t& byte : dice) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return dice;
  }();
  static ImageTarget<Bus> target(use);
  Input in(data, size);
  target.run(in);
  return 0;
}

}  // namespace ftlab::fuzz
