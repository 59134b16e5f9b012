#include "hw/array/array/page_store.h"

#include <algorithm>
#include <utility>

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

PageContent PageStore::put(std::uint32_t page, const Metadata& metadata, std::span<const std::byte> data) {
  PageContent before;
  if (content_ == Content::none) return before;
  before.metadata = std::exchange(metadata_[page], metadata);
  if (content_ != Content::bytes) return before;
  before.data = std::move(data_[page]);
  if (!data.empty()) {
    data_[page] = std::make_unique_for_overwrite<std::byte[]>(page_bytes_);
    std::copy(data.begin(), data.end(), data_[page].get());
  }
  return before;
}

void PageStore::restore(std::uint32_t page, PageContent content) {
  if (content_ == Content::none) return;
  metadata_[page] = content.metadata;
  if (content_ == Content::bytes) data_[page] = std::move(content.data);
}

std::span<std::byte> PageStore::edit(std::uint32_t page) {
  if (content_ != Content::bytes) return {};
  if (!data_[page]) data_[page] = std::make_unique<std::byte[]>(page_bytes_);
  return {data_[page].get(), page_bytes_};
}

}  // namespace ftlab::hw::array
