// What a log decides by itself: separation and, where no policies are chosen or these clean by pools, pool choice and a
// selection in its listed form, with what they go by of each pool. Knows the segments' lists, no page's address and no
// flash.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/base/arena.h"
#include "firmware/map/listed_segments.h"
#include "firmware/policy/policies.h"
#include "firmware/port/flash_port.h"
#include "firmware/volume/volume_config.h"

namespace ftlab::volume {

/// What a separation made of pages whose class the host told: for its judgement.
struct ClassifiedWrites {
  std::uint64_t hot_as_hot = 0;
  std::uint64_t hot_as_cold = 0;
  std::uint64_t cold_as_hot = 0;
  std::uint64_t cold_as_cold = 0;
};

class OwnChoices {
 public:
  /// All outlive this.
  OwnChoices(ListedSegments& segments, const VolumeConfig& config, const FlashGeometry& geometry)
      : segments_(segments), config_(config), geometry_(geometry) {}

  /// The same code measures and lays out, the segments' lists, too.
  void layout(Arena& arena);
  void clear();

  [[nodiscard]] std::uint32_t pools() const { return pools_; }
  /// A separation says which stream a page goes to; false: those of the host go to the first, copies to the last.
  [[nodiscard]] bool separates() const { return separates_; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t die, std::uint32_t stream) const {
    return pools_ == 1 ? die : die * pools_ + stream % pools_;
  }

  /// Before the page is written: in how many pages of the host it is written again.
  void set_rewrite_distance(std::uint32_t lpn, std::uint32_t rewritten_in) {
    if (separates_) separation_->set_rewrite_distance(lpn, rewritten_in, now_ + 1);
  }
  /// A page of the host is written.
  void tick() { ++now_; }
  /// Its stream, where pages are separated; `old_stream`: of its version before, if there is one.
  [[nodiscard]] std::uint32_t host_stream(std::uint32_t lpn, std::uint32_t data_class, bool was_mapped,
                                          std::uint32_t old_stream);
  [[nodiscard]] std::uint32_t copy_stream(std::uint32_t lpn, std::uint32_t from_stream) {
    return separation_->copy_stream(lpn, from_stream, now_);
  }
  [[nodiscard]] const ClassifiedWrites& classified() const { return classified_; }

  // Segments of a group.
  void opened(std::uint32_t segment) { opened_at_[segment] = now_; }
  void sealed(std::uint32_t segment, std::uint32_t group) {
    sealed_at_[segment] = pool_clock_[group % pools_];
    selection_->sealed(segment, group);
  }
  void taken(std::uint32_t group, std::uint32_t bin) { selection_->taken(group, bin); }
  /// It is cleaned.
  void collected(std::uint32_t segment, std::uint32_t group, std::uint32_t stream) {
    ++cleanings_[group % pools_];
    separation_->collected(stream, now_ - opened_at_[segment]);
  }
  /// The next victim of the die, or kNoSegment where there is nothing to gain.
  [[nodiscard]] std::uint32_t pick(std::uint32_t die);

 private:
  std::uint32_t victim_of(std::uint32_t group);

  ListedSegments& segments_;
  const VolumeConfig& config_;
  const FlashGeometry& geometry_;
  fms::ListedSelection* selection_ = nullptr;
  fms::Separation* separation_ = nullptr;
  fms::PoolChoice* pool_choice_ = nullptr;
  bool separates_ = false;
  std::uint32_t pools_ = 1;
  std::span<std::uint32_t> opened_at_;                      ///< of each segment: now_ when it was opened
  std::span<std::uint32_t> sealed_at_;                      ///< of each segment: its pool's clock when it was full
  std::uint32_t now_ = 0;                                   ///< pages written by the host
  std::array<std::uint32_t, fms::kMaxPools> pool_clock_{};  ///< the same of each pool
  std::array<std::uint64_t, fms::kMaxPools> writes_{};      ///< of each pool lately
  std::array<std::uint64_t, fms::kMaxPools> cleanings_{};
  ClassifiedWrites classified_;
};

}  // namespace ftlab::volume
