// Unpacks zstd; a cut-off stream is an error, which Boost's own filter takes for a whole one.
#pragma once

#include <zstd.h>

#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/read.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

namespace ftlab::workloads {

class ZstdDecompressor : public boost::iostreams::multichar_input_filter {
 public:
  /// Up to `most` bytes; -1 at the end. Throws std::runtime_error when the data is damaged or cut short.
  template <class Source>
  std::streamsize read(Source& source, char* into, std::streamsize most) {
    State& s = *state_;
    ZSTD_outBuffer out{into, static_cast<std::size_t>(most), 0};
    while (out.pos < out.size && fill(source)) {
      const std::size_t before = out.pos;
      s.wanted = ZSTD_decompressStream(s.context.get(), &out, &s.in);
      if (ZSTD_isError(s.wanted) != 0) throw std::runtime_error(ZSTD_getErrorName(s.wanted));
      if (s.ended && s.in.pos == s.in.size && s.wanted != 0 && out.pos == before)
        throw std::runtime_error("the last frame is not complete");
    }
    return out.pos == 0 ? -1 : static_cast<std::streamsize>(out.pos);
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  /// Filters are copied into their chain.
  struct State {
    std::unique_ptr<ZSTD_DCtx, Free> context{ZSTD_createDCtx()};
    std::vector<char> packed = std::vector<char>(ZSTD_DStreamInSize());
    ZSTD_inBuffer in{nullptr, 0, 0};
    std::size_t wanted = 0;  ///< 0: between two frames
    bool ended = false;
  };

  /// False: everything is unpacked.
  template <class Source>
  bool fill(Source& source) {
    State& s = *state_;
    if (s.in.pos < s.in.size) return true;
    if (!s.ended) {
      const std::streamsize got =
          boost::iostreams::read(source, s.packed.data(), static_cast<std::streamsize>(s.packed.size()));
      s.ended = got <= 0;
      s.in = {s.packed.data(), s.ended ? 0 : static_cast<std::size_t>(got), 0};
    }
    return !s.ended || s.wanted != 0;
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace ftlab::workloads
