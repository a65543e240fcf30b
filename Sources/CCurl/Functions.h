#ifndef C_CURL_FUNCTIONS_H
#define C_CURL_FUNCTIONS_H

#include "CCurl.h"

// The functions that are looked up, each as RESULT, NAME after `curl_`, PARAMETERS.
#define STOIC_CURL_FUNCTIONS(X) \
  X(int, global_init, (long flags)) \
  X(void *, version_info, (int version)) \
  X(char *, version, (void)) \
  X(stoic_curl_easy *, easy_init, (void)) \
  X(void, easy_cleanup, (stoic_curl_easy * easy)) \
  X(void, easy_reset, (stoic_curl_easy * easy)) \
  X(int, easy_pause, (stoic_curl_easy * easy, int directions)) \
  X(int, easy_setopt, (stoic_curl_easy * easy, int option, ...)) \
  X(int, easy_getinfo, (stoic_curl_easy * easy, int info, ...)) \
  X(stoic_curl_list *, slist_append, (stoic_curl_list * list, const char *line)) \
  X(void, slist_free_all, (stoic_curl_list * list)) \
  X(stoic_curl_multi *, multi_init, (void)) \
  X(int, multi_cleanup, (stoic_curl_multi * multi)) \
  X(int, multi_setopt, (stoic_curl_multi * multi, int option, ...)) \
  X(int, multi_add_handle, (stoic_curl_multi * multi, stoic_curl_easy *easy)) \
  X(int, multi_remove_handle, (stoic_curl_multi * multi, stoic_curl_easy *easy)) \
  X(int, multi_perform, (stoic_curl_multi * multi, int *running)) \
  X(int, multi_poll, (stoic_curl_multi * multi, void *extra, unsigned count, int milliseconds, int *ready)) \
  X(int, multi_wakeup, (stoic_curl_multi * multi)) \
  X(struct stoic_curl_message *, multi_info_read, (stoic_curl_multi * multi, int *left))

/// As CURLMsg.
struct stoic_curl_message {
  int kind;
  stoic_curl_easy *easy;
  union {
    void *other;
    int code;
  } data;
};

/// The start of curl_version_info_data.
struct stoic_curl_version {
  int age;
  const char *text;
  unsigned int number;
};

/// As curl_tlssessioninfo.
struct stoic_curl_tls {
  int backend;
  void *connection;
};

// Values that are not seen outside of this target.
enum {
  STOIC_CURLOPT_WRITEDATA = 10001,
  STOIC_CURLOPT_READDATA = 10009,
  STOIC_CURLOPT_ERRORBUFFER = 10010,
  STOIC_CURLOPT_WRITEFUNCTION = 20011,
  STOIC_CURLOPT_READFUNCTION = 20012,
  STOIC_CURLOPT_HTTPHEADER = 10023,
  STOIC_CURLOPT_HEADERDATA = 10029,
  STOIC_CURLOPT_HEADERFUNCTION = 20079,
  STOIC_CURLOPT_PRIVATE = 10103,
  STOIC_CURLOPT_POSTFIELDSIZE_LARGE = 30120,
  STOIC_CURLOPT_SOCKOPTFUNCTION = 20148,
  STOIC_CURLOPT_SOCKOPTDATA = 10149,
  STOIC_CURLOPT_PREREQFUNCTION = 20312,
  STOIC_CURLOPT_PREREQDATA = 10313,
  STOIC_CURLINFO_PRIVATE = 0x100015,
  STOIC_CURLINFO_TLS_SSL_PTR = 0x40002D,
  STOIC_CURLSSLBACKEND_OPENSSL = 1,
  STOIC_CURL_GLOBAL_ALL = 3,
  STOIC_CURLMSG_DONE = 1,
  STOIC_CURLPAUSE_CONT = 0,
};

#endif
