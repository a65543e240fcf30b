#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

// Where programs may load libraries of the system; elsewhere nothing of this is there.
#if defined(__linux__) || (defined(__APPLE__) && TARGET_OS_OSX)

#define _GNU_SOURCE
#include "Functions.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define DECLARE(result, name, parameters) static result(*curl_##name) parameters;
STOIC_CURL_FUNCTIONS(DECLARE)
#undef DECLARE

static const char *const library_names[] = {
#if defined(__APPLE__)
    "/usr/lib/libcurl.4.dylib",
#else
    "libcurl.so.4", "libcurl-gnutls.so.4",
#endif
};

static const char *only_name;
static pthread_once_t is_loaded = PTHREAD_ONCE_INIT;
static bool is_ready;
static char failure[512];
static const struct stoic_curl_version *version;

/// How much of a connection's input OpenSSL has unpacked and nobody has read.
static int (*openssl_unread)(const void *connection);

/// Finds that function in what libcurl is built on.
static void load_openssl(void *library) {
#if defined(__linux__)
  const char *(*text)(int) = (const char *(*)(int))dlsym(library, "OpenSSL_version");
  // The first one counts what was read ahead as well.
  int (*unread)(const void *) = (int (*)(const void *))dlsym(library, "SSL_has_pending");
  if (!unread) unread = (int (*)(const void *))dlsym(library, "SSL_pending");
  char number[32], name[48];
  // It has to be the very one that libcurl uses, whose connections are handed to it.
  if (!text || !unread || sscanf(text(0), "OpenSSL %31s", number) != 1) return;
  snprintf(name, sizeof name, " OpenSSL/%s ", number);
  if (strstr(curl_version(), name)) openssl_unread = unread;
#else
  (void)library;
#endif
}

static void load(void) {
  void *library = NULL;
  const char *const *names = only_name ? &only_name : library_names;
  const size_t count = only_name ? 1 : sizeof library_names / sizeof *library_names;
  for (size_t index = 0; index < count; index++) {
    if ((library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL))) break;
    // The first name is the usual one, so what is said of it helps most.
    if (index == 0) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (!library) return;
#define LOOK_UP(result, name, parameters) \
  if (!(curl_##name = (result(*) parameters)dlsym(library, "curl_" #name))) { \
    snprintf(failure, sizeof failure, "it has no curl_" #name); \
    return; \
  }
  STOIC_CURL_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  // Never undone: others in this process may use the library too.
  if (curl_global_init(STOIC_CURL_GLOBAL_ALL)) {
    snprintf(failure, sizeof failure, "it cannot be initialised");
    return;
  }
  load_openssl(library);
  version = curl_version_info(0);
  is_ready = version != NULL;
}

void stoic_curl_look_only_for(const char *name) { only_name = name; }

bool stoic_curl_load(void) {
  pthread_once(&is_loaded, load);
  return is_ready;
}

const char *stoic_curl_load_failure(void) { return failure; }
uint32_t stoic_curl_version_number(void) { return version->number; }
const char *stoic_curl_version_text(void) { return curl_version(); }

stoic_curl_easy *stoic_curl_easy_make(void) { return curl_easy_init(); }
void stoic_curl_easy_free(stoic_curl_easy *easy) { curl_easy_cleanup(easy); }
void stoic_curl_easy_reset(stoic_curl_easy *easy) { curl_easy_reset(easy); }

int stoic_curl_set_number(stoic_curl_easy *easy, enum stoic_curl_number option, long value) {
  return curl_easy_setopt(easy, option, value);
}

int stoic_curl_set_text(stoic_curl_easy *easy, enum stoic_curl_text option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

int stoic_curl_set_fields(stoic_curl_easy *easy, stoic_curl_list *fields) {
  return curl_easy_setopt(easy, STOIC_CURLOPT_HTTPHEADER, fields);
}

int stoic_curl_set_error_text(stoic_curl_easy *easy, char *text) {
  return curl_easy_setopt(easy, STOIC_CURLOPT_ERRORBUFFER, text);
}

int stoic_curl_set_body_size(stoic_curl_easy *easy, int64_t size) {
  return curl_easy_setopt(easy, STOIC_CURLOPT_POSTFIELDSIZE_LARGE, size);
}

void stoic_curl_set_callbacks(
    stoic_curl_easy *easy, void *context, stoic_curl_data_callback header, stoic_curl_data_callback body,
    stoic_curl_data_callback upload) {
  curl_easy_setopt(easy, STOIC_CURLOPT_PRIVATE, context);
  curl_easy_setopt(easy, STOIC_CURLOPT_HEADERDATA, context);
  curl_easy_setopt(easy, STOIC_CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(easy, STOIC_CURLOPT_WRITEDATA, context);
  curl_easy_setopt(easy, STOIC_CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(easy, STOIC_CURLOPT_READDATA, context);
  curl_easy_setopt(easy, STOIC_CURLOPT_READFUNCTION, upload);
}

void stoic_curl_set_socket_callback(stoic_curl_easy *easy, void *context, stoic_curl_socket_callback callback) {
  curl_easy_setopt(easy, STOIC_CURLOPT_SOCKOPTDATA, context);
  curl_easy_setopt(easy, STOIC_CURLOPT_SOCKOPTFUNCTION, callback);
}

void stoic_socket_close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

static int port(const struct sockaddr_storage *address) {
  switch (address->ss_family) {
  case AF_INET: return ntohs(((const struct sockaddr_in *)address)->sin_port);
  case AF_INET6: return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
  default: return -1;
  }
}

long stoic_socket_ports(int descriptor) {
  struct sockaddr_storage local, other;
  socklen_t size = sizeof local;
  if (getsockname(descriptor, (struct sockaddr *)&local, &size)) return -1;
  size = sizeof other;
  if (getpeername(descriptor, (struct sockaddr *)&other, &size)) return errno == ENOTCONN ? 0 : -1;
  return port(&local) < 0 || port(&other) < 0 ? -1 : (long)port(&local) << 16 | port(&other);
}

bool stoic_socket_has_input(int descriptor) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  return poll(&wanted, 1, 0) > 0;
}

bool stoic_curl_set_send_callback(stoic_curl_easy *easy, void *context, stoic_curl_send_callback callback) {
  return !curl_easy_setopt(easy, STOIC_CURLOPT_PREREQDATA, context) &&
         !curl_easy_setopt(easy, STOIC_CURLOPT_PREREQFUNCTION, callback);
}

void *stoic_curl_context(stoic_curl_easy *easy) {
  void *context = NULL;
  curl_easy_getinfo(easy, STOIC_CURLINFO_PRIVATE, &context);
  return context;
}

long stoic_curl_get_number(stoic_curl_easy *easy, enum stoic_curl_info info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) ? 0 : value;
}

bool stoic_curl_has_unread_input(stoic_curl_easy *easy) {
  const struct stoic_curl_tls *tls = NULL;
  return openssl_unread && !curl_easy_getinfo(easy, STOIC_CURLINFO_TLS_SSL_PTR, &tls) && tls && tls->connection &&
         tls->backend == STOIC_CURLSSLBACKEND_OPENSSL && openssl_unread(tls->connection) > 0;
}

int stoic_curl_go_on(stoic_curl_easy *easy) { return curl_easy_pause(easy, STOIC_CURLPAUSE_CONT); }

stoic_curl_list *stoic_curl_list_append(stoic_curl_list *list, const char *line) {
  return curl_slist_append(list, line);
}

void stoic_curl_list_free(stoic_curl_list *list) { curl_slist_free_all(list); }

stoic_curl_multi *stoic_curl_multi_make(void) { return curl_multi_init(); }
void stoic_curl_multi_free(stoic_curl_multi *multi) { curl_multi_cleanup(multi); }

int stoic_curl_multi_set_number(stoic_curl_multi *multi, enum stoic_curl_multi_number option, long value) {
  return curl_multi_setopt(multi, option, value);
}

int stoic_curl_multi_add(stoic_curl_multi *multi, stoic_curl_easy *easy) {
  return curl_multi_add_handle(multi, easy);
}

int stoic_curl_multi_remove(stoic_curl_multi *multi, stoic_curl_easy *easy) {
  return curl_multi_remove_handle(multi, easy);
}

int stoic_curl_multi_perform(stoic_curl_multi *multi) {
  int running;
  return curl_multi_perform(multi, &running);
}

int stoic_curl_multi_wait(stoic_curl_multi *multi, int milliseconds) {
  return curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int stoic_curl_multi_wake(stoic_curl_multi *multi) { return curl_multi_wakeup(multi); }

stoic_curl_easy *stoic_curl_multi_next_ended(stoic_curl_multi *multi, int *code) {
  int left;
  struct stoic_curl_message *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->kind != STOIC_CURLMSG_DONE) continue;
    *code = message->data.code;
    return message->easy;
  }
  return NULL;
}

struct start {
  void (*body)(void *context);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
#if defined(__APPLE__)
  pthread_setname_np("stoic-curl");
#else
  pthread_setname_np(pthread_self(), "stoic-curl");
#endif
  start.body(start.context);
  return NULL;
}

int stoic_curl_start_thread(void (*body)(void *context), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct start){body, context};
  // A thread inherits the mask of the one that makes it, so that it never runs a moment without its own. SIGPIPE is what
  // this is about; faults are left alone, so that a crash still shows its backtrace.
  sigset_t all, before;
  sigfillset(&all);
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&all, faults[index]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int code = pthread_create(&thread, &attributes, run, start);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code) free(start);
  return code;
}

#endif
