// A D1 that counts what it is asked: steps, never time.
import { env } from "cloudflare:workers";

interface CountedSteps {
  /** Each a round trip with one transaction. */
  readonly batches: number;
  /** Statements that were made, in batches or alone. */
  readonly statements: number;
}

export function countingDatabase() {
  let [batches, statements] = [0, 0];
  const database = new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (name === "batch") batches += 1;
        if (name === "prepare") statements += 1;
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
  /** Steps that were counted since the last time. */
  function take(): CountedSteps {
    const counted = { batches, statements };
    [batches, statements] = [0, 0];
    return counted;
  }
  return { database, take };
}
