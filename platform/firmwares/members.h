// Declares every firmware of the tree: what the files of this folder define.
#pragma once

#include "platform/study/firmware_row.h"

namespace ftlab::platform::firmwares {
#define FTLAB_MEMBER(name) extern const FirmwareRow name;
#include "platform/firmwares/members.inc"
#undef FTLAB_MEMBER
}  // namespace ftlab::platform::firmwares
