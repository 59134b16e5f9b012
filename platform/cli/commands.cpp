// The list of commands.
#include "platform/cli/commands.h"

namespace ftlab::platform::cli {

const std::vector<Register>& commands() {
  static const std::vector<Register> all = {
      register_main_study, register_run,       register_laboratory, register_init,  register_new,
      register_keys,       register_inputs,    register_figures,    register_data,  register_driver,
      register_policies,   register_workloads, register_trace,      register_model, register_show,
      register_compare,    register_views,     register_completion,
  };
  return all;
}

}  // namespace ftlab::platform::cli
