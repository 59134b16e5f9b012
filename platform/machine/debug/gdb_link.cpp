#include "platform/machine/debug/gdb_link.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "common/input_error.h"

namespace ftlab::platform::gdb {

using boost::asio::ip::tcp;

struct Link::Sockets {
  boost::asio::io_context context;
  tcp::acceptor acceptor{context};
  tcp::socket debugger{context};
};

Link::Link(std::uint16_t port) : sockets_(std::make_unique<Sockets>()) {
  try {
    const tcp::endpoint here(boost::asio::ip::address_v4::loopback(), port);
    sockets_->acceptor.open(here.protocol());
    sockets_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    sockets_->acceptor.bind(here);
    sockets_->acceptor.listen();
  } catch (const boost::system::system_error& error) {
    throw InputError("--gdb " + std::to_string(port) + ": no debugger can come by this port (" +
                     error.code().message() + "); use another, or 0 for one that is free");
  }
}

Link::~Link() = default;

std::uint16_t Link::port() const { return sockets_->acceptor.local_endpoint().port(); }

void Link::accept() {
  sockets_->acceptor.accept(sockets_->debugger);
  sockets_->acceptor.close();
  sockets_->debugger.set_option(tcp::no_delay(true));
}

std::string Link::receive() {
  std::array<char, 4096> bytes{};
  boost::system::error_code error;
  const std::size_t size = sockets_->debugger.read_some(boost::asio::buffer(bytes), error);
  return {bytes.data(), size};
}

std::string Link::poll() {
  boost::system::error_code error;
  return sockets_->debugger.available(error) > 0 ? receive() : std::string{};
}

void Link::send(std::string_view bytes) {
  boost::system::error_code gone;
  boost::asio::write(sockets_->debugger, boost::asio::buffer(bytes), gone);
}

void Link::close() {
  boost::system::error_code ignored;
  sockets_->debugger.close(ignored);
}

}  // namespace ftlab::platform::gdb
