// The platform killed with kill -9 at each step of a room's discussion: nothing of it is lost or doubled, and it goes on.
import { expect, test } from "vitest";

import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage, RoomMessageReceipt } from "../../../protocol/rooms/conversation.ts";
import { sampled } from "../../support/breadth.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();

/** Long enough for a kill in the middle of a turn. */
const SPOKEN = "/wait 400\n/say";
/** Said to Ann, who says the rest of it to Bob. */
const BEGIN = `Begin.\n${SPOKEN} I am Ann.\n/say ${SPOKEN.replace("\n", "\n/say ")} I am Bob.`;

async function open(turns: object) {
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return (await response.json()) as Body;
  }
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
  });
  const mia = { name: "Mia", kind: "person", awaited: true };
  const agents = ["ann", "bob"].map((name) => ({ name, agent_id: agent.id }));
  const room = await ask<Room>("POST", "/v1/rooms", { participants: [...agents, mia], turns });
  const path = `/v1/rooms/${room.id}`;
  return {
    ask,
    path,
    say: (id: string, content: string) =>
      ask<RoomMessageReceipt>("POST", `${path}/messages`, { id, content }),
    now: () => ask<Room>("GET", path),
    events: async () => {
      const found: LoggedEvent[] = [];
      for (let next: string | null = "?limit=100&after=0"; next !== null;) {
        const page: { data: LoggedEvent[]; next_page: string | null } = await ask(
          "GET",
          `${path}/events${next}`,
        );
        found.push(...page.data);
        next = page.next_page && `?limit=100&page=${page.next_page}`;
      }
      return found;
    },
    messages: async () => (await ask<RoomMessagePage>("GET", `${path}/messages?limit=100`)).data,
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

function nameOf(event: LoggedEvent): string {
  return event.type === "CUSTOM" ? event.name : event.type;
}

/** Mia has no turn before the others have had theirs. */
async function waitForMia({ now }: Opened): Promise<void> {
  await waitFor(async () => expect((await now()).input_requests).toHaveLength(1));
}

/** The log folds to the messages, each of which is there once, and each beginning has one end. */
async function check({ events, messages }: Opened): Promise<void> {
  const [log, said] = [await events(), await messages()];
  const seqs = log.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
  expect(new Set(said.map(({ id }) => id)).size).toBe(said.length);
  const count = (name: string) => log.filter((event) => nameOf(event) === name).length;
  for (const kind of ["turn", "round", "discussion"]) {
    expect([kind, count(`room_${kind}_started`)]).toEqual([kind, count(`room_${kind}_ended`)]);
  }
  const replies = log.flatMap((event) => (event.type === "REPLY_START" ? event.reply_id : []));
  expect(new Set(replies).size).toBe(replies.length);
  for (const id of replies) {
    const own = log.filter((event) => "reply_id" in event && event.reply_id === id);
    expect(foldEvents(own)).toEqual(said.find((message) => message.id === id));
  }
}

const TURNS = [{ order: "sequential" }, { order: "parallel" }] as const;
/** The first that has this name, of which the log of a discussion has each. */
const STEPS = [
  "REPLY_START",
  "message_added",
  "room_discussion_started",
  "room_round_started",
  "room_turn_started",
  "MODEL_CALL_START",
  "TEXT_BLOCK_END",
  "REPLY_END",
  "room_turn_ended",
  "room_input_required",
];
/** Killed again when the person has answered. */
const isAnsweredAtLast = (step: string): boolean => step === "room_input_required";

const ROWS = STEPS.flatMap((step) => TURNS.map((turns) => ({ step, ...turns })));

for (const [rows, breadth] of sampled(ROWS))
  test.each(rows)(
    "a room in the order $order loses and doubles nothing by a kill at $step, and goes on",
    breadth,
    async ({ step, order }) => {
      const room = await open({ order });
      await room.say("m1", BEGIN);
      await waitFor(async () => expect((await room.events()).map(nameOf)).toContain(step));
      await platform.kill();
      await platform.running();

      await waitForMia(room);
      const [asked] = (await room.now()).input_requests;
      const input = { participant: "Mia", input_request_id: asked?.id, content: "I am Mia." };
      await room.ask("POST", `${room.path}/input`, input);
      if (isAnsweredAtLast(step)) {
        await platform.kill();
        await platform.running();
      }
      await waitFor(async () => {
        const { status, last_end } = await room.now();
        expect([status, last_end?.reason]).toEqual(["idle", "completed"]);
      });
      const again = await room.say("m1", BEGIN);

      const said = (await room.messages()).map(
        (message) => `${message.name}: ${(getTextContent(message) ?? "").split("\n")[0]}`,
      );
      const spoken = { sequential: "bob: I am Bob.", parallel: "bob: I am Ann." };
      const expected = ["Mia: Begin.", "ann: I am Ann.", spoken[order], "Mia: I am Mia."];
      expect(again.added).toBe(false);
      // Speakers at once are heard in the order of the ends.
      expect(order === "parallel" ? said.toSorted() : said).toEqual(
        order === "parallel" ? expected.toSorted() : expected,
      );
      await check(room);
    },
  );
