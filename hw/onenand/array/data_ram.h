// The main area of a DataRAM: shows the page that a load brought, or what the host wrote, without a copy where nobody
// changes it. Plain bytes to its users.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "hw/onenand/array/page_pool.h"

namespace ftlab::hw {

class DataRam {
 public:
  explicit DataRam(PagePool& pool) : pool_(pool), page_(pool.zero()) {}

  /// A load: the page as it stands in the cells.
  void show(PagePool::Page page) { page_ = std::move(page); }
  /// A program: the page as it stands here, whatever the host writes afterwards.
  [[nodiscard]] const PagePool::Page& page() const { return page_; }

  void read(std::size_t offset, std::span<std::byte> into) const { page_.read(offset, into); }
  void write(std::size_t offset, std::span<const std::byte> from) {
    if (from.size() != PagePool::kPageBytes) {
      std::memcpy(&own()[offset], from.data(), from.size());
      return;
    }
    const PagePool::ConstBytes page = from.first<PagePool::kPageBytes>();
    if (!page_.shared()) {
      page_.write(page);
    } else if (!page_.holds(page)) {  // a host that copies a page back writes what it has just loaded
      page_ = pool_.take(page);
    }
  }
  /// To be changed in place.
  [[nodiscard]] PagePool::Bytes own() {
    if (page_.shared()) page_ = pool_.take(page_);
    return page_.own_bytes();
  }

 private:
  PagePool& pool_;
  PagePool::Page page_;
};

}  // namespace ftlab::hw
