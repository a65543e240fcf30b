#ifndef C_LIBCURL_LOOP_H
#define C_LIBCURL_LOOP_H

/// Makes GETs in a plain loop over libcurl, so many of them at a time, and drops what comes.
///
/// What `CurlTransport` is compared with: the same library without anything around it.
///
/// @return how many brought a response; -1 where there is no libcurl.
long stoic_libcurl_loop(const char *url, int at_a_time, long total);

#endif
