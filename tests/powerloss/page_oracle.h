// Knows every version of each page that a power loss may leave: the one the host saw last, and those before it as far
// back as the last durable one. Content is numbered by tags instead of kept as bytes, so that a copy of the oracle
// costs next to nothing. Knows nothing of how an FTL works.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "firmware/ftl/ftl.h"
#include "tests/fixtures/oracle_rules.h"

namespace ftlab::tests {

class PageOracle {
 public:
  /// Writes begin and end at units of a page.
  static constexpr std::uint32_t kUnits = 4;
  /// Words of a unit; so pages of up to 4 KiB.
  static constexpr std::uint32_t kMaxWords = 256;
  /// Tag of each unit; 0: erased.
  using Version = std::array<std::uint32_t, kUnits>;
  /// Tag of units of which nothing is known, until they are written.
  static constexpr std::uint32_t kAnything = UINT32_MAX;

  PageOracle(std::uint32_t pages, std::uint32_t page_bytes, OracleRules rules)
      : unit_bytes_(page_bytes / kUnits), rules_(rules), last_(pages, Version{}), last_serial_(pages) {}

  [[nodiscard]] std::uint32_t pages() const { return static_cast<std::uint32_t>(last_.size()); }
  [[nodiscard]] std::uint32_t unit_bytes() const { return unit_bytes_; }

  /// A request is about to be made; units count from the start of the volume. `data` becomes what the host sends.
  void begin_write(std::uint32_t unit, std::uint32_t units, std::uint32_t tag, std::vector<std::byte>& data);
  void begin_trim(std::uint32_t page, std::uint32_t pages);
  /// The request was answered with ok.
  void acknowledge();
  /// A flush was answered with ok.
  void acknowledge_flush() { older_.clear(); }
  /// The request was refused: each of its pages may be old or new. What the host sees now is the last version.
  [[nodiscard]] std::string refused(Ftl& ftl);

  /// The next check lets these pages be lost: whatever they hold, or that they cannot be read, is no error.
  void expose(const std::vector<std::uint32_t>& pages) { exposed_ = pages; }
  /// Exposed pages that held none of what they might.
  [[nodiscard]] std::uint32_t exposed_and_lost() const { return exposed_and_lost_; }
  /// Whether the request made last is on a page of which nothing is known, which may not be readable.
  [[nodiscard]] bool is_on_lost_page() const;

  // Requests in flight together: of two on the same page the one submitted later counts once it is acknowledged.
  struct Touched {
    std::uint32_t page;
    bool durable;          ///< once acknowledged
    std::uint32_t serial;  ///< of the version
  };
  using Changes = std::vector<Touched>;
  /// What the request made last changes.
  [[nodiscard]] Changes changes() const { return touched_; }
  void acknowledge(const Changes& changes);
  using Versions = std::vector<std::pair<std::uint32_t, Version>>;  ///< each with its page
  /// These requests were refused, see refused(). Of several on one page some may have been taken, so that a page holds
  /// units of any of `versions`.
  void set_refused(Changes changes, const Versions& versions) {
    touched_ = std::move(changes);
    if (touched_.empty()) return;
    refused_mixture_ = true;
    for (const auto& [page, version] : versions) older_.push_back({page, version, 0});
  }
  /// What the host saw last, or sent last.
  [[nodiscard]] const Version& last(std::uint32_t page) const { return last_[page]; }
  [[nodiscard]] bool holds(std::span<const std::byte> bytes, std::uint32_t page, const Version& version) const;

  /// Reads everything back in the same mount session. Empty when all is as the host saw it last.
  [[nodiscard]] std::string check_live(Ftl& ftl) { return check(ftl, false); }
  /// The same after a mount: any version that a power loss may leave. What was read is the truth from now on, unless
  /// `doubts_stay`, because cells read differently each time.
  [[nodiscard]] std::string check_mounted(Ftl& ftl, bool doubts_stay = false);
  /// One page may be lost, if the FTL says so; null: it holds an accepted version.
  enum class Found : std::uint8_t { right, reported, wrong };
  [[nodiscard]] Found look_at(Ftl& ftl, std::uint32_t page) const;

 private:
  struct Older {
    std::uint32_t page;
    Version version;
    std::uint32_t serial;
  };

  std::string check(Ftl& ftl, bool any_version);
  void change(std::uint32_t page, const Version& version, bool durable);
  /// The host sees this one of its versions.
  void see(std::uint32_t page, const Version& version);
  /// Each unit as some version has it.
  [[nodiscard]] std::optional<Version> mixture(std::span<const std::byte> bytes, std::uint32_t page) const;
  [[nodiscard]] bool is_exposed(std::uint32_t page) const;
  /// An older version, a loss or a refusal away, is that nothing is known.
  [[nodiscard]] bool was_lost(std::uint32_t page) const;
  void lose(std::uint32_t page);
  [[nodiscard]] const Version* find(std::span<const std::byte> bytes, std::uint32_t page) const;
  void forget_before(std::uint32_t page, std::uint32_t serial);

  std::uint32_t unit_bytes_;
  OracleRules rules_;
  std::vector<Version> last_;
  std::vector<std::uint32_t> last_serial_;
  std::uint32_t serial_ = 0;  ///< of the newest version of all
  std::vector<Older> older_;
  Changes touched_;
  std::vector<std::uint32_t> exposed_;
  std::uint32_t exposed_and_lost_ = 0;
  bool refused_mixture_ = false;
};

}  // namespace ftlab::tests
