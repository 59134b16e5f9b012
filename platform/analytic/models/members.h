// Declares every model: what the files of this folder define.
#pragma once

#include "platform/analytic/model.h"

namespace ftlab::analytic::members {
#define FTLAB_MEMBER(name) extern const Model name;
#include "platform/analytic/models/members.inc"
#undef FTLAB_MEMBER
}  // namespace ftlab::analytic::members
