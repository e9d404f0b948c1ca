/* CRC-32C (Castagnoli, RFC 3720 appendix B.4), the checksum of every frame of a recording. */
#pragma once
#include <stddef.h>
#include <stdint.h>

uint32_t jm_crc32c(const void *data, size_t len);
