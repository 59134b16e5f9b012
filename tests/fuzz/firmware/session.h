// A sequence of calls of one translation layer, power losses and faults, as an input says it, held against an oracle:
// what was acknowledged is there after every mount, self_check() holds after every call, requests beyond the device are
// refused, and nothing else is refused while no fault was injected.
#pragma once

#include "tests/fixtures/page_oracle.h"
#include "tests/fuzz/firmware/volume.h"
#include "tests/fuzz/support/narrate.h"
#include "tests/powerloss/exposure.h"

namespace ftlab::fuzz {

template <class Pair>
class Session final : tests::ChangeWatcher {
 public:
  Session(Volume<Pair>& volume, Input& in) : volume_(volume), in_(in) { volume_.flash().watch(this); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { volume_.flash().watch(nullptr); }

  /// False: the configuration was not one.
  bool run() {
    volume_.start();
    config_ = Pair::draw(in_, volume_.flash().geometry());
    faults_allowed_ = in_.one_in(2);
    if (!volume_.open(config_)) return false;
    require(layer().format(now_ns_) == FtlStatus::ok, "a blank part can be formatted");
    check_tables();
    oracle_.emplace(pages(), layer().page_bytes(), Pair::kRules, borders());
    for (int call = 0; call < kCalls && !in_.empty() && !over_; ++call) {
      step();
      if (!over_ && !volume_.flash().powered()) recover();
      if (!over_) check_tables();
    }
    if (!over_) check_data(false);
    return true;
  }

 private:
  static constexpr int kCalls = 32;
  static constexpr int kDataChecks = 6;

  void before_change(const PartOp& op) override { exposure_.note(op); }
  auto& layer() const { return volume_.layer(); }
  void check_tables() { require_whole(layer().self_check(), "self_check() holds after every call"); }

  /// Anywhere in a page, as the rest of the input has it.
  [[nodiscard]] tests::PageOracle::Borders borders() const {
    tests::PageOracle::Borders borders{};
    for (std::uint32_t i = 1; i < borders.size(); ++i) borders[i] = 1 + in_.peek(i) % (layer().page_bytes() - 1);
    std::ranges::sort(borders);
    return borders;
  }
  [[nodiscard]] std::uint32_t pages() const {
    return static_cast<std::uint32_t>(layer().capacity_bytes() / layer().page_bytes());
  }

  void step() {
    now_ns_ += std::uint64_t{1} << in_.below(48);
    switch (in_.below(16)) {
      case 8:
        return write(draw_offset(), in_.word() % (4 * layer().page_bytes()));
      case 9:
        return trim(draw_offset(), in_.word() % (6 * layer().page_bytes()));
      case 10:
        return flush();
      case 11:
        narrate("idle\n");
        return let_idle(layer(), now_ns_, now_ns_ + (std::uint64_t{1} << in_.below(48)));
      case 12:
        return read();
      case 13:
        return remount();
      case 14:
        return arm_power_loss(64);
      case 15:
        return arm_fault();
      default: {
        // Whole pages, most of all.
        const std::uint32_t page = layer().page_bytes();
        const std::uint32_t first = in_.below(pages());
        return write(std::uint64_t{first} * page, std::min(in_.between(1, 8), pages() - first) * page);
      }
    }
  }

  /// Mostly inside the device, sometimes just beyond, rarely anywhere.
  std::uint64_t draw_offset() {
    if (in_.one_in(32)) return in_.qword();
    return in_.word() % (layer().capacity_bytes() + 16);
  }

  [[nodiscard]] bool inside(std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t capacity = layer().capacity_bytes();
    return offset <= capacity && length <= capacity - offset;
  }

  /// Looks at the answer of a request; true when it was ok.
  bool answered(FtlStatus status) {
    narrate(" -> %s\n", name_of(status).data());
    if (status == FtlStatus::ok) {
      exposure_.begin_request();
      return true;
    }
    if (!volume_.flash().powered()) return false;
    if (status == FtlStatus::read_failed && oracle_->is_on_lost_page()) {
      const std::string wrong = oracle_->refused(layer());
      require(wrong.empty() || !volume_.flash().powered(), "what is refused is old or new", wrong);
      return false;
    }
    require(faulty_, "no request is refused while nothing is broken", name_of(status));
    const bool expected = status == FtlStatus::read_only || status == FtlStatus::write_failed ||
                          status == FtlStatus::no_space || status == FtlStatus::read_failed;
    require(expected, "a refusal says that the medium is at its end", name_of(status));
    check_tables();
    oracle_->expose(exposure_.pages());
    std::string lost = oracle_->refused(layer());
    if (lost.empty()) lost = oracle_->check_live(layer());
    require(lost.empty() || !volume_.flash().powered(), "what was acknowledged is there when the medium is at its end",
            lost);
    over_ = true;
    return false;
  }

  /// Inside the device it begins and ends at units of the oracle.
  void write(std::uint64_t offset, std::uint64_t length) {
    constexpr std::size_t kMax = 8 * 256;
    length = std::min<std::uint64_t>(length, kMax);
    const WriteHint hint{.stream = in_.below(6), .read_only = in_.one_in(8)};
    if (!inside(offset, length)) {
      static constexpr std::array<std::byte, kMax> kAnything{};
      const auto from = std::span(kAnything).first(length);
      require(layer().write(offset, from, hint, now_ns_) == FtlStatus::out_of_range, "writes end with the device");
      return;
    }
    const std::uint32_t unit = oracle_->unit_at(offset);
    const std::uint32_t end = oracle_->unit_at(offset + length);
    oracle_->begin_write(unit, end - unit, data_);
    exposure_.begin_request();
    narrate("write %llu + %zu", static_cast<unsigned long long>(oracle_->offset_of(unit)), data_.size());
    if (answered(layer().write(oracle_->offset_of(unit), data_, hint, now_ns_))) oracle_->acknowledge();
  }

  void trim(std::uint64_t offset, std::uint64_t length) {
    if (!inside(offset, length)) {
      require(layer().trim(offset, length, now_ns_) == FtlStatus::out_of_range, "trims end with the device");
      return;
    }
    const std::uint64_t page = layer().page_bytes();
    const auto first = static_cast<std::uint32_t>((offset + page - 1) / page);
    const auto end = static_cast<std::uint32_t>((offset + length) / page);
    oracle_->begin_trim(first, std::max(first, end) - first);
    exposure_.begin_request();
    narrate("trim %llu + %llu", static_cast<unsigned long long>(offset), static_cast<unsigned long long>(length));
    if (answered(layer().trim(offset, length, now_ns_))) oracle_->acknowledge();
  }

  void flush() {
    narrate("flush");
    if (answered(layer().flush(now_ns_))) oracle_->acknowledge_flush();
  }

  void read() {
    if (in_.one_in(4)) return check_data(false);
    static std::array<std::byte, 1024> into;
    const std::uint64_t offset = draw_offset();
    const auto part = std::span(into).first(in_.word() % into.size());
    const FtlStatus status = layer().read(offset, part, now_ns_);
    if (!inside(offset, part.size())) return require(status == FtlStatus::out_of_range, "reads end with the device");
    if (status == FtlStatus::read_failed && may_not_be_read(offset, part.size())) return;
    (void)answered(status);
  }

  [[nodiscard]] bool may_not_be_read(std::uint64_t offset, std::uint64_t length) const {
    for (std::uint32_t page = 0; page < pages(); ++page)
      if (oracle_->may_be_lost(page) && page * std::uint64_t{layer().page_bytes()} < offset + length &&
          offset < (page + 1) * std::uint64_t{layer().page_bytes()})
        return true;
    return false;
  }

  void arm_power_loss(std::uint32_t most) {
    const std::uint32_t nth = in_.between(1, most);
    const std::uint32_t torn = in_.below(std::size(tests::kTornWrites));
    narrate("power goes at change %u from now, torn write %u\n", nth, torn);
    volume_.flash().lose_power_at(nth, tests::kTornWrites[torn], in_.byte());
  }

  void arm_fault() {
    if (!faults_allowed_) return;
    faulty_ = true;
    const std::uint32_t segment = in_.below(kSegments + 1);
    const std::uint32_t nth = in_.between(1, 32);
    narrate("change %u from now fails, segment %d\n", nth, segment == kSegments ? -1 : static_cast<int>(segment));
    if (segment == kSegments)
      volume_.flash().fail_at(nth);
    else
      volume_.flash().fail_at(nth, segment);
  }

  void check_data(bool mounted) {
    if (!mounted && ++data_checks_ > kDataChecks) return;
    const std::string lost = mounted ? oracle_->check_mounted(layer()) : oracle_->check_live(layer());
    require(lost.empty() || !volume_.flash().powered(), "what was acknowledged can be read", lost);
  }

  void remount() {
    // Without a flush erases may be under way that the next session knows nothing of: power goes, too.
    if (!in_.one_in(2)) return recover();
    flush();
    // Copies may still be under way.
    std::array<PartDone, 8> done;
    while (volume_.flash().reap(done, true) > 0) {
    }
    if (!over_ && volume_.flash().powered()) mount();
  }

  void recover() {
    volume_.flash().power_cycle();
    // The recovery may lose power, too, again and again.
    for (std::uint32_t depth = in_.below(4); depth > 0; --depth) {
      arm_power_loss(16);
      volume_.open(config_);
      (void)layer().mount(now_ns_);
      volume_.flash().power_cycle();
    }
    mount();
  }

  void mount() {
    volume_.open(config_);
    const FtlStatus status = layer().mount(now_ns_);
    narrate("mount -> %s%s\n", name_of(status).data(), volume_.flash().powered() ? "" : ", power gone");
    if (!volume_.flash().powered()) return;  // a power loss was still ahead; the caller recovers
    require(status == FtlStatus::ok, "a used volume can be mounted", name_of(status));
    check_tables();
    oracle_->expose(exposure_.pages());
    check_data(true);
    exposure_.begin_request();
  }

  static std::string_view name_of(FtlStatus status) {
    constexpr std::string_view kNames[] = {"ok",         "out_of_range", "no_space",     "not_formatted",
                                           "bad_config", "read_failed",  "write_failed", "read_only"};
    return kNames[static_cast<std::size_t>(status)];
  }

  Volume<Pair>& volume_;
  Input& in_;
  typename Pair::Config config_{};
  tests::Exposure<Pair> exposure_{volume_.flash(), config_};
  std::optional<tests::PageOracle> oracle_;
  std::vector<std::byte> data_;
  std::uint64_t now_ns_ = 0;
  int data_checks_ = 0;
  bool faults_allowed_ = false;
  bool faulty_ = false;
  bool over_ = false;
};

/// One input.
template <class Pair>
int run_session(const std::uint8_t* data, std::size_t size) {
  static Volume<Pair> volume;
  Input in(data, size);
  Session<Pair>(volume, in).run();
  return 0;
}

}  // namespace ftlab::fuzz
