import type { StopSignal } from "../../agent/ports.ts";
import { CHECK_PROBE_MS, MAX_PARALLEL_PROBES } from "../../protocol/diagnostics/limits.ts";

export type Probe<Finding> = (stop: StopSignal) => Promise<Finding>;

/** A few at a time, each within its own time. Null for a probe that had no turn. */
export async function runProbes<Finding extends object>(
  probes: readonly Probe<Finding>[],
  untilMs: number,
): Promise<readonly ((Finding & { readonly duration_ms: number }) | null)[]> {
  const findings: ((Finding & { readonly duration_ms: number }) | null)[] = probes.map(() => null);
  const waiting = probes.entries();
  await Promise.all(Array.from({ length: MAX_PARALLEL_PROBES }, work));
  return findings;

  async function work(): Promise<void> {
    for (const [index, probe] of waiting) {
      const beganMs = Date.now();
      const leftMs = untilMs - beganMs;
      if (leftMs <= 0) return;
      const stop = AbortSignal.timeout(Math.min(CHECK_PROBE_MS, leftMs));
      const finding = await probe(stop);
      findings[index] = { ...finding, duration_ms: Math.max(Date.now() - beganMs, 0) };
    }
  }
}
