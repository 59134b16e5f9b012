// A TOML file whose every key must be asked for: the one reader behind part, host and study files.
// Knows syntax, positions, units and nearest names; nothing of what the values mean.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/units.h"

namespace ftlab::spec {

/// A number with its unit and provenance, written in TOML as
///   tERASE = { value = 0.6, unit = "s", source = "28F016SA datasheet 290489, table ..., typ", estimate = true }
struct Quantity {
  double value = 0;
  std::string unit;
  std::string source;
  bool estimate = false;  ///< not from the source as printed: judged by us
  bool fitted = false;    ///< chosen so that published results come out; printed beside those results
};

/// A list of numbers in a table that says in `source` where its lists come from: a table by columns.
struct NumberList {
  std::vector<double> values;
  std::string source;
};

/// What a plain number of a key counts. Texts with a unit of the same kind ("16KiB", "15 %") stand for numbers, too.
struct KeyUnit {
  std::string_view unit;     ///< empty: no text stands for a number; "1": shares
  std::string_view example;  ///< a value with a unit, for messages
};

struct TomlTree;

/// Every getter throws InputError "FILE:LINE: KEY: ..." on a missing key, wrong type, wrong unit dimension or a value
/// out of range. Dotted keys address nested tables ("timing.5V.erase"). A key once read counts as known;
/// finish() throws for the first key never asked for and names the nearest known one.
class TomlFile {
 public:
  static TomlFile load(const std::string& path);
  /// `name` stands for the file in messages.
  static TomlFile parse(std::string_view text, const std::string& name);
  /// The same of text that a program wrote: its lines are not the user's, so messages name none.
  static TomlFile parse_unseen(std::string_view text, const std::string& name);
  ~TomlFile();
  TomlFile(TomlFile&&) noexcept;
  TomlFile& operator=(TomlFile&&) noexcept;
  /// Another file of the same content and history, to be overridden or read on its own.
  [[nodiscard]] TomlFile copy() const;

  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] bool has(std::string_view key) const;
  /// The same of a quantity that files may leave out: a number that an override gives it counts in `unit`.
  [[nodiscard]] bool has_quantity(std::string_view key, std::string_view unit) const;

  /// The value is a string.
  [[nodiscard]] bool holds_text(std::string_view key) const;

  /// Replaces or adds a value before it is read (overrides). `text` is a TOML value ("64", "\"cat\"", "0.9");
  /// bare words are taken as strings. A quantity keeps its unit when only a number is given; "1.5 ms" changes both.
  /// `origin` stands for FILE:LINE in later messages and becomes the source of a quantity.
  void set(std::string_view key, std::string_view text, std::string_view origin);
  /// The same for a file that is based on this one: the value counts as one of the file.
  void change(std::string_view key, std::string_view text, std::string_view origin);

  /// Another name for a value that is there; where it stands is kept.
  void rename(std::string_view key, std::string_view new_name);

  /// The value came from set(), not from a file.
  [[nodiscard]] bool overridden(std::string_view key) const;

  [[nodiscard]] std::string get_string(std::string_view key) const;
  [[nodiscard]] bool get_bool(std::string_view key) const;
  /// Ranges are in the key's unit. A text with a unit that makes no whole number is refused.
  [[nodiscard]] std::int64_t get_integer(std::string_view key, std::int64_t min, std::int64_t max,
                                         const KeyUnit& unit = {}) const;
  [[nodiscard]] double get_number(std::string_view key, double min, double max, const KeyUnit& unit = {}) const;
  [[nodiscard]] std::vector<std::string> get_strings(std::string_view key) const;

  /// A list of numbers, each in the range; a single number is a list of one.
  [[nodiscard]] std::vector<double> get_numbers(std::string_view key, double min, double max,
                                                const KeyUnit& unit = {}) const;

  [[nodiscard]] Quantity get_quantity(std::string_view key) const;
  /// Quantity of time (ns, us, ms, s) / current (uA, mA, A) / voltage (V) / energy (pJ, nJ, uJ, mJ, J) / power
  /// (uW, mW, W) / count (unit "1", "cycles", "components", ...) / size (B, KiB, MiB), in the stated base unit.
  [[nodiscard]] Ticks get_time(std::string_view key) const;
  [[nodiscard]] double get_in(std::string_view key, std::string_view base_unit, double min, double max) const;

  /// Keys directly below a table, in file order; empty when absent.
  [[nodiscard]] std::vector<std::string> keys(std::string_view table) const;
  /// Every value below a table as (key below the table, one line of TOML), in file order, and marks it known: free
  /// tables of overrides that another file checks. Empty when absent.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> texts(std::string_view table) const;
  /// "FILE:LINE: KEY: " for messages of the caller.
  [[nodiscard]] std::string where(std::string_view key) const;
  /// All quantities of the file (dotted key, quantity), for listings of provenance.
  [[nodiscard]] std::vector<std::pair<std::string, Quantity>> quantities() const;
  /// All lists of numbers with a source (dotted key, list), for the same.
  [[nodiscard]] std::vector<std::pair<std::string, NumberList>> lists() const;
  /// Throws InputError for the first key that nobody asked for; `hint` ends the line where no known name is near.
  void finish(std::string_view hint = {}) const;
  /// Everything in it as one JSON object, in file order.
  [[nodiscard]] std::string json() const;

 private:
  explicit TomlFile(std::unique_ptr<TomlTree> tree);
  std::unique_ptr<TomlTree> tree_;
};

/// Smallest edit distance, up to a third of the letters; empty when nothing is near.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& known);
/// The same of keys with dots: of the same table by what stands behind the last dot, of others also by the whole.
std::string nearest_key(std::string_view wrong, const std::vector<std::string>& known);

}  // namespace ftlab::spec
