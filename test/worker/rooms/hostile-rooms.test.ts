// Rooms whose people, names and sizes are hostile: no word is lost, and nothing hangs.
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";

import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import { turnInput } from "../../../durable-objects/rooms/turn-input.ts";
import { MessageTable } from "../../../durable-objects/tables/message-table.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD } from "../../support/breadth.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  CALL,
  eventsOf,
  objectOf,
  openRoom,
  readRoom,
  saidIn,
  say,
  sessionMessages,
  stepsOf,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function bodyOf(name: string, number: number): Sent {
  return JSON.parse(model?.bodies.get(name)?.[number - 1] ?? "{}") as Sent;
}

async function heardBy(desk: RoomDesk, name: string): Promise<readonly string[]> {
  const room = await readRoom(desk);
  const sessionId = room.participants.find((one) => one.name === name)?.session_id;
  const messages = await sessionMessages(desk.call, sessionId!);
  return messages.filter(({ role }) => role === "user").map(textOf);
}

function textOf({ content }: Msg): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

async function refusalOf(desk: RoomDesk, id: string): Promise<string | null> {
  const message = { participant: "Mia", content: "words of Mia", id };
  const posted = await desk.room.postMessage(message, CALL);
  return posted.ok ? null : posted.refusal.code;
}

async function openReply(desk: RoomDesk): Promise<string> {
  const find = async () =>
    (await eventsOf(desk)).findLast(({ type }) => type === "REPLY_START")?.reply_id;
  await expect.poll(find).toBeDefined();
  return (await find())!;
}

describe("a turn to which nobody has said anything new", () => {
  it("is one all the same, and its model is told that it has the word", async () => {
    model = mockModel(counted);
    const desk = await openRoom({
      agents: ["alpha"],
      people: [{ name: "Mia" }],
      turns: { rounds: 2 },
    });
    await say(desk, "Begin.");
    await atRest(desk);
    expect(await saidIn(desk)).toEqual(["Mia: Begin.", "alpha: alpha 1", "alpha: alpha 2"]);
    // A context that ends with the model's own words is refused by providers.
    expect(bodyOf("alpha", 2).messages.at(-1)?.role).toBe("user");
  });

  it("is had by one whom the moderator names again", async () => {
    const next = ["alpha", "alpha", null];
    model = mockModel(({ model: name }, number) =>
      name === "chair"
        ? {
            call: {
              name: "GenerateStructuredOutput",
              arguments: JSON.stringify({ next: next[number - 1] ?? null }),
            },
          }
        : `${name} ${number}`,
    );
    const desk = await openRoom({
      agents: ["alpha", "beta", "chair"],
      people: [{ name: "Mia" }],
      turns: { order: "moderated", rounds: undefined },
    });
    await say(desk, "Begin.");
    const room = await atRest(desk);
    expect(room.last_end?.reason).toBe("completed");
    expect(await saidIn(desk)).toEqual(["Mia: Begin.", "alpha: alpha 1", "alpha: alpha 2"]);
  });
});

describe("an id that a person chooses", () => {
  it("is no reply's: neither's words are lost", async () => {
    model = mockModel(({ model: name }) =>
      name === "alpha" ? { text: "words of alpha", waitMs: 1_500 } : `words of ${name}`,
    );
    const desk = await openRoom({ agents: ["alpha", "beta"], people: [{ name: "Mia" }] });
    await say(desk, "Begin.");
    const id = await openReply(desk);
    expect(await refusalOf(desk, id)).toBe("validation_failed");
    await say(desk, "words of Mia", { id: `${id}.` });
    await atRest(desk);
    expect(await heardBy(desk, "beta")).toEqual(
      expect.arrayContaining(["Begin.", "words of Mia", "words of alpha"]),
    );
  });

  it("is no turn's: the person whose turn it is can take it", async () => {
    model = mockModel(counted);
    const desk = await openRoom({
      agents: ["alpha"],
      people: [{ name: "Mia" }, { name: "Eve", awaited: true }],
    });
    await say(desk, "Begin.");
    const { input_requests } = await atRest(desk, "waiting");
    const { id } = input_requests[0]!;
    expect(await refusalOf(desk, id)).toBe("validation_failed");
    const answer = { participant: "Eve", input_request_id: id, content: "words of Eve" };
    const taken = valueOf(await desk.room.postInput(answer, CALL));
    expect(taken.applied).toBe(true);
    await atRest(desk);
    expect(await heardBy(desk, "alpha")).toEqual(["Begin.", "words of Eve"]);
  });
});

describe("a conversation of many megabytes", () => {
  it("does not stop a newcomer who may hear all of it", BROAD, async () => {
    model = mockModel(counted);
    const desk = await openRoom({
      agents: ["alpha"],
      people: [{ name: "Mia" }],
      turns: { order: "mentioned", rounds: undefined },
    });
    const { agents } = desk;
    const long = "x".repeat(950_000);
    for (let index = 0; index < 40; index += 1) await say(desk, `${index} ${long}`);
    await atRest(desk);
    valueOf(
      await desk.room.addParticipant({
        participant: { kind: "agent", name: "delta", agent_id: agents["alpha"]! },
        history: "all",
      }),
    );
    await say(desk, "Speak.", { mentions: ["delta"] });
    const room = await atRest(desk);
    expect(room.last_end?.reason).toBe("completed");
    expect(await stepsOf(desk)).toContain("room_turn_ended delta completed");
  });
});

it("the words of a reply whose results are more than an answer shows are heard", async () => {
  model = mockModel(counted);
  const { init } = await openRoom({ agents: ["alpha"], people: [{ name: "Mia" }] });
  const heard = await runInDurableObject(objectOf(init), (_, { storage }) => {
    const messages = new MessageTable(storage.sql);
    const message = AssistantMsg("alpha", [
      { type: "tool_result", id: "call_1", name: "read", output: "x".repeat(9_500_000) },
      { type: "text", text: "The file is long." },
    ]);
    messages.put({ position: 100, reply_id: message.id, message, cursor: 100 });
    return turnInput(messages, "beta", { hears_from: 0, hears_to: 100 });
  });
  expect(heard.heard_to).toBeNull();
  expect(heard.messages.map((message) => textOf(message as Msg))).toEqual(["The file is long."]);
});

it("sixteen at once hear each other once, in the order of their ends", async () => {
  model = mockModel(({ model: name }) => ({ text: `I am ${name}`, waitMs: Math.random() * 300 }));
  const names = Array.from({ length: 15 }, (_, index) => `agent${index}`);
  const desk = await openRoom({
    agents: names,
    people: [{ name: "Mia" }],
    turns: { order: "parallel" },
  });
  await say(desk, "Begin.");
  await atRest(desk);
  const said = (await saidIn(desk)).map((line) => line.slice(line.indexOf(": ") + 2));
  expect(said.length).toBe(16);
  for (const name of names) {
    expect(await heardBy(desk, name)).toEqual(said.filter((text) => text !== `I am ${name}`));
  }
});
