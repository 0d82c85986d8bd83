// Told events in the answers of tools and hooks: what is left out, with the sentence about it.
import { describe, expect, it } from "vitest";

import { MAX_TOLD_EVENTS, MAX_TOLD_EVENTS_OF_CALL } from "../../../protocol/told/limits.ts";
import { readToldEvents } from "../../../protocol/told/answered-events.ts";
import type { ToolChunk } from "../../../agent/ports.ts";
import { ToldQueue } from "../../../tools/told-queue.ts";

const EVENT = { type: "CUSTOM", name: "scanned", value: { place: "Bremen" } } as const;

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

describe("events of an answer", () => {
  it.each([
    ["no list", {}, "events are a list"],
    ["null", null, "events are a list"],
    ["an event that is null", [null], "event 0: "],
    ["one of 64 levels", [{ ...EVENT, value: nested(64) }], "event 0: nested deeper"],
    ["one of another type", [{ type: "REPLY_END" }], "event 0: "],
    ["who tells it", [{ ...EVENT, metadata: { told_by: { kind: "tenant" } } }], "event 0: "],
  ])("are left out: %s", (_, events, note) => {
    const read = readToldEvents(events);

    expect(read.events).toEqual([]);
    expect(read.note).toContain(note);
  });

  it("are taken up to their number", () => {
    const { events, note } = readToldEvents(Array.from({ length: 65 }, () => EVENT));

    expect([events.length, note]).toEqual([MAX_TOLD_EVENTS, "more than 64 events"]);
  });

  it("have no prototype of their writer's", () => {
    const value = JSON.parse('{"__proto__": {"isAdmin": true}, "a": 1}') as object;
    const [event] = readToldEvents([{ ...EVENT, value }]).events;

    expect(event?.type === "CUSTOM" && event.value["isAdmin"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });
});

describe("events of a function", () => {
  it("come between its chunks as soon as they are told, and no more of them than a call may", async () => {
    const queue = new ToldQueue();
    async function* chunks(): AsyncGenerator<ToolChunk, void> {
      queue.tell([EVENT]);
      await Promise.resolve();
      yield { type: "text", delta: "a" };
      for (let round = 0; round < 5; round += 1)
        queue.tell(Array.from({ length: 64 }, () => EVENT));
      yield { type: "end", state: "success" };
    }

    const seen: (string | number)[] = [];
    for await (const chunk of queue.join(chunks())) {
      seen.push(chunk.type === "told" ? chunk.events.length : chunk.type);
    }

    expect(seen).toEqual([1, "text", MAX_TOLD_EVENTS_OF_CALL - 1, "end"]);
    expect(queue.note).toBe("more than 256 events");
  });

  it("that cannot be read fail nothing", () => {
    const queue = new ToldQueue();
    const circle: Record<string, unknown> = { ...EVENT };
    circle["value"] = circle;
    queue.tell([circle]);

    expect(queue.note).toContain("event 0");
  });
});
