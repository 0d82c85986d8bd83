import { describe, expect, it } from "vitest";

import type { ConnectionState, LoggedEvent } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { HOLD, startGateTool } from "../support/gate-tool.ts";
import { openDesk, QUICK } from "./desk.ts";

const desk = await openDesk();

/** The replies of some events, in the order in which they began. */
function begun(events: readonly LoggedEvent[]): string[] {
  return events.flatMap((event) => (event.type === "REPLY_START" ? [event.reply_id] : []));
}

describe("a reply with onBusy: queue", () => {
  it("is read when its turn comes, though its stream was silent for longer than a reader waits", async () => {
    const gate = await startGateTool();
    const { clientOf, openSession } = await openDesk({ tools: [gate.tool] });
    const { id } = await openSession();
    const reconnect = { ...QUICK, stallMs: 1_000 };
    const session = clientOf({ reconnect }).session(id);
    const first = session.reply(`${HOLD}\n/say one`);
    const reading = collect(first);
    await expect.poll(() => first.id).not.toBeNull();
    const states: ConnectionState[] = [];
    const second = session.reply("/say two", {
      onBusy: "queue",
      onConnectionChange: (state) => states.push(state),
    });

    const waiting = collect(second);
    await expect.poll(() => states).toContain("reconnecting");
    gate.open();
    const events = await waiting;

    expect(events.map(({ type }) => type).filter((type) => !type.endsWith("DELTA"))).toEqual([
      "REPLY_START",
      "MODEL_CALL_START",
      "TEXT_BLOCK_START",
      "TEXT_BLOCK_END",
      "MODEL_CALL_END",
      "REPLY_END",
    ]);
    expect(await second.done()).toEqual(await session.replies.get(second.id ?? ""));
    expect(second.message()).toEqual((await second.done()).message);
    expect(begun([...(await reading), ...events])).toEqual([first.id, second.id]);
  });

  it("is ended without having run by an interrupt that drops the queue", async () => {
    const session = await desk.openSession();
    const first = session.reply("/rate 50\n/words 20000");
    const reading = collect(first);
    await expect.poll(() => first.id).not.toBeNull();
    const second = session.reply("/say two", { onBusy: "queue" });
    const waiting = collect(second);
    await expect.poll(() => second.id).not.toBeNull();

    await session.interrupt({ queued: "drop" });

    expect((await waiting).map(({ type }) => type)).toEqual(["REPLY_START", "REPLY_END"]);
    await reading;
    expect([first.status, second.status]).toEqual(["interrupted", "interrupted"]);
  });
});
