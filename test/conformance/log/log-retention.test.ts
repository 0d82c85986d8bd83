/** @module-tag broad */
// `log_retention`: a minute after its end a reply has one delta where several followed each other, and whoever had any frame
// of it, of before or of after, goes on with exactly what is missing. One minute of waiting for all tests of this file.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  EVENT_FORMATS,
  LOG_FORMAT,
  type EventFormat,
} from "../../../protocol/dialects/dialects.ts";
import { firstSeqOf } from "../../../protocol/fold/condensed-delta.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { appendEvent, startMessage } from "../../../protocol/fold/append-event.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { walkFrom } from "../../support/breadth.ts";
import { gathered, type ReadFrame } from "../../support/gathered.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer, type ToolServer } from "../../support/tool-server.ts";
import { SHAPES, type Shape } from "../shapes.ts";

const RETENTION = { log_retention: 60 };
/** Between two looks at whether the minute is over. */
const LOOK_MS = 1_000;
const FORMATS = EVENT_FORMATS;
type Format = EventFormat;

interface Frame {
  /** Its id, as it is sent. */
  readonly cursor: string;
  readonly data: string;
}

interface Recorded {
  readonly session: string;
  /** As they were directly behind the end of the last reply. */
  readonly before: Readonly<Record<Format, readonly Frame[]>>;
}

let tools: ToolServer;
let key: string;
const recorded = new Map<string, Recorded>();

beforeAll(async () => {
  ({ key } = await createTenant());
  tools = await startToolServer({
    "/text": answer(JSON.stringify({ output: "the answer of a tool" })),
    "/blocks": answer(
      JSON.stringify({
        output: [
          { type: "text", text: "a picture:" },
          { type: "data", source: { type: "base64", data: "aGk=", media_type: "image/png" } },
        ],
      }),
    ),
    "/broken": answer("out of paper", "text/plain", 500),
  });
  await Promise.all(SHAPES.map(record));
});

afterAll(() => tools.stop());

async function record(shape: Shape): Promise<void> {
  const tool = (name: string, overrides: object = {}) => ({
    type: "http",
    name,
    url: `${tools.url}/${name}`,
    read_only: true,
    concurrency_safe: true,
    ...overrides,
  });
  const dangerous = tool("dangerous", { read_only: false, url: `${tools.url}/text` });
  const isRefundDesk = shape.name === "the refund desk";
  const agent = await createAgent(key, {
    ...RETENTION,
    ...(shape.max_iters !== undefined && { max_iters: shape.max_iters }),
    ...(!isRefundDesk && {
      tools: [...["text", "blocks", "broken"].map((name) => tool(name)), dangerous],
    }),
  });
  const session = await createSession(key, agent);
  for (const [index, input] of shape.inputs.entries()) {
    const isLast = index === shape.inputs.length - 1;
    await play(session, { ...shape, inputs: [input] }, isLast ? shape.interruptAfter : undefined);
  }
  const read = async (format: Format) => [format, await readFrames(session, format, "0")] as const;
  const before = Object.fromEntries(
    await Promise.all(FORMATS.map(read)),
  ) as unknown as Recorded["before"];
  recorded.set(shape.name, { session, before });
}

async function play(
  session: string,
  { inputs: [input], structured_schema }: Shape,
  stopAt?: number,
) {
  const body = { input, stream: true, structured_schema };
  const response = await openRequest("POST", `/v1/sessions/${session}/replies`, { key, body });
  let seen = 0;
  const stops: Promise<unknown>[] = [];
  const until = () => {
    seen += 1;
    if (seen === stopAt) stops.push(request("POST", `/v1/sessions/${session}/interrupt`, { key }));
    return false;
  };
  await readSse(response, { until });
  await Promise.all(stops);
}

async function readFrames(session: string, format: Format, cursor: string): Promise<Frame[]> {
  const path = `/v1/sessions/${session}/events?format=${format}`;
  const headers = { accept: "text/event-stream", "last-event-id": cursor };
  const response = await openRequest("GET", path, { key, headers });
  expect([200, 204]).toContain(response.status);
  const sent = (await response.text()).split("\n\n");
  return sent.flatMap((frame) => {
    const [, cursor, data] = /^id: (.+)\nevent: .+\ndata: (.+)$/.exec(frame) ?? [];
    return cursor === undefined || data === undefined ? [] : { cursor, data };
  });
}

async function readMessage(session: string, id: string): Promise<Msg> {
  const path = `/v1/sessions/${session}/messages/${id}`;
  const { body } = await request<{ message: Msg }>("GET", path, { key });
  return body.message;
}

function parsed(frames: readonly Frame[]): readonly ReadFrame[] {
  return frames.map(({ data }) => ({ event: JSON.parse(data) as ReadFrame["event"] }));
}

function eventsOf(frames: readonly Frame[]): readonly LoggedEvent[] {
  return frames.map(({ data }) => JSON.parse(data) as LoggedEvent);
}

function fold(message: Msg | null, frames: readonly Frame[], replyId: string): Msg | null {
  return eventsOf(frames).reduce<Msg | null>((before, event) => {
    if (!("reply_id" in event) || event.reply_id !== replyId) return before;
    return event.type === "REPLY_START"
      ? startMessage(event)
      : before && appendEvent(before, event);
  }, message);
}

/** The number of events of the log when each run of deltas is one. */
function condensedLength(events: readonly LoggedEvent[]): number {
  const keyOf = (event: LoggedEvent | undefined) =>
    event && "delta" in event
      ? `${event.type} ${"block_id" in event ? event.block_id : event.tool_call_id}`
      : null;
  return events.filter((event, index) => {
    const own = keyOf(event);
    return own === null || own !== keyOf(events[index + 1]);
  }).length;
}

describe.each(SHAPES)("a stream with $name, after the retention", ({ name }) => {
  it("has fewer deltas, says which, and is the stored message from every frame that a reader has", async () => {
    const { session, before } = recorded.get(name) as Recorded;
    const isEnded = eventsOf(before.agentscope).at(-1)?.type === "REPLY_END";
    const expected = isEnded
      ? condensedLength(eventsOf(before.agentscope))
      : before.agentscope.length;
    const read = () => readFrames(session, "agentscope", "0");
    await expect.poll(async () => (await read()).length, { interval: LOOK_MS }).toBe(expected);
    const after = await read();

    for (const event of eventsOf(after)) {
      const first = firstSeqOf(event);
      if (first < event.seq) expect(event.metadata).toEqual({ condensed: { first_seq: first } });
    }
    const starts = eventsOf(after).filter(({ type }) => type === "REPLY_START");
    const stored = await Promise.all(
      starts.map(({ reply_id: id = "" }) => readMessage(session, id)),
    );
    for (const had of [before.agentscope, after]) {
      for (const cut of walkFrom(0, had.length)) {
        const seen = had.slice(0, cut);
        const rest = await readFrames(session, "agentscope", cursorOf(seen.at(-1)));
        for (const message of stored) {
          expect(fold(fold(null, seen, message.id), rest, message.id)).toEqual(message);
        }
      }
    }
    for (const format of FORMATS.filter((known) => known !== LOG_FORMAT)) {
      const had = before[format];
      for (const cut of walkFrom(1, had.length)) {
        const rest = await readFrames(session, format, cursorOf(had[cut - 1]));
        expect(gathered(parsed([...had.slice(0, cut), ...rest]))).toEqual(gathered(parsed(had)));
      }
    }
  });
});

function cursorOf(frame: Frame | undefined): string {
  return frame?.cursor ?? "0";
}
