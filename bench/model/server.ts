// The mock model's process: chat completions on loopback. Reports its port to the parent process.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { writeAnswer } from "./answer.ts";
import { readTurn, type ChatRequest } from "./model-script.ts";
import { nowMicroseconds } from "./token.ts";

export interface ModelMessage {
  readonly port?: number;
  /** Requests since the last query. */
  readonly visits?: readonly ModelVisit[];
}

export interface ModelVisit {
  /** Microseconds of the machine's monotonic clock. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Earlier answers of the same turn. */
  readonly answered: number;
}

/** Spreads the phases of consecutive answers evenly, whatever their number. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

let visits: ModelVisit[] = [];
let answers = 0;

const server = createServer((request, response) => {
  const askedAt = nowMicroseconds();
  void (async () => {
    const body = await readBody(request);
    const turn = readTurn(body);
    answers += 1;
    await writeAnswer(response, body, turn, (answers * GOLDEN_RATIO) % 1);
    visits.push({ askedAt, answeredAt: nowMicroseconds(), answered: turn.answered });
  })().catch((error: unknown) => {
    console.error("the mock model:", error);
    response.destroy();
  });
});
// Keeps connections open for a whole run.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  send({ port: (server.address() as AddressInfo).port });
});

process.on("message", () => {
  send({ visits });
  visits = [];
});
process.on("disconnect", () => process.exit(0));

async function readBody(request: IncomingMessage): Promise<ChatRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as ChatRequest;
}

function send(message: ModelMessage): void {
  process.send?.(message);
}
