// A room's stream as AG-UI: a run a round, lanes with names, and the same frames from any cut.
import { afterEach, describe, expect, it } from "vitest";

import { mockModel, type MockModel } from "./mock-model.ts";
import { atRest, eventsOf, openRoom, say, type RoomDesk } from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;

interface Frame {
  readonly id: string;
  readonly event: { readonly type: string; readonly [member: string]: unknown };
}

async function framesOf(
  { room }: Pick<RoomDesk, "room">,
  query: string,
): Promise<readonly Frame[]> {
  const response = await room.fetch(`https://session/stream?format=ag-ui${query}`);
  const text = await response.text();
  return text.split("\n\n").flatMap((frame) => {
    const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
    const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
    return id && data ? [{ id, event: JSON.parse(data) as Frame["event"] }] : [];
  });
}

describe("a room's stream as AG-UI", () => {
  it("has a run for each round and a lane for each turn, and resumes exactly at every frame", async () => {
    model = mockModel(counted);
    const desk = await openRoom({
      agents: ["alpha", "beta"],
      turns: { order: "sequential", rounds: 2 },
    });
    await say(desk, "Begin.");
    await atRest(desk);
    await say(desk, "Go on.");
    await atRest(desk);
    const whole = await framesOf(desk, "&after=0");
    const types = whole.map(({ event }) => event.type);

    expect(types.filter((type) => type === "RUN_STARTED")).toHaveLength(4);
    expect(types.filter((type) => type === "RUN_FINISHED")).toHaveLength(4);
    const named = whole.flatMap(({ event }) =>
      event.type === "SUBAGENT_STARTED" ? [event["name"]] : [],
    );
    expect(named).toEqual(["alpha", "beta", "alpha", "beta", "alpha", "beta", "alpha", "beta"]);
    for (const [index, { id }] of whole.entries()) {
      expect(await framesOf(desk, `&after=${id.replace("-", ".")}`)).toEqual(
        whole.slice(index + 1),
      );
    }
    const last = (await eventsOf(desk)).at(-1)!.seq;
    expect(await framesOf(desk, `&after=${last}`)).toEqual([]);
  });

  it("shows a reader who joins all that was said", async () => {
    model = mockModel(counted);
    const desk = await openRoom({ agents: ["alpha", "beta"] });
    await say(desk, "Begin.");
    await atRest(desk);
    await say(desk, "Go on.");
    await atRest(desk);
    const joined = await framesOf(desk, "");
    const snapshot = joined.find(({ event }) => event.type === "MESSAGES_SNAPSHOT");
    const messages = snapshot?.event["messages"] as readonly { readonly content: unknown }[];

    // Hints are messages, too, of another form.
    const words = messages.flatMap(({ content }) => (typeof content === "string" ? content : []));
    expect(words).toEqual(["Begin.", "alpha 1", "beta 1", "Go on.", "alpha 2", "beta 2"]);
    expect(joined.at(-1)?.event.type).toBe("RUN_FINISHED");
  });
});
