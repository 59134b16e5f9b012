#include "platform/laboratory/process_pool.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "common/input_error.h"

namespace ftlab::platform {
namespace {

// Lines from child to parent: P <share> | R <json> | I <input error> | E <other error>.
void send_line(int fd, char tag, const std::string& text) {
  std::string line = tag + text;
  std::replace(line.begin() + 1, line.end(), '\n', ' ');
  line += '\n';
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t n = ::write(fd, line.data() + sent, line.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(70);
    sent += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void run_child(const Job& job, int fd) {
  try {
    double reported = 0;
    const auto result = job.work([&](double share) {
      if (share - reported < 0.005) return;
      reported = share;
      send_line(fd, 'P', std::to_string(share));
    });
    send_line(fd, 'R', result.dump());
  } catch (const InputError& error) {
    send_line(fd, 'I', error.what());
  } catch (const std::exception& error) {
    send_line(fd, 'E', error.what());
  }
  std::fflush(nullptr);
  // No destructors of the simulation: the process is gone anyway, and its memory is large.
  ::_exit(0);
}

struct Child {
  pid_t pid = -1;
  int fd = -1;
  std::size_t job = 0;
  std::string pending;
};

class ProcessPool {
 public:
  ProcessPool(const std::vector<Job>& jobs, const ProcessPoolOptions& options)
      : jobs_(jobs), options_(options), results_(jobs.size()), shares_(jobs.size(), 0.0) {}

  ~ProcessPool() {
    for (const Child& child : children_) {
      ::kill(child.pid, SIGTERM);
      ::close(child.fd);
      ::waitpid(child.pid, nullptr, 0);
    }
  }
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  std::vector<nlohmann::ordered_json> run() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t parallel = options_.parallel == 0 ? cores : options_.parallel;
    while (next_ < jobs_.size() || !children_.empty()) {
      while (next_ < jobs_.size() && children_.size() < parallel) start(next_++);
      wait_for_output();
    }
    return std::move(results_);
  }

 private:
  void start(std::size_t job) {
    int fds[2];
    if (::pipe(fds) != 0) throw std::runtime_error("cannot open a pipe for a simulation process");
    std::fflush(nullptr);
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("cannot start a simulation process");
    if (pid == 0) {
      ::close(fds[0]);
      run_child(jobs_[job], fds[1]);
    }
    ::close(fds[1]);
    children_.push_back({pid, fds[0], job, {}});
  }

  void wait_for_output() {
    std::vector<pollfd> waits;
    waits.reserve(children_.size());
    for (const Child& child : children_) waits.push_back({child.fd, POLLIN, 0});
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) throw std::runtime_error("poll failed");
    for (std::size_t i = waits.size(); i-- > 0;) {
      if (waits[i].revents != 0) drain(i);
    }
  }

  void drain(std::size_t index) {
    Child& child = children_[index];
    char buffer[65536];
    const ssize_t n = ::read(child.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return;
    if (n > 0) {
      child.pending.append(buffer, static_cast<std::size_t>(n));
      std::size_t end = 0;
      while ((end = child.pending.find('\n')) != std::string::npos) {
        const std::string line = child.pending.substr(0, end);
        child.pending.erase(0, end + 1);
        handle(child.job, line);
      }
      return;
    }
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    ::close(child.fd);
    const std::size_t job = child.job;
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
    if (results_[job].is_null()) {
      throw std::runtime_error(jobs_[job].label + ": the simulation process ended without a result (status " +
                               std::to_string(status) + ")");
    }
  }

  void handle(std::size_t job, const std::string& line) {
    const std::string text = line.substr(1);
    switch (line[0]) {
      case 'P':
        shares_[job] = std::stod(text);
        break;
      case 'R':
        results_[job] = nlohmann::ordered_json::parse(text);
        shares_[job] = 1.0;
        break;
      case 'I':
        throw InputError(text);
      default:
        throw std::runtime_error(jobs_[job].label + ": " + text);
    }
    if (!options_.progress) return;
    double sum = 0;
    for (const double share : shares_) sum += share;
    options_.progress(sum / static_cast<double>(jobs_.size()), jobs_[job].label);
  }

  const std::vector<Job>& jobs_;
  const ProcessPoolOptions& options_;
  std::vector<nlohmann::ordered_json> results_;
  std::vector<double> shares_;
  std::vector<Child> children_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<nlohmann::ordered_json> run_jobs(const std::vector<Job>& jobs, const ProcessPoolOptions& options) {
  return ProcessPool(jobs, options).run();
}

}  // namespace ftlab::platform
