#include "workloads/traces/device_filter.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace ftlab::workloads {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [stop, failed] = std::from_chars(text.begin(), text.end(), value, hex ? 16 : 10);
  if (failed != std::errc{} || stop != text.end()) return std::nullopt;
  return value;
}

}  // namespace

DeviceFilter::DeviceFilter(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}

std::string DeviceFilter::wanted() const {
  std::string text = "device ";
  for (const std::string& device : wanted_) text.append(&device == &wanted_.front() ? "" : ", ").append(device);
  return text;
}

void DeviceFilter::decide(const TraceReader& reader, std::uint32_t device) {
  const std::string name = reader.device_name(device);
  known_ = true;
  last_ = device;
  last_accepted_ = std::ranges::any_of(wanted_, [&](const std::string& wanted) {
    const std::optional<std::uint64_t> wanted_number = number(wanted);
    return name == wanted || (wanted_number && number(name) == wanted_number);
  });
  constexpr std::uint32_t kListed = 8;
  if (last_accepted_ || refused_count_ == kListed ||
      (", " + refused_ + ",").find(", " + name + ",") != std::string::npos) {
    return;
  }
  refused_.append(refused_.empty() ? "" : ", ").append(name);
  ++refused_count_;
}

}  // namespace ftlab::workloads
