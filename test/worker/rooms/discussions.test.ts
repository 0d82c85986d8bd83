// A discussion in each order of turns: what each agent is sent, byte for byte, and what the room's log has of it.
import { afterEach, describe, expect, it } from "vitest";

import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { mockModel, type MockModel, type ModelRequest } from "./mock-model.ts";
import {
  atRest,
  eventsOf,
  messagesOf,
  openRoom,
  readRoom,
  saidIn,
  say,
  sessionMessages,
  stepsOf,
  streamOf,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;

/** The words that a model was sent, without prompts, and of hints of the room their beginning. */
function told({ messages }: ModelRequest): readonly string[] {
  return messages
    .filter(({ role }) => role !== "system")
    .map(
      ({ role, content }) => `${role}: ${String(content).replace(/ in a conv.*| a conv.*/s, " …")}`,
    )
    .filter((line) => !line.includes("GenerateStructuredOutput"));
}

function toldTo(name: string, number: number): readonly string[] {
  const [, ...bodies] = [null, ...(model?.bodies.get(name) ?? [])];
  return told(JSON.parse(bodies[number - 1] ?? "{}") as ModelRequest);
}

/** Steps without deliveries, which come when they can. */
async function turnsOf(desk: Parameters<typeof stepsOf>[0]): Promise<readonly string[]> {
  return (await stepsOf(desk)).filter((step) => !step.startsWith("room_delivered"));
}

describe("a discussion in order", () => {
  it("gives each agent what the others have said before it, and ends completed", async () => {
    model = mockModel(counted);
    const desk = await openRoom({ announcement: "Be brief." });
    await atRest(desk);
    await say(desk, "Begin.");
    const room = await atRest(desk);

    expect(room.last_end).toMatchObject({ reason: "completed" });
    expect(await saidIn(desk)).toEqual([
      "room: Be brief.",
      "Mia: Begin.",
      "alpha: alpha 1",
      "beta: beta 1",
      "gamma: gamma 1",
    ]);
    expect(await turnsOf(desk)).toEqual([
      "room_updated",
      "team_updated",
      "message_added",
      "message_added Mia",
      "room_discussion_started",
      "room_round_started",
      "room_turn_started alpha",
      "room_turn_ended alpha completed",
      "room_turn_started beta",
      "room_turn_ended beta completed",
      "room_turn_started gamma",
      "room_turn_ended gamma completed",
      "room_round_ended",
      "room_discussion_ended completed",
    ]);
    expect(model.requests.map(told)).toEqual([
      ["user: room: Be brief.", "user: Mia: Begin.", "user: You are alpha …"],
      [
        "user: room: Be brief.",
        "user: Mia: Begin.",
        "user: alpha: alpha 1",
        "user: You are beta …",
      ],
      [
        "user: room: Be brief.",
        "user: Mia: Begin.",
        "user: alpha: alpha 1",
        "user: beta: beta 1",
        "user: You are gamma …",
      ],
    ]);
    // Byte for byte what the wire of one agent has.
    expect(model.requests[0]).toMatchObject({
      model: "alpha",
      messages: [
        { role: "system", content: "I am alpha." },
        { role: "user", content: "room: Be brief." },
        { role: "user", content: "Mia: Begin." },
        {
          role: "user",
          content:
            "You are alpha in a conversation of several participants: beta (an agent), gamma (an agent), Mia (a person), Ben (a person). A message of another one begins with its name and a colon. What you write is said to all of them as yours; do not begin it with your name, and do not speak for another one.",
        },
      ],
    });
  });

  it("gives each agent of a second round what was said since its own words", async () => {
    model = mockModel(counted);
    const desk = await openRoom({ turns: { order: "sequential", rounds: 2 } });
    await say(desk, "Begin.");
    await atRest(desk);
    await say(desk, "Go on.", { participant: "Ben" });
    await atRest(desk);

    expect(toldTo("beta", 2)).toEqual([
      "user: Mia: Begin.",
      "user: alpha: alpha 1",
      "user: You are beta …",
      "assistant: beta 1",
      "user: gamma: gamma 1",
      "user: alpha: alpha 2",
    ]);
    expect(toldTo("alpha", 3)).toEqual([
      "user: Mia: Begin.",
      "user: You are alpha …",
      "assistant: alpha 1",
      "user: beta: beta 1",
      "user: gamma: gamma 1",
      "assistant: alpha 2",
      "user: beta: beta 2",
      "user: gamma: gamma 2",
      "user: Ben: Go on.",
    ]);
    // Each session has all that was said, each once, under the ids of the room.
    const ids = (await messagesOf(desk)).map(({ id }) => id).toSorted();
    const { participants } = await readRoom(desk);
    const sessions = participants.flatMap(({ session_id }) => session_id ?? []);
    expect(sessions).toHaveLength(3);
    for (const id of sessions) {
      const messages = await sessionMessages(desk.call, id);
      expect(messages.map((message) => message.id).toSorted()).toEqual(ids);
    }
  });

  it("streams with one cursor what a fold makes into the stored messages, from any cut", async () => {
    model = mockModel(counted);
    const desk = await openRoom();
    const { cursor } = await say(desk, "Begin.");
    const live = await streamOf(desk, cursor);
    await atRest(desk);
    const stored = await eventsOf(desk);

    expect(live.at(-1)).toMatchObject({ name: "room_discussion_ended" });
    expect(stored.filter(({ seq }) => seq > cursor).slice(0, live.length)).toEqual(live);
    const ids = new Set(
      stored.flatMap((event) => (event.type === "REPLY_START" ? event.reply_id : [])),
    );
    for (const id of ids) {
      const own = stored.filter((event) => "reply_id" in event && event.reply_id === id);
      const folded = foldEvents(own);
      const [message] = (await messagesOf(desk)).filter((one) => one.id === id);
      expect(message).toEqual(folded);
    }
    for (const { seq } of stored) {
      expect(await streamOf(desk, seq)).toEqual(stored.filter((event) => event.seq > seq));
    }
  });
});

describe("a discussion at once", () => {
  it("gives all the same, and what each has said to the others at its end", async () => {
    const waits: Record<string, number> = { alpha: 300, beta: 0, gamma: 150 };
    model = mockModel(({ model: name }, number) => ({
      text: `${name} ${number}`,
      waitMs: waits[name] ?? 0,
    }));
    const desk = await openRoom({ turns: { order: "parallel", rounds: 2 } });
    await say(desk, "Begin.");
    await atRest(desk);

    expect((await turnsOf(desk)).slice(4, 12)).toEqual([
      "room_round_started",
      "room_turn_started alpha",
      "room_turn_started beta",
      "room_turn_started gamma",
      "room_turn_ended beta completed",
      "room_turn_ended gamma completed",
      "room_turn_ended alpha completed",
      "room_round_ended",
    ]);
    expect(await saidIn(desk)).toEqual([
      "Mia: Begin.",
      "beta: beta 1",
      "gamma: gamma 1",
      "alpha: alpha 1",
      "beta: beta 2",
      "gamma: gamma 2",
      "alpha: alpha 2",
    ]);
    for (const name of ["alpha", "beta", "gamma"]) {
      expect(toldTo(name, 1)).toEqual(["user: Mia: Begin.", `user: You are ${name} …`]);
    }
    // In the order of their ends.
    expect(toldTo("gamma", 2).slice(2)).toEqual([
      "assistant: gamma 1",
      "user: beta: beta 1",
      "user: alpha: alpha 1",
    ]);
  });
});

describe("a discussion by mention", () => {
  it("gives turns to those whom somebody names, until nobody is named", async () => {
    model = mockModel(({ model: name }, number) =>
      name === "alpha" && number === 1 ? "I ask @gamma, not `@beta`." : `${name} ${number}`,
    );
    const desk = await openRoom({ turns: { order: "mentioned" } });
    await say(desk, "Who?", { mentions: ["alpha"] });
    await atRest(desk);

    expect(await saidIn(desk)).toEqual([
      "Mia: Who?",
      "alpha: I ask @gamma, not `@beta`.",
      "gamma: gamma 1",
    ]);
  });

  it("that names nobody ends at once", async () => {
    model = mockModel(counted);
    const desk = await openRoom({ turns: { order: "mentioned" } });
    await say(desk, "Nobody?");
    const room = await atRest(desk);

    expect(room.last_end).toMatchObject({ reason: "completed" });
    expect(model.requests).toEqual([]);
  });
});

describe("a discussion with a moderator", () => {
  it("gives turns to those whom the moderator names, who is not heard itself", async () => {
    const order = ["beta", "alpha", null];
    model = mockModel(({ model: name }, number) =>
      name === "chair"
        ? {
            call: {
              name: "GenerateStructuredOutput",
              arguments: JSON.stringify({ next: order[number - 1] }),
            },
          }
        : `${name} ${number}`,
    );
    const desk = await openRoom({
      agents: ["alpha", "beta", "chair"],
      turns: { order: "moderated" },
    });
    await say(desk, "Begin.");
    await atRest(desk);

    expect((await turnsOf(desk)).filter((step) => step.startsWith("room_turn_ended"))).toEqual([
      "room_turn_ended moderator completed",
      "room_turn_ended beta completed",
      "room_turn_ended moderator completed",
      "room_turn_ended alpha completed",
      "room_turn_ended moderator completed",
    ]);
    expect((await readRoom(desk)).last_end).toMatchObject({ reason: "completed" });
    expect(toldTo("chair", 2).at(-1)).toBe("user: beta: beta 1");
    expect(toldTo("alpha", 1)).toEqual([
      "user: Mia: Begin.",
      "user: beta: beta 1",
      "user: You are alpha …",
    ]);
  });
});
