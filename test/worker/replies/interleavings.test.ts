/** @module-tag broad */
// Random interleavings of the log, and interrupts at random moments.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";

import { modelContext } from "../../../agent/loop/model-context.ts";
import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { waitFor } from "../../support/wait-for.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readMessage,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { pauseMs, withHeldSession } from "../sessions/held-session.ts";
import { textOf } from "../log/read-frames.ts";

const TOOLS = ["a", "b", "c"].map((name) => ({
  type: "http",
  name,
  url: `https://tools.example/${name}`,
  read_only: true,
  concurrency_safe: name !== "c",
}));
const SCRIPT =
  "/rate 300\n/think Let me look.\n/say Looking.\n/call a {}\n/call b {}\n/call c {}\n/call a {\n/say That is all there is to say.";

function checkWellFormed(events: readonly LoggedEvent[]): void {
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  expect(events.filter(({ type }) => type === "REPLY_END")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("REPLY_END");
  const count = (type: string) => events.filter((event) => event.type === type).length;
  for (const kind of ["TEXT_BLOCK", "THINKING_BLOCK", "TOOL_CALL", "TOOL_RESULT", "MODEL_CALL"]) {
    expect([kind, count(`${kind}_START`)]).toEqual([kind, count(`${kind}_END`)]);
  }
  // Calls that were taken back never get a result.
  const discarded = events.flatMap((event) =>
    event.type === "CUSTOM" ? ((event.value["discard_tool_call_ids"] ?? []) as string[]) : [],
  );
  expect(count("TOOL_CALL_START") - discarded.length).toBe(count("TOOL_RESULT_START"));
}

describe("a reply with tools", () => {
  it("is well-formed wherever it is interrupted, and readers agree with the store", async () => {
    const random = seededRandom(7);
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      await pauseMs(random() * 20);
      return new Response("found");
    });
    try {
      for (let round = 0; round < 30; round += 1) {
        const init = await createdSession({ tools: TOOLS });
        const started = await startReply(init, SCRIPT);
        const live = openStream(init, `after=0`).then((response) => readEvents(response));
        await pauseMs(round * 7);
        await Promise.all([stubOf(init).act("interrupt", {}), stubOf(init).act("interrupt", {})]);
        const seen = await live;
        const stored = valueOf(await readMessage(init, started.id)).message;
        checkWellFormed(seen);
        expect(seen).toEqual(await allEvents(init));
        expect(JSON.stringify(foldEvents(seen))).toBe(JSON.stringify(stored));
        const wire = toOpenAiMessages({
          system_prompt: "",
          messages: modelContext([], stored, []),
        });
        const calls = wire.flatMap((m) =>
          m.role === "assistant" ? (m.tool_calls ?? []).map(({ id }) => id) : [],
        );
        const results = wire.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : []));
        expect(results).toEqual(calls);
        await pauseMs(30);
        expect(await allEvents(init)).toEqual(seen);
      }
    } finally {
      spy.mockRestore();
    }
  });

  it("reaches its end wherever its object is reset, and no tool's effect is lost or doubled", async () => {
    let calls = 0;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      calls += 1;
      await pauseMs(5);
      return new Response("found");
    });
    try {
      for (let round = 0; round < 15; round += 1) {
        const init = await createdSession({ tools: TOOLS });
        calls = 0;
        const started = await startReply(init, SCRIPT);
        await pauseMs(round * 12);
        await abortAllDurableObjects();
        const reply = await readReply(init, started.id, 60_000);
        expect(reply.status).toBe("completed");
        const events = await allEvents(init);
        checkWellFormed(events);
        expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(reply.message));
        const results = reply.message?.content.filter(({ type }) => type === "tool_result");
        expect(results?.length).toBe(4);
        expect(calls).toBeLessThanOrEqual(4);
        const known = results?.filter((block) => "state" in block && block.state === "success");
        expect(calls).toBeGreaterThanOrEqual(known?.length ?? 0);
        expect(valueOf(await stubOf(init).act("read")).status).toBe("idle");
        await waitFor(async () =>
          expect(
            await runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm()),
          ).toBeNull(),
        );
      }
    } finally {
      spy.mockRestore();
    }
  });
});

describe("readers of the log", () => {
  it("see each event once and in order, however writes, syncs and reads interleave", () =>
    withHeldSession({}, async ({ session, hold, release }) => {
      const { log } = session;
      const random = seededRandom(7);
      hold(true);
      const readers = Array.from({ length: 8 }, () => ({ cursor: 0, text: "" }));
      for (let step = 0; step < 1_500; step += 1) {
        const roll = random();
        if (roll < 0.45) {
          log.appendDelta({
            type: "TEXT_BLOCK_DELTA",
            reply_id: "r",
            block_id: "b",
            delta: `${step} `,
          });
        } else if (roll < 0.6) {
          log.append([{ type: "TEXT_BLOCK_START", reply_id: "r", block_id: `b${step}` }]);
        } else if (roll < 0.62) {
          log.append([{ type: "EXCEED_MAX_ITERS", reply_id: "r", name: "x" }], { isLast: true });
        } else if (roll < 0.75) {
          await release();
        } else {
          const reader = readers[Math.floor(random() * readers.length)]!;
          const frames = log.read(reader.cursor);
          if (frames) {
            reader.text += textOf(frames);
            reader.cursor = frames.last;
          }
        }
      }
      void log.settled();
      await release();
      await release();
      const all = { cursor: 0, text: "" };
      for (const reader of [...readers, all]) {
        for (let frames = log.read(reader.cursor); frames; frames = log.read(reader.cursor)) {
          reader.text += textOf(frames);
          reader.cursor = frames.last;
        }
      }
      expect(all.cursor).toBe(log.lastSeq);
      for (const reader of readers) expect(reader.text).toBe(all.text);
    }));
});
