#include "CLibcurlLoop.h"

#if defined(__linux__) || defined(__APPLE__)

#include "CCurl.h"

#include <stdlib.h>

static size_t drop(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

static void start(stoic_curl_multi *multi, stoic_curl_easy *easy, const char *url) {
  stoic_curl_easy_reset(easy);
  stoic_curl_set_text(easy, STOIC_CURLOPT_URL, url);
  stoic_curl_set_number(easy, STOIC_CURLOPT_NOSIGNAL, 1);
  stoic_curl_set_text(easy, STOIC_CURLOPT_PROXY, "");
  stoic_curl_set_callbacks(easy, NULL, drop, drop, drop);
  stoic_curl_multi_add(multi, easy);
}

long stoic_libcurl_loop(const char *url, int at_a_time, long total) {
  if (!stoic_curl_load()) return -1;
  stoic_curl_multi *multi = stoic_curl_multi_make();
  stoic_curl_easy **handles = calloc((size_t)at_a_time, sizeof *handles);
  if (!multi || !handles) return -1;
  stoic_curl_multi_set_number(multi, STOIC_CURLMOPT_MAXCONNECTS, at_a_time);
  long started = 0, ended = 0, answered = 0;
  for (int index = 0; index < at_a_time && started < total; index++, started++) {
    handles[index] = stoic_curl_easy_make();
    start(multi, handles[index], url);
  }
  while (ended < total) {
    stoic_curl_multi_perform(multi);
    int code;
    stoic_curl_easy *easy;
    while ((easy = stoic_curl_multi_next_ended(multi, &code))) {
      ended++;
      if (code == 0) answered++;
      stoic_curl_multi_remove(multi, easy);
      if (started < total) {
        started++;
        start(multi, easy, url);
      }
    }
    if (ended < total) stoic_curl_multi_wait(multi, 1000);
  }
  for (int index = 0; index < at_a_time; index++) {
    if (handles[index]) stoic_curl_easy_free(handles[index]);
  }
  free(handles);
  stoic_curl_multi_free(multi);
  return answered;
}

#else

long stoic_libcurl_loop(const char *url, int at_a_time, long total) {
  (void)url;
  (void)at_a_time;
  (void)total;
  return -1;
}

#endif
