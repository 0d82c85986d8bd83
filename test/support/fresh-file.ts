// Files of the unit and the conformance project share a process: each of them finds the console, the clock and the
// globals as they are.
import { vi } from "vitest";

vi.restoreAllMocks();
vi.useRealTimers();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
