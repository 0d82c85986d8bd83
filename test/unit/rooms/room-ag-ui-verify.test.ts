// Whatever a room's log has, in whatever order, the clients of both profiles take it, from the start and joined at any point.
import { HttpAgent } from "ag-ui-client-0-0-59";
import { EventSchemas } from "ag-ui-core-0-0-59";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgUiProfile } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import type { AgUiEvent, AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { RoomAgUiTranslator } from "../../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import { toRoomMessages } from "../../../protocol/dialects/ag-ui/rooms/turn-events.ts";
import { foldRoom } from "../../../protocol/rooms/fold.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { BROAD, runs } from "../../support/breadth.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";
import { hostileRoom } from "./hostile-room.ts";
import type { RoomPlay } from "./room-play.ts";

function frames(play: RoomPlay, profile: AgUiProfile): readonly AgUiFrame[] {
  const translator = new RoomAgUiTranslator("room_1", { profile });
  return play.log.flatMap((event) => translator.push(event));
}

function joined(play: RoomPlay, cut: number, profile: AgUiProfile): readonly AgUiEvent[] {
  const translator = new RoomAgUiTranslator("room_1", { profile });
  for (const event of play.log.slice(0, cut)) translator.push(event);
  const begun = translator.join();
  return [
    ...begun,
    ...play.log
      .slice(cut)
      .flatMap((event) => translator.push(event))
      .map(({ event }) => event),
  ];
}

/** The runs of a stream that were ended: a client waits for the end of the others. */
function whole(events: readonly AgUiEvent[]): readonly AgUiEvent[] {
  return events.slice(0, events.findLastIndex(({ type }) => type === "RUN_FINISHED") + 1);
}

/** Issues of the old client's parser. */
function issues(event: AgUiEvent): readonly unknown[] {
  const parsed = EventSchemas.safeParse(event);
  return parsed.success ? [] : parsed.error.issues;
}

async function playOld(events: readonly AgUiEvent[]) {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const agent = new HttpAgent({
    url: "http://client.invalid/",
    threadId: "room_1",
    fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  const failures: unknown[] = [];
  await agent.runAgent({}, { onRunFailed: (failed) => void failures.push(failed.error) });
  expect(failures).toEqual([]);
  return agent.messages;
}

/** Texts by id, in the order in which a client holds them. */
function textsOf(
  messages: readonly { readonly id: string; readonly role: string; readonly content?: unknown }[],
) {
  return messages.flatMap(({ id, role, content }) =>
    role === "assistant" && typeof content === "string" && content !== "" ? [[id, content]] : [],
  );
}

/** Ids of messages of called agents have the agent's session behind the turn. */
function isOfCalled(id: string): boolean {
  return id.split(":").length > 2;
}

describe("the log of a room", BROAD, () => {
  it("is a stream that the client takes, which then holds what was said", async () => {
    await fc.assert(
      fc.asyncProperty(hostileRoom, async (play) => {
        const events = frames(play, "1.0").map(({ event }) => event);
        const { messages, warnings } = await playAgUi(agUiBody(whole(events)));
        expect(warnings).toEqual([]);
        const said = foldRoom(play.log).messages.flatMap(toRoomMessages);
        const known = new Map(textsOf(said).map(([id, text]) => [id, text]));
        for (const [id, text] of textsOf(messages)) {
          if (!isOfCalled(id as string)) expect(known.get(id!)).toBe(text);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("is in the protocol's order for a client that joins at any point", async () => {
    await fc.assert(
      fc.asyncProperty(hostileRoom, fc.nat(), async (play, at) => {
        const events = joined(play, at % (play.log.length + 1), "1.0");
        if (events.length === 0) return;
        agUiBody(events);
        await verifyAgUi(events);
      }),
      { numRuns: runs(60) },
    );
  });

  it("is taken by clients of before 1.0, and holds the same words there", async () => {
    await fc.assert(
      fc.asyncProperty(hostileRoom, fc.nat(), async (play, at) => {
        const events = frames(play, "0.0").map(({ event }) => event);
        expect(events.flatMap(issues)).toEqual([]);
        expect(events.filter((event) => "subagentRunId" in event)).toEqual([]);
        const old = await playOld(whole(events));
        const { messages } = await playAgUi(
          agUiBody(whole(frames(play, "1.0").map(({ event }) => event))),
        );
        // A called agent is a step there.
        const spoken = textsOf(messages).filter(([id]) => !isOfCalled(id as string));
        expect(textsOf(old).toSorted()).toEqual(spoken.toSorted());
        const late = joined(play, at % (play.log.length + 1), "0.0");
        expect(late.flatMap(issues)).toEqual([]);
        await playOld(whole(late));
      }),
      { numRuns: runs(60) },
    );
  });

  it("has the same frames wherever the reading of a discussion begins", () => {
    fc.assert(
      fc.property(hostileRoom, (play) => {
        const all = frames(play, "1.0");
        const starts = play.log.flatMap((event) =>
          event.type === "CUSTOM" && event.name === "room_discussion_started" ? [event.seq] : [],
        );
        for (const start of starts) {
          const translator = new RoomAgUiTranslator("room_1");
          const again = play.log.slice(start - 1).flatMap((event) => translator.push(event));
          const shape = ({ seq, k, event: { type } }: AgUiFrame) => `${seq}.${k} ${type}`;
          expect(again.map(shape)).toEqual(all.filter(({ seq }) => seq >= start).map(shape));
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
