import { vi } from 'vitest';

// Files that share a process must not share what our own modules remember: each file loads them anew. Packages stay loaded, which is what costs.
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.restoreAllMocks();
