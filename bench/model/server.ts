// The mock model as a process of its own: chat completions on loopback. It says its port to who started it.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { writeAnswer } from "./answer.ts";
import { readTurn, type ChatRequest } from "./model-script.ts";
import { nowMicroseconds } from "./token.ts";

export interface ModelMessage {
  readonly port?: number;
  /** What was asked and when, since it was last asked for. */
  readonly visits?: readonly ModelVisit[];
}

export interface ModelVisit {
  /** Microseconds by the machine's monotonic clock. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Answers that were given before in the same turn. */
  readonly answered: number;
}

/** Answers that follow each other begin as far apart within an interval as can be, whatever their number. */
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
// Connections are kept as long as a run lasts.
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
