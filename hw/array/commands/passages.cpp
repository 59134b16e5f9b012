#include "hw/array/commands/passages.h"

namespace ftlab::hw::array {

void Passages::add(std::uint32_t slot, Ticks now) {
  if (slot >= kept_.size()) kept_.resize(std::size_t{slot} + 1);
  last_ = &kept_[slot];
  *last_ = {};
  last_->queued = now;
  last_->mark = observer_->mark();
}

void Passages::is_read(const Span& span, const Sensing& sense) {
  const Attempts& attempts = sense.attempts;
  const ArrayReadRetry::Step first = retry_.step(attempts.first);
  last_->cells = sense.time * std::int64_t{first.sensings};
  last_->transfer = command_ + sense.transfer * std::int64_t{first.transfers};
  for (std::uint32_t index = attempts.first + 1U; index <= attempts.last; ++index) {
    const ArrayReadRetry::Step step = retry_.step(index);
    last_->retries +=
        command_ + sense.time * std::int64_t{step.sensings} + sense.transfer * std::int64_t{step.transfers};
    last_->decoding += retry_.decode;
  }
  // Once it has begun, a read waits for nothing else.
  last_->channel = span.end - span.begin - last_->cells - last_->transfer - last_->retries - last_->decoding;
}

void Passages::is_program(const Span& span, Ticks ready) {
  last_->gathered = ready - last_->queued;
  last_->channel = span.begin - span.asked;
  last_->transfer = span.cells - span.begin;
  last_->cells = span.end - span.cells;
}

void Passages::waits(std::uint32_t slot, Ticks time) {
  // What was queued before anybody asked has no place here.
  if (slot < kept_.size()) kept_[slot].channel = time;
}

void Passages::report(std::uint16_t tag, std::uint32_t slot, Ticks end) {
  // What was queued before anybody asked has no place here.
  if (slot >= kept_.size()) kept_.resize(std::size_t{slot} + 1);
  Passage& passage = kept_[slot];
  passage.tag = tag;
  passage.end = end;
  observer_->reported(passage);
}

}  // namespace ftlab::hw::array
