#include "workloads/traces/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "workloads/traces/byte_input.h"

namespace ftlab::workloads {

std::string trace_digest(const std::string& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  ByteInput input(path);
  do {
    (void)input.ensure(ByteInput::kWindowBytes);
    const std::string_view block = input.window();
    if (block.empty()) break;
    good = good && EVP_DigestUpdate(context.get(), block.data(), block.size()) == 1;
    input.consume(block.size());
  } while (true);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  good = good && EVP_DigestFinal_ex(context.get(), digest.data(), &length) == 1;
  if (!good) throw std::runtime_error("the cryptographic library gives no SHA-256");
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace ftlab::workloads
