// Requests that know their future: writes of one page each that say when the page is written again. The stream is
// drawn twice; of the first time four bytes are kept for each page written.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "workloads/request.h"

namespace ftlab::workloads {

class FutureSource final : public RequestSource {
 public:
  using Make = std::function<std::unique_ptr<RequestSource>()>;

  /// `make` gives the same requests each time. Throws InputError when they write more than 2^32 - 1 pages.
  FutureSource(const Make& make, std::uint32_t page_bytes);

  std::size_t next(std::span<Request> batch) override;
  [[nodiscard]] std::uint64_t size_hint() const override { return requests_; }

 private:
  [[nodiscard]] std::uint32_t pages_of(const Request& request) const;
  bool fetch();

  std::unique_ptr<RequestSource> inner_;
  std::uint32_t page_bytes_;
  std::vector<std::uint32_t> rewritten_in_;  ///< of each page written, in their order
  std::uint64_t requests_ = 0;
  std::size_t written_ = 0;
  std::array<Request, 256> batch_{};
  std::size_t batched_ = 0;
  std::size_t at_ = 0;
  std::uint64_t done_ = 0;  ///< bytes of the request at `at_` that were handed out
};

}  // namespace ftlab::workloads
