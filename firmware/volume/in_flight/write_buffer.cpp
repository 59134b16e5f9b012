#include "firmware/volume/in_flight/write_buffer.h"

#include <algorithm>

namespace ftlab::volume {

void WriteBuffer::layout(Arena& arena, std::uint32_t pages) {
  if (!on()) return;
  entries_ = arena.take<Entry>(pages);
  buckets_ = arena.take<std::uint16_t>(pages);
}

void WriteBuffer::clear() {
  std::ranges::fill(entries_, Entry{});
  std::ranges::fill(buckets_, kNone);
  answered_ = durable_ = kept_ = put_ = 0;
  first_waiting_ = last_waiting_ = kNone;
}

void WriteBuffer::put(std::uint16_t tag, std::uint32_t lpn) {
  // An older one may end later, on another die.
  const std::uint16_t over = find(lpn);
  forget(lpn);
  entries_[tag] = {.lpn = lpn,
                   .before = last_waiting_,
                   .state = State::waiting,
                   .over = over,
                   .order = ++put_,
                   .over_order = over == kNone ? 0 : entries_[over].order};
  enter_bucket(tag);
  (last_waiting_ == kNone ? first_waiting_ : entries_[last_waiting_].after) = tag;
  last_waiting_ = tag;
}

void WriteBuffer::put_durable(std::uint16_t tag) {
  entries_[tag] = {.state = State::durable};
  ++durable_;
}

std::optional<std::uint16_t> WriteBuffer::take_answered() {
  if (first_waiting_ == kNone || answered_ >= room_) return std::nullopt;
  const std::uint16_t tag = first_waiting_;
  stop_waiting(tag);
  entries_[tag].state = State::answered;
  ++answered_;
  return tag;
}

void WriteBuffer::remove(std::uint16_t tag) {
  Entry& entry = entries_[tag];
  if (entry.state == State::waiting) stop_waiting(tag);
  if (entry.state == State::answered) --answered_;
  if (entry.state == State::durable) --durable_;
  if (entry.found) leave_bucket(tag);
  entry.state = State::none;
}

void WriteBuffer::refuse(std::uint16_t tag) {
  const Entry refused = entries_[tag];
  remove(tag);
  if (refused.state == State::none) return;
  for (Entry& later : entries_) {
    if (later.over != tag || later.over_order != refused.order) continue;
    later.over = refused.over;
    later.over_order = refused.over_order;
  }
  if (!refused.found || refused.over == kNone) return;
  const Entry& older = entries_[refused.over];
  if (older.state != State::none && older.order == refused.over_order) enter_bucket(refused.over);
}

std::uint16_t WriteBuffer::find(std::uint32_t lpn) const {
  std::uint16_t tag = buckets_[lpn % buckets_.size()];
  while (tag != kNone && entries_[tag].lpn != lpn) tag = entries_[tag].next_in_bucket;
  return tag;
}

void WriteBuffer::forget(std::uint32_t lpn) {
  if (const std::uint16_t tag = find(lpn); tag != kNone) leave_bucket(tag);
}

void WriteBuffer::enter_bucket(std::uint16_t tag) {
  Entry& entry = entries_[tag];
  entry.next_in_bucket = bucket_of(entry.lpn);
  entry.found = true;
  bucket_of(entry.lpn) = tag;
}

void WriteBuffer::leave_bucket(std::uint16_t tag) {
  Entry& entry = entries_[tag];
  std::uint16_t* at = &bucket_of(entry.lpn);
  while (*at != tag) at = &entries_[*at].next_in_bucket;
  *at = entry.next_in_bucket;
  entry.found = false;
}

void WriteBuffer::stop_waiting(std::uint16_t tag) {
  const Entry& entry = entries_[tag];
  (entry.before == kNone ? first_waiting_ : entries_[entry.before].after) = entry.after;
  (entry.after == kNone ? last_waiting_ : entries_[entry.after].before) = entry.before;
}

}  // namespace ftlab::volume
