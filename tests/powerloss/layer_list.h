// A list of types, for the layers that the kit runs over.
#pragma once

namespace ftlab::tests {

template <class... Layer>
struct LayerList {
  /// Calls f.template operator()<Layer>() for each.
  template <class F>
  static void for_each(F&& f) {
    (f.template operator()<Layer>(), ...);
  }
};

}  // namespace ftlab::tests
