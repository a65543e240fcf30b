#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__linux__) || (defined(__APPLE__) && TARGET_OS_OSX)

#include "CInflate.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// As zlib declares it, since version 1.0.
struct z_stream {
  const uint8_t *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *zalloc;
  void *zfree;
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

enum { Z_NO_FLUSH = 0, Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5 };

struct stoic_inflate {
  struct z_stream stream;
};

static int (*inflate_init)(struct z_stream *stream, int window, const char *version, int size);
static int (*inflate_some)(struct z_stream *stream, int flush);
static int (*inflate_again)(struct z_stream *stream);
static int (*inflate_end)(struct z_stream *stream);

static pthread_once_t is_loaded = PTHREAD_ONCE_INIT;
static bool is_ready;

static void load(void) {
#if defined(__APPLE__)
  void *library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) return;
  inflate_init = (int (*)(struct z_stream *, int, const char *, int))dlsym(library, "inflateInit2_");
  inflate_some = (int (*)(struct z_stream *, int))dlsym(library, "inflate");
  inflate_again = (int (*)(struct z_stream *))dlsym(library, "inflateReset");
  inflate_end = (int (*)(struct z_stream *))dlsym(library, "inflateEnd");
  is_ready = inflate_init && inflate_some && inflate_again && inflate_end;
}

bool stoic_inflate_load(void) {
  pthread_once(&is_loaded, load);
  return is_ready;
}

stoic_inflate *stoic_inflate_make(enum stoic_inflate_format format) {
  stoic_inflate *inflate = calloc(1, sizeof *inflate);
  if (!inflate) return NULL;
  // Only the first digit of the version is looked at, and the size.
  if (inflate_init(&inflate->stream, (int)format, "1", (int)sizeof inflate->stream) == Z_OK) return inflate;
  free(inflate);
  return NULL;
}

void stoic_inflate_free(stoic_inflate *inflate) {
  inflate_end(&inflate->stream);
  free(inflate);
}

bool stoic_inflate_restart(stoic_inflate *inflate) { return inflate_again(&inflate->stream) == Z_OK; }

enum stoic_inflate_state stoic_inflate_run(
    stoic_inflate *inflate, const uint8_t *input, size_t count, size_t *used, uint8_t *output, size_t room,
    size_t *made) {
  struct z_stream *stream = &inflate->stream;
  const unsigned int available = count < UINT_MAX ? (unsigned int)count : UINT_MAX;
  const unsigned int wanted = room < UINT_MAX ? (unsigned int)room : UINT_MAX;
  stream->next_in = input;
  stream->avail_in = available;
  stream->next_out = output;
  stream->avail_out = wanted;
  const int code = inflate_some(stream, Z_NO_FLUSH);
  *used = available - stream->avail_in;
  *made = wanted - stream->avail_out;
  // Neither is kept beyond the call.
  stream->next_in = NULL;
  stream->next_out = NULL;
  if (code == Z_STREAM_END) return STOIC_INFLATE_ENDED;
  // The second only says that there was nothing to be done.
  return code == Z_OK || code == Z_BUF_ERROR ? STOIC_INFLATE_OPEN : STOIC_INFLATE_BROKEN;
}

#endif
