#ifndef C_INFLATE_H
#define C_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The part of zlib that unpacks, found when the program runs: libcurl is built on it and has loaded it already.

typedef struct stoic_inflate stoic_inflate;

/// What a packed stream looks like from outside.
enum stoic_inflate_format {
  STOIC_INFLATE_RAW = -15,
  STOIC_INFLATE_ZLIB = 15,
  STOIC_INFLATE_GZIP = 31,
};

enum stoic_inflate_state {
  /// The stream goes on.
  STOIC_INFLATE_OPEN,
  /// The stream has ended, its checksum right.
  STOIC_INFLATE_ENDED,
  /// No such stream, or memory has run out.
  STOIC_INFLATE_BROKEN,
};

/// Finds zlib, once per process and from any thread; false where it cannot.
bool stoic_inflate_load(void);

/// Null when memory has run out.
stoic_inflate *stoic_inflate_make(enum stoic_inflate_format format);
void stoic_inflate_free(stoic_inflate *inflate);

/// Makes it ready for another stream.
bool stoic_inflate_restart(stoic_inflate *inflate);

/// Unpacks until the input is used up, the output full or the stream at its end.
///
/// @param used how many bytes of the input were used.
/// @param made how many bytes of the output were written.
enum stoic_inflate_state stoic_inflate_run(
    stoic_inflate *inflate, const uint8_t *input, size_t count, size_t *used, uint8_t *output, size_t room,
    size_t *made);

#endif
