// How the rest of a system asks the image for storage: one request at a time through a record in RAM.
// The client fills the record and sets `state` to posted; the firmware answers in `status` and sets it to done.
#pragma once

#include <cstdint>

namespace ftlab::target {

enum class MailboxState : std::uint32_t { idle, posted, done };
enum class MailboxRequest : std::uint32_t { read, write, trim, flush, format };

struct Mailbox {
  volatile MailboxState state;
  volatile MailboxRequest request;
  volatile std::uint64_t offset;  ///< logical bytes
  volatile std::uint32_t length;  ///< bytes
  volatile std::uintptr_t data;   ///< source or destination in RAM
  volatile std::uint32_t status;  ///< FtlStatus of the request, or of mounting before the first one
};

/// Where clients find it: symbol `ftlab_mailbox`.
extern "C" Mailbox ftlab_mailbox;

}  // namespace ftlab::target
