#include "firmware/volume/in_flight/merges.h"

#include <algorithm>

namespace ftlab::volume {

using State = PageInFlight::State;

void Merges::layout(Arena& arena, std::uint32_t pages) {
  entries_ = arena.take<Entry>(pages);
  buckets_ = arena.take<std::uint16_t>(pages);
  due_.tags = arena.take<std::uint16_t>(pages);
}

void Merges::clear() {
  std::ranges::fill(buckets_, kNone);
  count_ = 0;
  next_turn_ = kNone;
  due_.first = due_.count = 0;
}

std::uint16_t Merges::find(std::uint32_t lpn) const {
  std::uint16_t tag = buckets_[lpn % buckets_.size()];
  while (tag != kNone && bench_.pages[tag].lpn != lpn) tag = entries_[tag].next_in_bucket;
  return tag;
}

bool Merges::any_in(std::uint32_t first, std::uint32_t end) const {
  if (!any()) return false;
  for (std::uint16_t tag : buckets_)
    for (; tag != kNone; tag = entries_[tag].next_in_bucket)
      if (bench_.pages[tag].lpn >= first && bench_.pages[tag].lpn < end) return true;
  return false;
}

Merges::Step Merges::write_part(std::uint16_t tag, const std::byte* from) {
  entries_[tag] = {.from = from};
  return take_turn(tag);
}

bool Merges::wait_behind(std::uint16_t tag, const std::byte* from) {
  const std::uint16_t first_part = find(bench_.pages[tag].lpn);
  if (first_part == kNone) return false;
  entries_[tag] = {.from = from};
  follow(first_part, tag);
  return true;
}

void Merges::follow(std::uint16_t first_part, std::uint16_t tag) {
  Entry& merge = entries_[first_part];
  PageInFlight& page = bench_.pages[tag];
  if (page.state == State::reading || merge.first_waiting != kNone) {
    (merge.first_waiting == kNone ? merge.first_waiting : entries_[merge.last_waiting].next) = tag;
    merge.last_waiting = tag;
    return;
  }
  entries_[merge.last].next = tag;
  merge.last = tag;
  merge.covered = merge.covered || page.state == State::writing;
  bench_.pages[first_part].data_class = page.data_class;
}

Merges::Step Merges::begin(std::uint16_t tag) {
  const std::uint32_t lpn = bench_.pages[tag].lpn;
  entries_[tag].last = tag;
  if (bench_.log.ppn_of(lpn) == kUnmapped && !failed_.waiting_of(lpn) && !buffer_.has(lpn)) {
    erase_buffer(tag);
    return write(tag);
  }
  entries_[tag].next_in_bucket = bucket_of(lpn);
  bucket_of(lpn) = tag;
  ++count_;
  read_rest(tag);
  return {};
}

void Merges::erase_buffer(std::uint16_t tag) {
  std::ranges::fill(bench_.page_buffer, std::byte{0xFF});
  if (bench_.array.geometry().buffers != 0) bench_.array.write_buffer(tag, 0, bench_.page_buffer);
}

void Merges::read_rest(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  if (buffer_.has(page.lpn)) return copy_rest(tag);
  page.ppn = bench_.log.place_to_read(page.lpn);
  if (failed_.waiting_of(page.lpn)) return due_.put(tag);
  if (page.ppn == kUnmapped) {
    // The write that waited was refused.
    erase_buffer(tag);
    return rest_read(tag, true);
  }
  if (page.ppn == kLost) return rest_read(tag, false);
  bench_.probe.count(Work::page_read, 1);
  bench_.log.queue({FlashOpKind::read, true, tag, page.ppn, FlashOp::kNoPage,
                    bench_.array.geometry().buffers != 0 ? tag : FlashOp::kNoBuffer});
}

void Merges::copy_rest(std::uint16_t tag) {
  PageInFlight& page = bench_.pages[tag];
  page.ppn = kUnmapped;
  if (bench_.array.geometry().buffers != 0) {
    bench_.array.read_buffer(buffer_.find(page.lpn), 0, bench_.page_buffer);
    bench_.array.write_buffer(tag, 0, bench_.page_buffer);
  }
  rest_read(tag, true);
}

void Merges::rest_read(std::uint16_t tag, bool readable) {
  entries_[tag].rest_read = true;
  entries_[tag].readable = readable;
  due_.put(tag);
}

Merges::Step Merges::go_on() {
  if (next_turn_ != kNone) {
    const std::uint16_t tag = next_turn_;
    next_turn_ = entries_[tag].next;
    entries_[tag].next = kNone;
    return take_turn(tag);
  }
  const std::uint16_t tag = due_.take();
  if (bench_.pages[tag].state == State::reading) return {Step::Kind::read, tag};
  if (entries_[tag].rest_read) return finish(tag);
  read_rest(tag);
  return {};
}

Merges::Step Merges::finish(std::uint16_t tag) {
  const Entry& merge = entries_[tag];
  std::uint16_t* at = &bucket_of(bench_.pages[tag].lpn);
  while (*at != tag) at = &entries_[*at].next_in_bucket;
  *at = merge.next_in_bucket;
  --count_;
  next_turn_ = merge.first_waiting;
  if (merge.readable || merge.covered) return write(tag);
  if (merge.next != kNone) bench_.pages[tag].state = State::shared;
  return {Step::Kind::fail, tag};
}

Merges::Step Merges::take_turn(std::uint16_t tag) {
  const PageInFlight& page = bench_.pages[tag];
  if (const std::uint16_t first_part = find(page.lpn); first_part != kNone) {
    follow(first_part, tag);
    return {};
  }
  if (page.state == State::reading) return {Step::Kind::read, tag};
  if (page.state == State::merging) return begin(tag);
  put_in_buffer(tag, tag);
  return {Step::Kind::write, tag};
}

void Merges::put_in_buffer(std::uint16_t buffer, std::uint16_t tag) {
  if (entries_[tag].from == nullptr || bench_.array.geometry().buffers == 0) return;
  const PageInFlight& page = bench_.pages[tag];
  bench_.array.write_buffer(buffer, page.skip, {entries_[tag].from, page.bytes});
}

Merges::Step Merges::write(std::uint16_t tag) {
  put_in_buffer(tag, tag);
  for_each_that_shares(tag, [&](std::uint16_t other) { put_in_buffer(tag, other); });
  bench_.pages[tag].state = entries_[tag].next == kNone ? State::writing : State::shared;
  return {Step::Kind::write, tag};
}

}  // namespace ftlab::volume
