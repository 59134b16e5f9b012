#include "platform/cli/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/quantity_text.h"
#include "platform/cli/table.h"

namespace ftlab::platform::cli {
namespace {

using nlohmann::ordered_json;

double number(const ordered_json& json, const char* group, const char* key) {
  return json.at(group).at(key).get<double>();
}

std::string head(const ordered_json& r) {
  const auto line = [&](const char* key) { return r.at("summary").at(key).get<std::string>(); };
  return fmt::format("{}\n{}\n{}; seed {}\n", line("device"), line("firmware"), line("workload"),
                     r.at("seed").get<std::uint64_t>());
}

/// What the analytic model of the run says, where there is one.
void add_model_row(Table& table, const ordered_json& r) {
  const auto model = r.find("model");
  if (model == r.end() || !model->contains("deviation")) return;
  table.add_row({"analytic model", model->at("name").get<std::string>(),
                 fmt::format("write amplification {:.3f}; the run is {:+.2f} % off", model->at("value").get<double>(),
                             100 * model->at("deviation").get<double>())});
}

/// What layers report that fill segments as SLC.
void add_slc_rows(Table& table, const ordered_json& r) {
  if (!r.contains("firmware")) return;
  const auto& firmware = r.at("firmware");
  if (!firmware.contains("figures") || !firmware.at("figures").contains("pages_to_slc")) return;
  const auto figure = [&](const char* name) { return firmware.at("figures").at(name).get<double>(); };
  table.add_row({"host pages programmed as SLC", count_text(figure("pages_to_slc")),
                 fmt::format("{} as MLC", count_text(figure("pages_to_mlc")))});
  if (firmware.at("figures").contains("slc_pages_moved"))
    table.add_row({"pages copied out of SLC", count_text(figure("slc_pages_moved")), "by cleaning"});
  if (!firmware.at("figures").contains("background_pages")) return;
  table.add_row({"pages migrated to MLC", count_text(figure("background_pages") + figure("compulsory_pages")),
                 fmt::format("{} of them while a write waited", count_text(figure("compulsory_pages")))});
  table.add_row(
      {"segments at the end", count_text(figure("slc_segments")),
       fmt::format("SLC, {} MLC, {} free", count_text(figure("mlc_segments")), count_text(figure("free_segments")))});
}

/// Part of a mean latency; results of older versions do not say.
double wait_of(const ordered_json& latency) { return latency.value("wait_mean_s", 0.0); }

void add_latency_rows(Table& table, const ordered_json& r, const char* kind) {
  const auto& latency = r.at("latency").at(kind);
  if (latency.at("count").get<std::uint64_t>() == 0) return;
  const auto seconds = [&](const char* key) { return latency.at(key).get<double>(); };
  table.add_row(
      {fmt::format("{} latency, mean", kind), duration_text(seconds("mean_s")),
       fmt::format("p50 {}, p99 {}, p99.9 {}, max {}", duration_text(seconds("p50_s")), duration_text(seconds("p99_s")),
                   duration_text(seconds("p999_s")), duration_text(seconds("max_s")))});
  const double wait = wait_of(latency);
  if (wait == 0) return;
  table.add_row({"  waiting in the queue", duration_text(wait), percent_text(wait / seconds("mean_s")) + " of it"});
}

/// Where requests meet each other.
void add_depth_row(Table& table, const ordered_json& r) {
  const auto depth = r.at("host").find("mean_depth");
  if (depth == r.at("host").end()) return;
  const auto most = r.at("host").at("max_in_flight").get<std::uint64_t>();
  if (most <= 1 && std::ranges::all_of(r.at("latency"), [](const auto& latency) { return wait_of(latency) == 0; }))
    return;
  table.add_row(
      {"mean queue depth", significant_text(depth->get<double>()), fmt::format("at most {} in flight", most)});
}

/// In pages, and in bytes where that says something else. Results of older programs have pages alone.
std::string amplification_text(const ordered_json& r) {
  std::string text = fmt::format("write amplification {:.3f}", r.at("write_amplification").get<double>());
  const auto bytes = r.find("write_amplification_bytes");
  if (bytes == r.end() || bytes->is_null()) return text;
  const std::string in_bytes = fmt::format("write amplification {:.3f}", bytes->get<double>());
  return in_bytes == text ? text : fmt::format("{} in pages, {:.3f} in bytes", text, bytes->get<double>());
}

/// What cleaning costs in programs, by the firmware's count of pages, else by the bytes that the part has programmed.
void add_amplification_row(Table& table, const ordered_json& r) {
  if (r.contains("write_amplification")) {
    table.add_row({"pages copied by cleaning", count_text(number(r, "flash", "pages_copied")), amplification_text(r)});
    return;
  }
  const auto& bytes = r.at("write_amplification_bytes");
  table.add_row({"programmed by the firmware", size_text(number(r, "flash", "bytes_programmed")),
                 bytes.is_null() ? "" : fmt::format("write amplification {:.3f} in bytes", bytes.get<double>())});
}

/// What the firmware computes keeps its dies waiting, however many there are.
void add_processor_row(Table& table, const ordered_json& r) {
  if (!r.contains("firmware")) return;
  const ordered_json& work = r.at("firmware").at("work");
  const double elapsed = number(r, "time", "simulated_s");
  double whole = 0;
  double most = 0;
  std::string most_of_it;
  for (const auto& [name, done] : work.items()) {
    const double seconds = done.at("time_s").get<double>();
    whole += seconds;
    if (seconds > most) {
      most = seconds;
      most_of_it = name;
    }
  }
  if (whole == 0 || elapsed == 0) return;
  table.add_row(
      {"firmware computing", duration_text(whole),
       fmt::format("{} of the time; most for {}, {}", percent_text(whole / elapsed), most_of_it, duration_text(most))});
}

/// Of parts whose dies work beside the host: its own time says nothing of them.
void add_die_rows(Table& table, const ordered_json& r) {
  if (!r.contains("dies")) return;
  const bool beyond_end = number(r, "dies", "utilization_most") > 1;
  table.add_row(
      {"dies at work, mean", fmt::format("{:.2f}", number(r, "dies", "mean_working")),
       fmt::format(
           "utilization {}, of a die {} to {}{}; channels {}", percent_text(number(r, "dies", "utilization")),
           percent_text(number(r, "dies", "utilization_least")), percent_text(number(r, "dies", "utilization_most")),
           beyond_end ? " with what is queued at the end" : "", percent_text(number(r, "channels", "utilization")))});
  add_processor_row(table, r);
}

/// What became of answered writes in data RAM, where a firmware has such.
std::string data_ram_text(const ordered_json& power) {
  const auto all = [&power](const char* key) {
    double sum = 0;
    for (const auto& n : power.at(key)) sum += n.get<double>();
    return sum;
  };
  if (power.contains("hold_up_s")) {
    const auto most = [&power](const char* key) {
      double value = 0;
      for (const auto& n : power.at(key)) value = std::max(value, n.get<double>());
      return value;
    };
    const std::string saved =
        power.contains("saved_bytes") ? fmt::format(", {} saved", size_text(all("saved_bytes"))) : "";
    return fmt::format("; held up for at most {} with {}{}", duration_text(most("hold_up_s")),
                       energy_text(most("hold_up_j")), saved);
  }
  return power.contains("lost_bytes") ? fmt::format("; {} lost from data RAM", size_text(all("lost_bytes"))) : "";
}

/// Of runs whose study plans losses of power.
void add_power_row(Table& table, const ordered_json& r) {
  const auto power = r.find("power_cycles");
  if (power == r.end() || power->at("losses") == 0) return;
  const bool mounted = power->contains("mount_max_s");
  std::string text =
      mounted ? fmt::format("mounted after {}, at most {}", duration_text(power->at("mount_mean_s").get<double>()),
                            duration_text(power->at("mount_max_s").get<double>()))
              : "never mounted again";
  // Results of older programs do not tell.
  if (power->contains("torn_programs")) {
    const auto sum = [&power](const char* key) {
      double all = 0;
      for (const auto& n : power->at(key)) all += n.get<double>();
      return count_text(all);
    };
    text += fmt::format("; programs broken off {}, erases {}", sum("torn_programs"), sum("torn_erases"));
  }
  text += data_ram_text(*power);
  table.add_row({"losses of power", count_text(power->at("losses").get<double>()), text});
}

/// "; 3 segments refreshed", where the firmware counts them.
std::string refreshed_text(const ordered_json& r) {
  return r.contains("firmware") ? fmt::format("; {} segments refreshed", count_text(number(r, "firmware", "refreshes")))
                                : "";
}

/// Of runs whose reads met worn cells.
void add_page_read_row(Table& table, const ordered_json& r) {
  if (!r.contains("page_reads")) return;
  std::string rest = fmt::format(
      "{:.3f} a read; raw bit error rate {:.2e}, {} beyond all steps", number(r, "page_reads", "retries_per_read"),
      number(r, "page_reads", "raw_bit_error_rate"), count_text(number(r, "page_reads", "unreadable")));
  // Results of older programs do not have it.
  if (const double residual = r.at("page_reads").value("residual_bit_error_rate", 0.0); residual > 0)
    rest += fmt::format(", residual {:.2e}", residual);
  table.add_row({"read retries", count_text(number(r, "page_reads", "retries")), rest});
}

/// Of runs in which the part failed or put bits right. Results of older programs do not tell.
void add_reliability_rows(Table& table, const ordered_json& r) {
  add_page_read_row(table, r);
  if (!r.at("flash").contains("corrected_reads")) return;
  const double retired = r.contains("firmware") ? number(r, "firmware", "segments_retired") : 0;
  if (retired > 0) {
    const auto& first = r.at("host").at("bytes_written_to_first_loss");
    table.add_row(
        {"segments taken out of use", count_text(retired),
         first.is_null() ? "" : fmt::format("the first after {} of the host", size_text(first.get<double>()))});
  }
  const double corrected = number(r, "flash", "corrected_reads");
  const double unreadable = number(r, "flash", "unreadable_reads");
  if (corrected == 0 && unreadable == 0) return;
  table.add_row({"reads with bits put right", count_text(corrected),
                 fmt::format("{} of the reads; {} unreadable{}", percent_text(corrected / number(r, "flash", "reads")),
                             count_text(unreadable), refreshed_text(r))});
}

Table figures(const ordered_json& r) {
  Table table({{"figure"}, {"value", Align::right}, {"and"}});
  const auto& wear = r.at("wear");
  table.add_row({"simulated time", duration_text(number(r, "time", "simulated_s")), ""});
  table.add_row({"written by the host", size_text(number(r, "host", "bytes_written")),
                 rate_text(number(r, "throughput", "write_bytes_per_s"))});
  if (number(r, "host", "bytes_read") > 0) {
    table.add_row({"read by the host", size_text(number(r, "host", "bytes_read")),
                   rate_text(number(r, "throughput", "read_bytes_per_s"))});
  }
  table.add_row({"segments erased", count_text(number(r, "flash", "erases")), ""});
  add_amplification_row(table, r);
  if (const auto& flash = r.at("flash"); flash.value("pages_padded", std::uint64_t{0}) > 0) {
    table.add_row({"pages of padding", count_text(number(r, "flash", "pages_padded")),
                   "programmed empty, so that others of their program unit need not wait"});
  }
  add_model_row(table, r);
  add_slc_rows(table, r);
  add_die_rows(table, r);
  add_power_row(table, r);
  table.add_row({"erase count per segment", fmt::format("{:.1f}", wear.at("mean").get<double>()),
                 fmt::format("standard deviation {:.2f}, {} to {}", wear.at("stddev").get<double>(),
                             wear.at("min").get<std::uint64_t>(), wear.at("max").get<std::uint64_t>())});
  add_reliability_rows(table, r);
  const auto& per_mib = r.at("energy").at("j_per_host_mib");
  table.add_row({"energy of the device", energy_text(number(r, "energy", "total_j")),
                 per_mib.is_null() ? "" : energy_text(per_mib.get<double>()) + " per MiB written"});
  if (r.contains("processor"))
    table.add_row({"energy of the processor", energy_text(number(r, "processor", "energy_j")),
                   fmt::format("{} instructions, asleep {:.1f} %", count_text(number(r, "processor", "instructions")),
                               100 * number(r, "processor", "asleep_cycles") / number(r, "processor", "cycles"))});
  for (const char* kind : {"write", "read"}) add_latency_rows(table, r, kind);
  add_depth_row(table, r);
  if (number(r, "host", "failed_requests") > 0) {
    table.add_row({"requests refused", count_text(number(r, "host", "failed_requests")), "worn out or unreadable"});
  }
  const auto& wrong = r.at("host").at("wrong_reads");
  if (!wrong.is_null() && wrong.get<std::uint64_t>() > 0) {
    table.add_row({"WRONG DATA READ", count_text(wrong.get<double>()), "differs from what was acknowledged"});
  }
  return table;
}

Table causes(const ordered_json& r) {
  const bool dies = r.contains("dies");
  Table table({{"cause"},
               {dies ? "time of dies" : "time", Align::right},
               {"share", Align::right},
               {"energy of operations", Align::right},
               {"share", Align::right}});
  const auto& times = dies ? r.at("dies").at("time_by_cause_s") : r.at("time").at("by_cause_s");
  double whole = 0;
  for (const auto& [cause, seconds] : times.items()) whole += seconds.get<double>();
  const double active = number(r.at("energy"), "by_state_j", "active");
  for (const auto& [cause, seconds] : times.items()) {
    const double joules = r.at("energy").at("by_cause_j").at(cause).get<double>();
    const double time = seconds.get<double>();
    if (time == 0 && joules == 0) continue;
    table.add_row({cause, duration_text(time), whole > 0 ? percent_text(time / whole) : "", energy_text(joules),
                   active > 0 ? percent_text(joules / active) : ""});
  }
  return table;
}

std::string seeds_note(const ordered_json& r) {
  if (!r.contains("ensemble")) return "";
  Table table({{"over the seeds"}, {"mean", Align::right}, {"95 % interval", Align::right}});
  for (const auto& [name, f] : r.at("ensemble").at("figures").items()) {
    table.add_row({name, fmt::format("{:.6g}", f.at("mean").get<double>()),
                   fmt::format("{:.6g} .. {:.6g}", f.at("low").get<double>(), f.at("high").get<double>())});
  }
  std::string text = "\n" + table.text(colours_wanted(), terminal_width());
  for (const auto& warning : r.at("ensemble").at("warnings")) {
    text += fmt::format("Warning: {}.\n", warning.get<std::string>());
  }
  return text;
}

/// How a run like this one comes to steady state; empty where no key does it.
std::string_view steady_advice(std::string_view workload, bool drifts) {
  // A warm-up takes the first part of a trace or a scenario, and a trace can be made longer.
  if (workload == "trace") return "; raise workload.repeat, then workload.warm_up_overwrites";
  if (workload == "scenario") return "";
  if (drifts) return "; raise workload.warm_up_overwrites";
  return "; raise workload.warm_up_overwrites and workload.overwrites";
}

std::string steady_note(const ordered_json& r) {
  const auto steady = r.find("steady_state");
  if (steady == r.end() || !steady->contains("reached")) return "";
  // What nobody writes never comes to rest.
  if (steady->at("reached").get<bool>() || number(r, "host", "bytes_written") == 0) return "";
  const std::string kind = r.at("workload").at("kind").get<std::string>();
  const bool drifts = steady->contains("drift");
  const std::string_view advice = steady_advice(kind, drifts);
  if (!drifts) return fmt::format("Not known to be in steady state: too few overwrites to tell{}.\n", advice);
  return fmt::format("Not in steady state: write amplification changed by {} over the last overwrites{}.\n",
                     percent_text(steady->at("drift").get<double>()), advice);
}

std::string power_note(const ordered_json& r) {
  const auto power = r.find("power_cycles");
  if (power == r.end() || r.at("host").at("ended_early").get<bool>()) return "";
  const auto left = power->at("planned").get<std::uint64_t>() - power->at("losses").get<std::uint64_t>();
  if (left == 0) return "";
  return fmt::format("Planned losses of power behind the end of the run: {} of {}; see the keys power.loss_at_....\n",
                     left, power->at("planned").get<std::uint64_t>());
}

/// Before the figures: they cover less than was asked for.
std::string end_note(const ordered_json& r) {
  const auto& host = r.at("host");
  if (!host.at("ended_early").get<bool>()) return "";
  return fmt::format("THE RUN ENDED EARLY, after {} requests: {}.\n", count_text(host.at("requests").get<double>()),
                     host.at("end_reason").get<std::string>());
}

}  // namespace

void note_open_end(bool last_line_open, const std::string& trace) {
  if (!last_line_open) return;
  fmt::print(stderr,
             "ftlab: note: {}: the last line has no line end; it was read, but check that the file is complete\n",
             trace);
}

void note_empty_requests(std::uint64_t empty, const std::string& trace) {
  if (empty == 0) return;
  fmt::print(stderr, "ftlab: note: {}: {} of no bytes; runs leave {} out\n", trace,
             empty == 1 ? "1 request is" : fmt::format("{} requests are", empty), empty == 1 ? "it" : "them");
}

std::string summary_text(const ordered_json& result) {
  const bool bold = colours_wanted();
  return head(result) + end_note(result) + steady_note(result) + power_note(result) + "\n" +
         figures(result).text(bold, terminal_width()) + "\n" + causes(result).text(bold, terminal_width()) +
         seeds_note(result);
}

}  // namespace ftlab::platform::cli
