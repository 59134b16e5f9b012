// Sequences of words are recognised exactly where each word is the sum it has to be.
#include "common/word_sequence.h"

#include <gtest/gtest.h>

#include <array>

namespace ftlab {
namespace {

using Bytes = std::array<std::byte, 512>;

Bytes bytes_of(const WordSequence& sequence) {
  Bytes bytes{};
  write_words(sequence, bytes.data(), bytes.size());
  return bytes;
}

TEST(WordSequenceTest, writes_first_and_then_step_by_step) {
  const WordSequence sequence{0xFFFFFFFFFFFFFFF0, 0x9E3779B97F4A7C15};
  const Bytes bytes = bytes_of(sequence);
  for (std::uint64_t i = 0; i < bytes.size() / 8; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i * 8], sizeof word);
    EXPECT_EQ(word, sequence.first + i * sequence.step) << i;
  }
}

TEST(WordSequenceTest, recognises_what_it_wrote) {
  for (const WordSequence& sequence : {WordSequence{0, 0}, WordSequence{UINT64_MAX, 0}, WordSequence{7, UINT64_MAX}}) {
    WordSequence found;
    EXPECT_TRUE(recognise_words(bytes_of(sequence).data(), sizeof(Bytes), found));
    EXPECT_EQ(found, sequence);
  }
}

TEST(WordSequenceTest, any_wrong_byte_is_no_sequence) {
  for (std::size_t at = 0; at < sizeof(Bytes); ++at) {
    Bytes bytes = bytes_of({3, 5});
    bytes[at] ^= std::byte{0x80};
    WordSequence found;
    EXPECT_FALSE(recognise_words(bytes.data(), bytes.size(), found)) << at;
  }
}

/// Machines without wide vectors take this path.
TEST(WordSequenceTest, narrow_steps_do_the_same) {
  const WordSequence sequence{11, 13};
  Bytes bytes{};
  detail::write_steps(sequence, bytes.data(), bytes.size());
  EXPECT_EQ(bytes, bytes_of(sequence));
  EXPECT_TRUE(detail::match_steps(sequence, bytes.data(), bytes.size()));
  bytes[300] ^= std::byte{1};
  EXPECT_FALSE(detail::match_steps(sequence, bytes.data(), bytes.size()));
}

}  // namespace
}  // namespace ftlab
