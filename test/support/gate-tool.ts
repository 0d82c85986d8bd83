// A tool whose calls wait for the test: a reply that calls it goes on when the test wants, however slow either is.
import { onTestFinished } from "vitest";

import { answer, startToolServer } from "./tool-server.ts";

export interface GateTool {
  /** For an agent's `tools`. */
  readonly tool: object;
  /** Lets the calls go on, those that come later too. */
  open(): void;
}

/** A line of a script that calls it. */
export const HOLD = "/call hold {}";

/** Until the end of the test. */
export async function startGateTool(): Promise<GateTool> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = await startToolServer({
    "/hold": async (response, request) => {
      await promise;
      answer("held", "text/plain")(response, request);
    },
  });
  onTestFinished(() => server.stop());
  const tool = { type: "http", name: "hold", url: `${server.url}/hold`, timeout_ms: 600_000 };
  return { tool: { ...tool, read_only: true }, open: resolve };
}
