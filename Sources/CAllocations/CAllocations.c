#include "CAllocations.h"

// Any header of the C library says whether it is glibc.
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <stdatomic.h>

// glibc's allocator under its other names: a program's own `malloc` takes the place of the library's for everybody.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_bool is_counting;
static atomic_long count;

// Only a flag is read outside a count, so that times measured in the same program stay what they are.
static inline void tally(void) {
  if (__builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), 0)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  tally();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  tally();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  tally();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  tally();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  tally();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  tally();
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}

void free(void *memory) { __libc_free(memory); }

bool stoic_can_count_allocations(void) { return true; }

void stoic_start_counting_allocations(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

void stoic_stop_counting_allocations(void) { atomic_store(&is_counting, false); }

long stoic_counted_allocations(void) { return atomic_load(&count); }

#else

bool stoic_can_count_allocations(void) { return false; }
void stoic_start_counting_allocations(void) {}
void stoic_stop_counting_allocations(void) {}
long stoic_counted_allocations(void) { return 0; }

#endif
