// The README's example, which checks itself: a customer asks the refund desk, the connection is cut in the middle of a
// word, and the reply is resumed at the exact event.
import { setTimeout as sleep } from "node:timers/promises";

import { foldEvents } from "../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages/messages.ts";
import type { SseFrame } from "../protocol/sse.ts";
import { call, connect, readFrames, StoryFailure } from "./connect.ts";
import type { Connection } from "./connect.ts";

const QUESTION = "Where is my order A-1001?";
/** Characters of the answer before the connection is cut. */
const CHARACTERS_BEFORE_TUNNEL = 60;
const TUNNEL_MS = 1_500;

async function main(): Promise<void> {
  const connection = connect();
  const created = await call(connection, "/v1/sessions", {
    method: "POST",
    body: { agent_id: connection.agentId },
  });
  const { id: sessionId } = (await created.json()) as { id: string };
  console.log(`Customer: ${QUESTION}\n`);

  const before = await askUntilTunnel(connection, sessionId);
  const last = before.at(-1);
  const replyId = before.map(readEvent).find((event) => event.type === "REPLY_START")?.reply_id;
  if (!last || !replyId) throw new StoryFailure("the stream did not begin with a REPLY_START");
  console.log(`\n\n  [tunnel: the connection is cut after event ${last.id}]`);
  await sleep(TUNNEL_MS);
  console.log("  [daylight: the phone asks for what came after it]\n");

  const events = `/v1/sessions/${sessionId}/events?reply_id=${replyId}`;
  const stream = { accept: "text/event-stream" };
  const after = await watch(
    await call(connection, events, { headers: { ...stream, "last-event-id": String(last.id) } }),
  );
  console.log("\n");

  const seen = [...before, ...after];
  requireConsecutive(seen);
  requireEnd(seen);
  const folded = foldEvents(seen.map(readEvent));
  await requireStored(connection, `/v1/sessions/${sessionId}/messages/${replyId}`, folded);
  const replayed: SseFrame[] = [];
  const replay = await call(connection, `${events}&after=0`, { headers: stream });
  for await (const frame of readFrames(replay)) replayed.push(frame);
  requireSame(
    seen,
    replayed.filter((frame) => Number(frame.id) >= Number(seen[0]?.id)),
  );

  console.log(
    `${before.length} events before the tunnel, ${after.length} after it: none lost, none doubled.`,
  );
  console.log("What the phone folded is byte for byte what the server stored,");
  console.log("and a replay from the beginning shows the same frames as the live stream.");
}

/** Sends the question and cuts the connection in the middle of a word of the answer. */
async function askUntilTunnel(connection: Connection, sessionId: string): Promise<SseFrame[]> {
  const tunnel = new AbortController();
  const response = await call(connection, `/v1/sessions/${sessionId}/replies`, {
    method: "POST",
    body: { input: QUESTION, stream: true },
    signal: tunnel.signal,
  });
  let text = "";
  return watch(response, (event) => {
    if (event.type === "TEXT_BLOCK_DELTA") text += event.delta;
    const isInWord = /\p{L}$/u.test(text) && text.length >= CHARACTERS_BEFORE_TUNNEL;
    if (isInWord) tunnel.abort();
    return isInWord;
  });
}

/** Prints a stream and collects its frames. @param isEnough Ends it early. */
async function watch(
  response: Response,
  isEnough: (event: LoggedEvent) => boolean = () => false,
): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  try {
    for await (const frame of readFrames(response)) {
      frames.push(frame);
      const event = readEvent(frame);
      show(event);
      if (isEnough(event)) break;
    }
  } catch (error) {
    // Aborting makes the reading fail, as on a phone.
    if (!(error instanceof Error && error.name === "AbortError")) throw error;
  }
  return frames;
}

function show(event: LoggedEvent): void {
  if (event.type === "THINKING_BLOCK_START") process.stdout.write("  (thinks) ");
  else if (event.type === "THINKING_BLOCK_DELTA") process.stdout.write(event.delta);
  else if (event.type === "TOOL_CALL_START") {
    process.stdout.write(`\n  (calls ${event.tool_call_name}) `);
  } else if (event.type === "TOOL_CALL_DELTA") process.stdout.write(event.delta);
  else if (event.type === "TOOL_RESULT_END") process.stdout.write(` -> ${event.state}`);
  else if (event.type === "TEXT_BLOCK_START") process.stdout.write("\n\nDesk: ");
  else if (event.type === "TEXT_BLOCK_DELTA") process.stdout.write(event.delta);
}

function readEvent(frame: SseFrame): LoggedEvent {
  return JSON.parse(frame.data) as LoggedEvent;
}

function requireConsecutive(frames: readonly SseFrame[]): void {
  frames.forEach((frame, index) => {
    const expected = Number(frames[0]?.id) + index;
    if (Number(frame.id) === expected && readEvent(frame).seq === expected) return;
    throw new StoryFailure(
      `expected event ${expected}, got ${frame.id}: events were lost or doubled`,
    );
  });
}

function requireEnd(frames: readonly SseFrame[]): void {
  const end = frames.at(-1);
  const event = end && readEvent(end);
  if (event?.type === "REPLY_END" && event.finished_reason === "completed") return;
  throw new StoryFailure(`the reply did not complete; its last event is ${end?.data}`);
}

async function requireStored(
  connection: Connection,
  path: string,
  folded: Msg | null,
): Promise<void> {
  const response = await call(connection, path);
  const { message } = (await response.json()) as { message: Msg };
  if (JSON.stringify(message) === JSON.stringify(folded)) return;
  throw new StoryFailure(
    `the folded message differs from the stored one:\n${JSON.stringify(folded)}\n${JSON.stringify(message)}`,
  );
}

function requireSame(live: readonly SseFrame[], replayed: readonly SseFrame[]): void {
  for (let at = 0; at < Math.max(live.length, replayed.length); at += 1) {
    if (isSameFrame(live[at], replayed[at])) continue;
    throw new StoryFailure(
      `the replay differs from what was live at event ${live[at]?.id}:\n${live[at]?.data}\n${replayed[at]?.data}`,
    );
  }
}

function isSameFrame(one: SseFrame | undefined, other: SseFrame | undefined): boolean {
  return one?.id === other?.id && one?.event === other?.event && one?.data === other?.data;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof StoryFailure ? `\n${error.message}` : error);
  process.exitCode = 1;
}
