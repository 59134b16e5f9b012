#include "hw/array/array/page_store.h"

#include <algorithm>

namespace ftlab::hw::array {

PageStore::PageStore(const ArraySpec& spec, Content content) : content_(content), page_bytes_(spec.page_bytes) {
  // Not written before a page is programmed, so that memory is taken as the array fills.
  if (content_ != Content::none) metadata_ = std::make_unique_for_overwrite<Metadata[]>(spec.pages());
  if (content_ == Content::bytes) data_.resize(spec.pages());
}

std::span<const std::byte> PageStore::data(std::uint32_t page) const {
  if (content_ != Content::bytes || !data_[page]) return {};
  return {data_[page].get(), page_bytes_};
}

PageData PageStore::copy_of(std::span<const std::byte> data) const {
  if (data.empty()) return nullptr;
  auto copy = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
  std::copy(data.begin(), data.end(), copy.get());
  return copy;
}

std::span<std::byte> PageStore::edit(std::uint32_t page) {
  if (content_ != Content::bytes) return {};
  if (!data_[page]) data_[page] = std::make_unique<std::byte[]>(page_bytes_);
  return {data_[page].get(), page_bytes_};
}

}  // namespace ftlab::hw::array
