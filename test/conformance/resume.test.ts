// From any cut, the message at the cut and the events after it give the message that the server stores.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { appendEvent, startMessage } from "../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { sampled, walkFrom } from "../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../support/platform-client.ts";
import type { Frame } from "../support/platform-client.ts";
import { answer, startToolServer, type ToolServer } from "../support/tool-server.ts";
import { SHAPES, type Shape } from "./shapes.ts";

let tools: ToolServer;
let key: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  const picture = { type: "base64", data: "aGVsbG8=", media_type: "image/png" };
  tools = await startToolServer({
    "/text": answer(JSON.stringify({ output: "the answer of a tool" })),
    "/blocks": answer(
      JSON.stringify({
        output: [
          { type: "text", text: "a picture:" },
          { type: "data", source: picture },
        ],
      }),
    ),
    "/broken": answer("out of paper", "text/plain", 500),
  });
});

afterAll(async () => {
  await tools.stop();
});

function toolDefinition(name: string, overrides: object = {}): object {
  return {
    type: "http",
    name,
    url: `${tools.url}/${name}`,
    read_only: true,
    concurrency_safe: true,
    ...overrides,
  };
}

async function openShapeSession({ max_iters = 20, name }: Shape): Promise<string> {
  const isRefundDesk = name === "the refund desk";
  const definitions = ["text", "blocks", "broken"].map((tool) => toolDefinition(tool));
  const agent = await createAgent(key, {
    max_iters,
    ...(!isRefundDesk && {
      tools: [
        ...definitions,
        toolDefinition("dangerous", { read_only: false, url: `${tools.url}/text` }),
      ],
    }),
  });
  return createSession(key, agent);
}

/** Plays the shape and returns what its clients saw while it ran. */
async function record(session: string, shape: Shape): Promise<Frame[]> {
  const live: Frame[] = [];
  for (const [index, input] of shape.inputs.entries()) {
    const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input, stream: true, structured_schema: shape.structured_schema },
    });
    expect(response.status).toBe(200);
    const isLast = index === shape.inputs.length - 1;
    let seen = 0;
    const interrupts: Promise<unknown>[] = [];
    const frames = await readSse(response, {
      until: () => {
        seen += 1;
        if (isLast && seen === shape.interruptAfter) {
          interrupts.push(request("POST", `/v1/sessions/${session}/interrupt`, { key }));
        }
        return false;
      },
    });
    await Promise.all(interrupts);
    live.push(...frames);
  }
  return live;
}

async function readAfter(session: string, cursor: number): Promise<Frame[]> {
  const response = await openRequest("GET", `/v1/sessions/${session}/events`, {
    key,
    headers: { accept: "text/event-stream", "last-event-id": String(cursor) },
  });
  expect([200, 204]).toContain(response.status);
  return readSse(response);
}

/** The event that stands in the log before a reply's own stream begins. */
function isMessageAdded({ data }: Frame): boolean {
  return (JSON.parse(data) as { name?: unknown }).name === "message_added";
}

function fold(message: Msg | null, frames: readonly Frame[], replyId: string): Msg | null {
  let folded = message;
  for (const frame of frames) {
    const event = JSON.parse(frame.data) as LoggedEvent;
    if (!("reply_id" in event) || event.reply_id !== replyId) continue;
    if (event.type === "REPLY_START") folded = startMessage(event);
    else if (folded) folded = appendEvent(folded, event);
  }
  return folded;
}

for (const [rows, breadth] of sampled(SHAPES, 1))
  describe.each(rows)("a stream with $name", breadth, (shape) => {
    it("is the same live, replayed and from every cut, and folds to the stored message", async () => {
      const session = await openShapeSession(shape);
      const live = await record(session, shape);
      const uncut = await readAfter(session, 0);

      expect(uncut.map((frame) => frame.event)).toEqual(expect.arrayContaining([...shape.holds]));
      expect(uncut.filter((frame) => !isMessageAdded(frame))).toEqual(live);
      expect(uncut.map((frame) => frame.id)).toEqual(uncut.map((_, index) => index + 1));

      const replyIds = uncut.flatMap((frame) =>
        frame.event === "REPLY_START"
          ? [(JSON.parse(frame.data) as { reply_id: string }).reply_id]
          : [],
      );
      const stored = new Map<string, string>();
      for (const id of replyIds) {
        const { body } = await request<{ message: Msg; cursor: number }>(
          "GET",
          `/v1/sessions/${session}/messages/${id}`,
          { key },
        );
        stored.set(id, JSON.stringify(body.message));
      }
      for (const cut of walkFrom(0, uncut.length)) {
        const before = uncut.slice(0, cut);
        const after = await readAfter(session, before.at(-1)?.id ?? 0);
        expect(after).toEqual(uncut.slice(cut));
        for (const id of replyIds) {
          const atCut = JSON.parse(JSON.stringify(fold(null, before, id))) as Msg | null;
          expect(JSON.stringify(fold(atCut, after, id))).toBe(stored.get(id));
        }
      }
    });
  });

describe("a live stream that is cut", () => {
  it("goes on at the exact event while the reply runs, and the reply ends with nobody there", async () => {
    const session = await createSession(key);
    const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/rate 100\n/words 60", stream: true },
    });
    const before = await readSse(response, {
      until: (frame) => frame.event === "TEXT_BLOCK_DELTA",
    });
    const after = await readAfter(session, before.at(-1)?.id ?? 0);

    expect(after.length).toBeGreaterThan(10);
    expect(after.at(-1)?.event).toBe("REPLY_END");
    const uncut = await readAfter(session, (before[0]?.id ?? 1) - 1);
    expect([...before, ...after]).toEqual(uncut);
  });

  for (const [rows, breadth] of sampled(
    [
      "REPLY_START",
      "MODEL_CALL_START",
      "THINKING_BLOCK_DELTA",
      "TOOL_CALL_DELTA",
      "TOOL_RESULT_START",
      "TEXT_BLOCK_DELTA",
    ],
    1,
  ))
    it.each(rows)(
      "ends complete when its only client left at %s and nobody came back",
      breadth,
      async (moment) => {
        const session = await openShapeSession({ name: "left", inputs: [], holds: [] });
        const input = '/rate 200\n/think I ask around.\n/call text {"q":1}\n/words 20';
        const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
          key,
          body: { input, stream: true },
        });
        const seen = await readSse(response, { until: (frame) => frame.event === moment });
        expect(seen.at(-1)?.event).toBe(moment);
        const [start] = seen;
        const { reply_id } = JSON.parse(start?.data ?? "{}") as { reply_id: string };

        await expect
          .poll(async () => {
            const reply = await request<{ status: string }>(
              "GET",
              `/v1/sessions/${session}/replies/${reply_id}`,
              { key },
            );
            return reply.body.status;
          })
          .toBe("completed");
      },
    );
});
