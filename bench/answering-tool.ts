// A tool server that answers at once, and the measurement of a turn with it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { ModelScript } from "./model/model-script.ts";
import type { MockModel } from "./model/start-model.ts";
import { quantile } from "./statistics.ts";

export interface AnsweringTool {
  readonly url: string;
  stop(): void;
}

/** Model calls with a tool call in one reply. */
export const TOOL_TURNS = 15;
/** The model calls the tool this many times, then answers with one word. */
export const TOOL_SCRIPT: ModelScript = { tokens: 1, rate: 0, calls: 1, rounds: TOOL_TURNS };

/** @param answer The JSON of each answer. */
export async function startTool(answer = '{"found":true}'): Promise<AnsweringTool> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The median of the milliseconds from an answer with a call to the next request to the model.
 * @param run Plays {@link TOOL_SCRIPT} as the only client of the model.
 */
export async function measureToolTurn(
  model: MockModel,
  run: () => Promise<unknown>,
): Promise<number> {
  await model.takeVisits();
  await run();
  const visits = await model.takeVisits();
  if (visits.length !== TOOL_TURNS + 1) {
    throw new Error(`the model was asked ${visits.length} times`);
  }
  const waitsMs = visits.slice(1).map(({ askedAt }, index) => {
    const answeredAt = visits[index]?.answeredAt ?? Number.NaN;
    return (askedAt - answeredAt) / 1_000;
  });
  return quantile(waitsMs, 0.5);
}
