// By the class that the host tells: perfect knowledge, as the paper's models assume (Desnoyers, section 5). A page
// whose class is not told belongs to the last one.
#include "firmware/policy/members.h"

namespace ftlab::fms::separate {
namespace {

class Oracle final : public Separation {
 public:
  struct Params {
    std::uint32_t pools = 2;
  };
  static constexpr Field<Params> kFields[] = {integer_field<&Params::pools>(
      "pools", "", 2, kMaxPools, "oracle: pools, one for each class of data of the workload")};
  static constexpr std::uint32_t classes(const Params& params) { return params.pools; }
  static constexpr bool kHasPools = true;
  static constexpr std::uint32_t kCopiesTo = 1;

  Oracle(const Params& params, const PolicySetup& setup) : classes_(params.pools), copies_apart_(setup.copies_apart) {}

  std::uint32_t host_stream(const PageWrite& write) override {
    const std::uint32_t last = classes_ - 1;
    return write.data_class == 0 || write.data_class > last ? last : write.data_class - 1;
  }
  std::uint32_t copy_stream(std::uint32_t, std::uint32_t from_stream, std::uint32_t) override {
    return copies_of(copies_apart_, classes_, from_stream % classes_);
  }

 private:
  std::uint32_t classes_;
  bool copies_apart_;
};

}  // namespace

constexpr SeparationEntry oracle = member<Oracle>("oracle", "by the class of data that the workload tells");

}  // namespace ftlab::fms::separate
