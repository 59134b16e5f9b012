#include "platform/measure/page_read_figures.h"

namespace ftlab::platform {
namespace {

using nlohmann::ordered_json;

using OfType = ordered_json (*)(const PageTypeReads&);

ordered_json share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

PageTypeReads all_types(const RunRecord& r) {
  PageTypeReads sum;
  for (const PageTypeReads& of_type : r.page_reads) sum += of_type;
  return sum;
}

ordered_json retries_per_read(const PageTypeReads& reads) {
  return share(static_cast<double>(reads.retries), static_cast<double>(reads.reads));
}
ordered_json raw_rate(const PageTypeReads& reads) { return share(reads.wrong_bits, reads.bits); }

ordered_json residual_rate(const PageTypeReads& reads) {
  return share(static_cast<double>(reads.lost_bits), reads.bits);
}

}  // namespace

void append_page_read_figures(std::vector<Figure>& out) {
  using enum FigureType;
  const auto add = [&out](const char* path, FigureType type, const char* help, OfType value) {
    out.push_back({path, "", help, type, CounterKind::flow, false,
                   [value](const RunRecord& r) { return r.page_reads.empty() ? ordered_json() : value(all_types(r)); },
                   true});
  };
  const auto add_by_type = [&out](const char* path, const char* help, OfType value) {
    out.push_back({path, "", help, numbers_by_name, CounterKind::flow, false,
                   [value](const RunRecord& r) {
                     ordered_json by_type;
                     for (const PageTypeReads& of_type : r.page_reads) by_type[of_type.type] = value(of_type);
                     return by_type;
                   },
                   true});
  };
  add("page_reads.reads", integer, "pages read that could have bit errors, without those that copies read",
      [](auto& reads) -> ordered_json { return reads.reads; });
  add("page_reads.retries", integer, "steps beyond the first one that they took",
      [](auto& reads) -> ordered_json { return reads.retries; });
  add("page_reads.retries_per_read", number, "page_reads.retries / page_reads.reads", retries_per_read);
  add("page_reads.raw_bit_error_rate", number, "mean rate of those pages as the plain read would meet it", raw_rate);
  add("page_reads.unreadable", integer, "of the reads, those that no step could correct",
      [](auto& reads) -> ordered_json { return reads.unreadable; });
  add("page_reads.uncorrectable_codewords", integer, "codewords of those that hold more errors than ECC corrects",
      [](auto& reads) -> ordered_json { return reads.lost_codewords; });
  add("page_reads.residual_bit_error_rate", number, "wrong bits of those codewords / bits read", residual_rate);
  add_by_type("page_reads.reads_by_type", "page_reads.reads by page type",
              [](auto& reads) -> ordered_json { return reads.reads; });
  add_by_type("page_reads.retries_per_read_by_type", "page_reads.retries_per_read by page type", retries_per_read);
  add_by_type("page_reads.raw_bit_error_rate_by_type", "page_reads.raw_bit_error_rate by page type", raw_rate);
  add_by_type("page_reads.unreadable_by_type", "page_reads.unreadable by page type",
              [](auto& reads) -> ordered_json { return reads.unreadable; });
  add_by_type("page_reads.uncorrectable_codewords_by_type", "page_reads.uncorrectable_codewords by page type",
              [](auto& reads) -> ordered_json { return reads.lost_codewords; });
  add_by_type("page_reads.residual_bit_error_rate_by_type", "page_reads.residual_bit_error_rate by page type",
              residual_rate);
}

}  // namespace ftlab::platform
