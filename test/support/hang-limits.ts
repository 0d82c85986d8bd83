/**
 * For hangs only, never for how fast something is: what takes this long would take for ever. A look that fails for
 * this long says what it saw, so it ends before its test does.
 */
export const HANG_LIMITS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};
