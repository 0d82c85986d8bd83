import { ERASURE_STEP_MS } from "../../protocol/operator/limits.ts";

const NONE = { chain: "", untilMs: 0 };

/** The chain of steps that erases a tenant. In memory: a second chain after an eviction costs time and does no harm. */
export class ErasureClaim {
  #held = NONE;

  /** Whether the chain may take its next step: no other one holds the claim, or the other's has expired. */
  claim(chain: string, nowMs: number): boolean {
    const { chain: holder, untilMs } = this.#held;
    if (chain !== holder && nowMs < untilMs) return false;
    this.#held = { chain, untilMs: nowMs + ERASURE_STEP_MS };
    return true;
  }

  giveUp(chain: string): void {
    if (this.#held.chain === chain) this.#held = NONE;
  }

  clear(): void {
    this.#held = NONE;
  }
}
