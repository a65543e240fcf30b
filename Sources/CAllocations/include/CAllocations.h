#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>

/// Whether this program's allocations can be counted: with glibc, and without a sanitizer, which has an allocator of its
/// own.
bool stoic_can_count_allocations(void);

/// Starts counting from zero: each call that asks for memory, from any thread, `realloc` included.
void stoic_start_counting_allocations(void);

/// Stops counting; the count stays.
void stoic_stop_counting_allocations(void);

/// The count so far.
long stoic_counted_allocations(void);

#endif
