// Starts the mock model in a separate process, so that its processor time is not counted elsewhere.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { ModelMessage, ModelVisit } from "./server.ts";

export interface MockModel {
  /** For `base_url`; chat completions are at `/chat/completions` below it. */
  readonly baseUrl: string;
  /** Requests since the last call of this function. */
  takeVisits(): Promise<readonly ModelVisit[]>;
  stop(): void;
}

export async function startModel(): Promise<MockModel> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)));
  const [{ port }] = (await once(child, "message")) as [ModelMessage];
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async takeVisits() {
      const answer = once(child, "message");
      child.send("visits");
      const [{ visits = [] }] = (await answer) as [ModelMessage];
      return visits;
    },
    stop: () => void child.kill(),
  };
}
