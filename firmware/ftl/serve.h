// The main loop of a storage device: takes requests, lets the translation layer serve them, gives idle time to it.
// Knows no layer, no part and no host; the same loop runs on the simulated processor and on a target.
#pragma once

#include "firmware/ftl/ftl.h"
#include "firmware/port/host_port.h"
#include "firmware/port/probe_port.h"

namespace ftlab {

/// Serves the host until it has no more requests and all are completed.
void serve(Ftl& ftl, HostPort& host, ProbePort& probe);

}  // namespace ftlab
