// D1 in front of which a test stands: it refuses, makes everybody wait, or loses its answers.
import { env } from "cloudflare:workers";

export interface FailingDatabase {
  readonly database: D1Database;
  /** Behaviour of the next batches. `lost`: they are applied, and the answer does not arrive. */
  mode: "up" | "down" | "held" | "lost";
  /** Batches that were asked for. */
  calls: number;
  /** Batches that were under way at the same moment, at most. */
  atOnce: number;
  /** Lets go of what is held. */
  release(): void;
}

export function failingDatabase(): FailingDatabase {
  let running = 0;
  let held = Promise.withResolvers<void>();
  const failing: FailingDatabase = {
    mode: "up",
    calls: 0,
    atOnce: 0,
    release() {
      held.resolve();
      held = Promise.withResolvers<void>();
    },
    database: new Proxy(env.DB, {
      get(target, name) {
        if (name === "batch") return batch;
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    }),
  };
  return failing;

  async function batch(statements: D1PreparedStatement[]): Promise<readonly D1Result[]> {
    failing.calls += 1;
    running += 1;
    failing.atOnce = Math.max(failing.atOnce, running);
    try {
      if (failing.mode === "down") throw new Error("D1_ERROR: Network connection lost.");
      if (failing.mode === "held") await held.promise;
      const results = await env.DB.batch(statements);
      if (failing.mode === "lost") throw new Error("D1_ERROR: Network connection lost.");
      return results;
    } finally {
      running -= 1;
    }
  }
}
