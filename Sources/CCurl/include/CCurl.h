#ifndef C_CURL_H
#define C_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CInflate.h"

// The part of libcurl's interface that CurlTransport uses, with declarations of our own, so that a build needs neither
// its headers nor its development package. The library itself is found when the program runs. Names that start with
// STOIC_CURL are libcurl's own with STOIC_ before them; `.ci/curl/check` compares their values with the real header.

typedef struct stoic_curl_easy stoic_curl_easy;
typedef struct stoic_curl_multi stoic_curl_multi;
typedef struct stoic_curl_list stoic_curl_list;

/// Called with bytes to be taken, or with room for bytes; returns how many it took or gave.
typedef size_t (*stoic_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);

/// Called before each time that a request is written to a connection; nonzero keeps it from being written.
typedef int (*stoic_curl_send_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

/// Called with each socket that is made, before it is connected; nonzero gives it up.
typedef int (*stoic_curl_socket_callback)(void *context, int descriptor, int purpose);

/// Options that are numbers.
enum stoic_curl_number {
  STOIC_CURLOPT_NOBODY = 44,
  STOIC_CURLOPT_POST = 47,
  STOIC_CURLOPT_SSLVERSION = 32,
  STOIC_CURLOPT_FRESH_CONNECT = 74,
  STOIC_CURLOPT_HTTPGET = 80,
  STOIC_CURLOPT_HTTP_VERSION = 84,
  STOIC_CURLOPT_NOSIGNAL = 99,
  STOIC_CURLOPT_CONNECTTIMEOUT_MS = 156,
  STOIC_CURLOPT_HTTP_CONTENT_DECODING = 158,
  STOIC_CURLOPT_PROTOCOLS = 181,
  STOIC_CURLOPT_PATH_AS_IS = 234,
  STOIC_CURLOPT_PIPEWAIT = 237,
  STOIC_CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
  STOIC_CURLOPT_HTTP09_ALLOWED = 285,
  STOIC_CURLOPT_MAXAGE_CONN = 288,
  STOIC_CURLOPT_QUICK_EXIT = 322,
};

/// Options that are texts, which libcurl copies.
enum stoic_curl_text {
  STOIC_CURLOPT_URL = 10002,
  STOIC_CURLOPT_PROXY = 10004,
  STOIC_CURLOPT_SSLCERT = 10025,
  STOIC_CURLOPT_KEYPASSWD = 10026,
  STOIC_CURLOPT_CUSTOMREQUEST = 10036,
  STOIC_CURLOPT_CAINFO = 10065,
  STOIC_CURLOPT_SSLKEY = 10087,
  STOIC_CURLOPT_CAPATH = 10097,
  STOIC_CURLOPT_NOPROXY = 10177,
  STOIC_CURLOPT_PROXY_CAINFO = 10246,
  STOIC_CURLOPT_PROXY_CAPATH = 10247,
  STOIC_CURLOPT_PROTOCOLS_STR = 10318,
};

/// What is known of a transfer, as a number.
enum stoic_curl_info {
  STOIC_CURLINFO_REQUEST_SIZE = 0x20000C,
  STOIC_CURLINFO_HTTP_CONNECTCODE = 0x200016,
  STOIC_CURLINFO_OS_ERRNO = 0x200019,
  STOIC_CURLINFO_NUM_CONNECTS = 0x20001A,
  STOIC_CURLINFO_HTTP_VERSION = 0x20002E,
};

/// Options of all transfers together.
enum stoic_curl_multi_number {
  STOIC_CURLMOPT_MAXCONNECTS = 6,
  STOIC_CURLMOPT_MAX_HOST_CONNECTIONS = 7,
};

enum {
  STOIC_CURL_HTTP_VERSION_1_1 = 2,
  STOIC_CURL_HTTP_VERSION_2_0 = 3,
  STOIC_CURL_HTTP_VERSION_2TLS = 4,
  STOIC_CURL_SSLVERSION_TLSv1_2 = 6,
  STOIC_CURL_WRITEFUNC_PAUSE = 0x10000001,
  STOIC_CURL_READFUNC_ABORT = 0x10000000,
  STOIC_CURL_PREREQFUNC_OK = 0,
  STOIC_CURL_PREREQFUNC_ABORT = 1,
  STOIC_CURL_ERROR_SIZE = 256,
};

/// Has ``stoic_curl_load`` try this library and no other, when called before it: tests have no other way to a system without
/// one. The name is kept as it is, not copied.
void stoic_curl_look_only_for(const char *name);

/// Finds libcurl and makes it ready, once per process and from any thread; false where it cannot.
bool stoic_curl_load(void);

/// Why ``stoic_curl_load`` said false.
const char *stoic_curl_load_failure(void);

/// The version as libcurl counts it: 0x075801 for 7.88.1.
uint32_t stoic_curl_version_number(void);

/// The versions of libcurl and of what it is built on.
const char *stoic_curl_version_text(void);

// Of one transfer. All but the loading is for the thread that runs the transfers.

stoic_curl_easy *stoic_curl_easy_make(void);
void stoic_curl_easy_free(stoic_curl_easy *easy);

/// Forgets all options, and with them every pointer given; keeps what may be used again.
void stoic_curl_easy_reset(stoic_curl_easy *easy);

int stoic_curl_set_number(stoic_curl_easy *easy, enum stoic_curl_number option, long value);
int stoic_curl_set_text(stoic_curl_easy *easy, enum stoic_curl_text option, const char *value);

/// The fields, a line each; kept by the caller until the transfer is reset or freed.
int stoic_curl_set_fields(stoic_curl_easy *easy, stoic_curl_list *fields);

/// Where libcurl writes the text of an error, STOIC_CURL_ERROR_SIZE bytes.
int stoic_curl_set_error_text(stoic_curl_easy *easy, char *text);

/// A body of that many bytes, which the reading callback gives; with zero it is not called.
int stoic_curl_set_body_size(stoic_curl_easy *easy, int64_t size);

/// Who is called, and with what.
void stoic_curl_set_callbacks(
    stoic_curl_easy *easy, void *context, stoic_curl_data_callback header, stoic_curl_data_callback body,
    stoic_curl_data_callback upload);

/// Who is called with the sockets that are made for a transfer.
void stoic_curl_set_socket_callback(stoic_curl_easy *easy, void *context, stoic_curl_socket_callback callback);

/// Has a socket closed in programs that this one starts.
void stoic_socket_close_on_exec(int descriptor);

/// The ports of a connected socket, the local one times 65,536 and the other's; -1 where it is none, 0 where it is not
/// connected yet.
long stoic_socket_ports(int descriptor);

/// Whether something can be read from a socket, its end included.
bool stoic_socket_has_input(int descriptor);

/// Who is called before a request is sent; false where libcurl is too old for it.
bool stoic_curl_set_send_callback(stoic_curl_easy *easy, void *context, stoic_curl_send_callback callback);

/// The context of ``stoic_curl_set_callbacks``.
void *stoic_curl_context(stoic_curl_easy *easy);

/// Whether TLS has unpacked something of the connection that a transfer is about to use, and nobody has read it. False where
/// that cannot be told: without TLS, with another one than OpenSSL, outside of the callback before a request is sent.
bool stoic_curl_has_unread_input(stoic_curl_easy *easy);

/// A number about the transfer; zero where it is not known.
long stoic_curl_get_number(stoic_curl_easy *easy, enum stoic_curl_info info);

/// Lets both directions go on.
int stoic_curl_go_on(stoic_curl_easy *easy);

/// A list with one line more, which is copied; null, the list left as it was, where memory ran out.
stoic_curl_list *stoic_curl_list_append(stoic_curl_list *list, const char *line);
void stoic_curl_list_free(stoic_curl_list *list);

// Of all transfers of one thread.

stoic_curl_multi *stoic_curl_multi_make(void);

/// Closes all connections.
void stoic_curl_multi_free(stoic_curl_multi *multi);
int stoic_curl_multi_set_number(stoic_curl_multi *multi, enum stoic_curl_multi_number option, long value);
int stoic_curl_multi_add(stoic_curl_multi *multi, stoic_curl_easy *easy);
int stoic_curl_multi_remove(stoic_curl_multi *multi, stoic_curl_easy *easy);

/// Does what can be done without waiting.
int stoic_curl_multi_perform(stoic_curl_multi *multi);

/// Waits until there is something to do, a time has passed, or ``stoic_curl_multi_wake`` is called.
int stoic_curl_multi_wait(stoic_curl_multi *multi, int milliseconds);

/// Ends a wait; from any thread, as long as the transfers are not freed.
int stoic_curl_multi_wake(stoic_curl_multi *multi);

/// The next transfer that has ended and how; null when there is none.
stoic_curl_easy *stoic_curl_multi_next_ended(stoic_curl_multi *multi, int *code);

/// Runs a body on a thread of its own, which takes no signals; nonzero, an errno, when there is none to be had.
int stoic_curl_start_thread(void (*body)(void *context), void *context);

#endif
