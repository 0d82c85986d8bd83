// Starts the other tenant's client that is observed during attacks.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Reprise } from "../peers/reprise.ts";
import { openTenant } from "../own-tenant.ts";
import { readString } from "../../scripts/local-api.ts";
import type { Reading, ReadingOrder } from "./neighbour-process.ts";

export interface Neighbour {
  /** Read times while `action` runs. */
  readBeside(action: () => Promise<void>): Promise<Reading>;
  stop(): void;
}

export async function startNeighbour(reprise: Reprise): Promise<Neighbour> {
  const { api, key, agentId } = await openTenant(reprise);
  const session = readString(await api.call("POST", "/v1/sessions", { agent_id: agentId }), "id");
  const child = fork(fileURLToPath(new URL("neighbour-process.ts", import.meta.url)));
  const order: ReadingOrder = { url: `${reprise.baseUrl}/v1/sessions/${session}`, key };
  return {
    async readBeside(action) {
      const ended = once(child, "exit").then((): never => {
        throw new Error("the neighbour has ended without a reading");
      });
      // An action that fails is the error then.
      ended.catch(() => undefined);
      child.send(order);
      try {
        await action();
      } finally {
        child.send("stop");
      }
      const [reading] = (await Promise.race([once(child, "message"), ended])) as [Reading];
      return reading;
    },
    stop: () => void child.kill(),
  };
}
