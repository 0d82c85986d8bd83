// Writes one answer of the mock model according to its script.
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import {
  deltaEvent,
  DONE_EVENT,
  padEvent,
  textFrame,
  usageEvent,
  type TextKind,
} from "./chat-chunks.ts";
import type { ChatRequest, ModelTurn } from "./model-script.ts";
import { nowMicroseconds, writeToken } from "./token.ts";

/** Tokens per write at full speed: some 16 KB, a typical socket write. */
const TOKENS_A_WRITE = 64;

/** @param phase From 0 to 1: offset of the start within the interval between two tokens. */
export async function writeAnswer(
  response: ServerResponse,
  request: ChatRequest,
  { script, answered }: ModelTurn,
  phase: number,
): Promise<void> {
  const { tokens, rate, reasoning = 0, calls = 0, rounds = 1, delayMs = 0, holdMs = 0 } = script;
  const pad = script.isPadded ? padEvent : (event: string) => event;
  await sleep(delayMs + (rate > 0 ? (phase * 1_000) / rate : 0));
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(deltaEvent({ role: "assistant", content: "", refusal: null }));
  if (calls > 0 && answered < rounds) {
    writeCalls(response, request, calls, answered);
  } else {
    const write = { response, rate, pad };
    await writeTokens({ ...write, kind: "reasoning_content", first: 0, count: reasoning });
    await writeTokens({ ...write, kind: "content", first: reasoning, count: tokens });
    if (holdMs > 0) await sleep(holdMs);
    response.write(deltaEvent({}, "stop"));
  }
  response.write(usageEvent(reasoning + tokens));
  response.end(DONE_EVENT);
}

function writeCalls(
  response: ServerResponse,
  { tools = [] }: ChatRequest,
  calls: number,
  answered: number,
): void {
  for (let index = 0; index < calls; index += 1) {
    const name = tools[0]?.function?.name ?? "tool";
    const id = `call_${answered}_${index}_${nowMicroseconds().toString(36)}`;
    const call = { index, id, type: "function", function: { name, arguments: "" } };
    response.write(deltaEvent({ tool_calls: [call] }));
    response.write(deltaEvent({ tool_calls: [{ index, function: { arguments: "{}" } }] }));
  }
  response.write(deltaEvent({}, "tool_calls"));
}

interface Tokens {
  readonly response: ServerResponse;
  readonly kind: TextKind;
  /** Number of the first token. */
  readonly first: number;
  readonly count: number;
  readonly rate: number;
  readonly pad: (event: string, number: number) => string;
}

async function writeTokens({ response, kind, first, count, rate, pad }: Tokens): Promise<void> {
  const [before, after] = textFrame(kind);
  const startedAtMs = performance.now();
  for (let written = 0; written < count && !response.destroyed;) {
    const size = rate > 0 ? 1 : Math.min(TOKENS_A_WRITE, count - written);
    // On an absolute schedule, which a late timer does not shift.
    if (rate > 0) await waitUntil(startedAtMs + (written * 1_000) / rate);
    let text = "";
    for (let index = 0; index < size; index += 1) {
      const number = first + written + index;
      text += pad(before + writeToken(number, nowMicroseconds()) + after, number);
    }
    written += size;
    if (!response.write(text)) await drained(response);
  }
}

/** Resolves when the connection accepts more data or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

async function waitUntil(dueMs: number): Promise<void> {
  const leftMs = dueMs - performance.now();
  if (leftMs > 0) await sleep(leftMs);
}
