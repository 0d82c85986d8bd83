// A tenant with a room of two agents of the embedded model and a person, and triggers that speak there.
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { CreatedTrigger } from "../../../protocol/triggers/contract.ts";
import { ask, makeAgent } from "../support/api.ts";
import { triggerDesk, type OpenTrigger } from "./trigger-desk.ts";

interface RoomShape {
  readonly people?: readonly object[];
  readonly agents?: readonly string[];
  readonly [member: string]: unknown;
}

/** @param agent More of the definition of both agents. */
export async function roomTriggerDesk(room: RoomShape = {}, agent: object = {}) {
  const desk = await triggerDesk();
  const { call } = desk;
  const { agents = ["ann", "bob"], people = [{ name: "Mia" }], ...more } = room;
  const { id: agent_id } = await makeAgent(call, { name: "Debater", ...agent });
  const participants = [
    ...agents.map((name) => ({ name, agent_id })),
    ...people.map((person) => ({ kind: "person", ...person })),
  ];
  const { json: made } = await ask<Room>("POST", "/v1/rooms", {
    ...call,
    json: { participants, ...more },
  });
  const path = `/v1/rooms/${made.id}`;
  return {
    ...desk,
    room: made,
    room_path: path,
    makeInRoom: (trigger: object = {}): Promise<OpenTrigger> =>
      desk.make({ agent_id: undefined, room_id: made.id, input: SCRIPT, ...trigger }),
    tryInRoom: (trigger: object, key = call) =>
      ask<CreatedTrigger>("POST", "/v1/triggers", {
        ...key,
        json: { name: "Debate", room_id: made.id, input: SCRIPT, ...trigger },
      }),
    readRoom: async () => (await ask<Room>("GET", path, call)).json,
    post: (act: string, json: object) => ask<Room>("POST", `${path}/${act}`, { ...call, json }),
    /** Speaker and text of each message, oldest first. */
    async said(): Promise<readonly string[]> {
      const { json } = await ask<{ data: readonly Said[] }>(
        "GET",
        `${path}/messages?limit=100`,
        call,
      );
      return json.data.map(({ name, content }) => {
        const words = content.flatMap(({ text }) => text ?? []).join("\n");
        return `${name}: ${words.split("\n", 1)[0]}`;
      });
    },
    async messages(): Promise<readonly Said[]> {
      const { json } = await ask<{ data: readonly Said[] }>("GET", `${path}/messages`, call);
      return json.data;
    },
    /** Its row and its object are gone. */
    remove: () => ask("DELETE", path, call),
  };
}

export type RoomTriggerDesk = Awaited<ReturnType<typeof roomTriggerDesk>>;

export interface Said {
  readonly id: string;
  readonly name: string;
  readonly content: readonly { readonly text?: string }[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A script whose reader says a line, and hands the next one its own. */
const SCRIPT = "Shall we?\n/say Yes.\n/say /say No.";
