#pragma once

/// How often memory was allocated in this process so far (glibc only).
unsigned long allocation_count(void);
