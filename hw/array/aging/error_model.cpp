// The errors of a page are drawn at once. By the parametric model they are spread over codewords where one could hold
// too many; by the power law, whose rates are of worn cells, a table says how likely it is that one does, and where no
// table fits those of each codeword are drawn.
#include "hw/array/aging/error_model.h"

#include <algorithm>
#include <boost/random/generate_canonical.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "hw/base/random_stream.h"

namespace ftlab::hw::array {
namespace {

constexpr std::uint32_t kErrorStream = 0x41455252;    // "AERR"
constexpr std::uint32_t kSegmentStream = 0x41455347;  // "AESG"
constexpr std::uint32_t kLayerStream = 0x41454C59;    // "AELY"
constexpr double kDay = 86400;                        // s

/// Of a mean of 1; none where all are alike.
std::vector<float> draw_factors(double sigma, std::uint32_t count, std::uint64_t seed, std::uint32_t stream) {
  if (sigma == 0) return {};
  auto engine = make_stream(seed, {stream});
  boost::random::normal_distribution<double> normal;
  std::vector<float> factors(count);
  for (float& factor : factors) factor = static_cast<float>(std::exp(sigma * (normal(engine) - sigma / 2)));
  return factors;
}

}  // namespace

ErrorModel::ErrorModel(const ArraySpec& spec, std::uint64_t seed)
    : errors_(spec.errors),
      page_bits_(spec.page_bytes * 8),
      sensed_pages_(static_cast<double>(spec.pages_per_segment) / spec.pages_of_row()),
      codewords_(spec.page_bytes / spec.errors.codeword_bytes),
      engine_(make_stream(seed, {kErrorStream})) {
  if (errors_.by_power_law()) {
    certain_bits_ = {certain_below(too_many(false)), certain_below(too_many(true))};
    const auto codewords = static_cast<std::uint32_t>(codewords_.size());
    if (CodewordLimit::fits(codewords, errors_.correctable_bits)) {
      correctable_.emplace(codewords, errors_.correctable_bits);
      if (errors_.move_bits > 0) stays_.emplace(codewords, errors_.move_bits - 1);
    }
  }
  if (!any()) return;
  factors_ = draw_factors(spec.variation.errors, spec.segments, seed, kSegmentStream);
  const std::vector<float> layers = draw_factors(spec.variation.layers, spec.layers, seed, kLayerStream);
  if (layers.empty()) return;
  layer_factors_.resize(spec.pages_per_segment);
  for (std::uint32_t page = 0; page < spec.pages_per_segment; ++page) layer_factors_[page] = layers[spec.layer(page)];
  worst_layer_ = *std::ranges::max_element(layers);
}

double ErrorModel::certain_below(std::uint32_t too_many) const {
  // By Chernoff's bound on a Poisson variable: P(X >= k) <= exp(-m) (e m / k)^k.
  const double k = too_many;
  const double bound = std::log(1e-12 / static_cast<double>(codewords_.size()));
  double least = 0;
  double most = k;
  for (int i = 0; i < 60; ++i) {
    const double mean = (least + most) / 2;
    (k * (1 + std::log(mean / k)) - mean < bound ? least : most) = mean;
  }
  return least * static_cast<double>(codewords_.size());
}

double ErrorModel::rate(std::uint32_t type, std::uint32_t erase_count, const Exposure::Page& page) {
  const double all = errors_.by_power_law() ? by_power_law(erase_count, page) : parametric(erase_count, page);
  return std::min(all * errors_.factor[type], 0.5);
}

double ErrorModel::parametric(std::uint32_t erase_count, const Exposure::Page& page) const {
  const double life = erase_count / errors_.wear_cycles;
  double worn = errors_.wear > 0 ? errors_.wear * std::pow(life, errors_.wear_exponent) : 0;
  if (errors_.retains()) {
    const auto time = static_cast<double>(errors_.retention_time.count());
    worn *=
        1 + static_cast<double>(page.age.count()) / time + page.stored_days * kDay / to_seconds(errors_.retention_time);
  }
  const double disturbed = errors_.disturb * (page.reads / 1000.0) * (1 + life);
  return errors_.base + worn + disturbed;
}

double ErrorModel::by_power_law(std::uint32_t erase_count, const Exposure::Page& page) {
  Worn& worn = worn_[erase_count % kRemembered];
  if (worn.cycles != erase_count) worn = {erase_count, errors_.power_law.after(erase_count)};
  Disturbed& disturbed = disturbed_[page.reads % kRemembered];
  if (disturbed.reads != page.reads) disturbed = {page.reads, errors_.power_law.disturbed(page.reads / sensed_pages_)};
  return errors_.power_law.rate_disturbed(worn.law, to_seconds(page.age) / kDay + page.stored_days, disturbed.power);
}

std::uint32_t ErrorModel::draw_page(double mean, std::uint32_t matters_from) {
  const auto bits = static_cast<std::uint32_t>(boost::random::poisson_distribution<int, double>(mean)(engine_));
  if (bits < matters_from) return bits;
  std::fill(codewords_.begin(), codewords_.end(), 0U);
  boost::random::uniform_int_distribution<std::size_t> place(0, codewords_.size() - 1);
  for (std::uint32_t i = 0; i < bits; ++i) ++codewords_[place(engine_)];
  return bits;
}

std::uint32_t ErrorModel::draw_codewords(double mean) {
  boost::random::poisson_distribution<int, double> of_one(mean / static_cast<double>(codewords_.size()));
  std::uint32_t bits = 0;
  for (std::uint32_t& codeword : codewords_) bits += codeword = static_cast<std::uint32_t>(of_one(engine_));
  return bits;
}

void ErrorModel::judge_codewords(ReadErrors& found, std::uint32_t matters_from) const {
  const std::uint32_t worst = *std::max_element(codewords_.begin(), codewords_.end());
  found.correctable = worst <= errors_.correctable_bits;
  found.must_move = found.correctable && worst >= matters_from;
  if (found.correctable) return;
  for (const std::uint32_t bits : codewords_) {
    if (bits <= errors_.correctable_bits) continue;
    ++found.lost_codewords;
    found.lost_bits += bits;
  }
}

void ErrorModel::judge_by_limits(ReadErrors& found, bool may_move) {
  const double at = boost::random::generate_canonical<double, 53>(engine_);
  if (at >= correctable_->none_beyond(found.bits)) {
    found.correctable = false;
    const BeyondLimit lost = correctable_->draw(found.bits, engine_);
    found.lost_codewords = lost.codewords;
    found.lost_bits = lost.bits;
  } else {
    // A page whose codewords are all below the lower limit is one of those below the upper one.
    found.must_move = may_move && stays_ && at >= stays_->none_beyond(found.bits);
  }
}

ReadErrors ErrorModel::draw(double mean_bits, bool may_move) {
  if (mean_bits <= 0) return {};
  if (is_certain(mean_bits, may_move)) return {draw_page(mean_bits, UINT32_MAX)};
  const std::uint32_t matters_from = too_many(may_move);
  ReadErrors found;
  if (correctable_) {
    found.bits = draw_page(mean_bits, UINT32_MAX);
    if (found.bits >= matters_from) judge_by_limits(found, may_move);
    return found;
  }
  found.bits = errors_.by_power_law() ? draw_codewords(mean_bits) : draw_page(mean_bits, matters_from);
  if (found.bits >= matters_from) judge_codewords(found, matters_from);
  return found;
}

}  // namespace ftlab::hw::array
