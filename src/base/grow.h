/* Arrays that grow. What their maximum is, whoever fills them states. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/** Makes room for need elements of size bytes, at least twice the room there was; new ones are zero.
 *  array: address of the pointer to the first element (NULL: none yet).
 *  @return false: out of memory; array and cap are as they were */
bool jm_grow(void *array, size_t *cap, size_t need, size_t size);
