// The server of an agent in code, for tests that kill the platform: it reserves, asks for a turn of the agent's own model, and
// says a last word. What it answers follows from the question alone.
import type { ServerResponse } from "node:http";

import { calls, says, type AskedTurn } from "./agent-server.ts";

const RESERVE = [...says("I reserve."), ...calls("reserve", {}), { next: null }];
const LAST = [...says("That is all."), { next: "end" }];

/** @param pause Awaited between two frames. */
export async function answerTurn(
  { message, turn }: AskedTurn,
  response: ServerResponse,
  pause: () => Promise<void>,
): Promise<void> {
  if (message !== null && turn === 2) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ events: [], next: "model" }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of message === null ? RESERVE : LAST) {
    response.write(`data: ${JSON.stringify(frame)}\n\n`);
    await pause();
  }
  response.end();
}
