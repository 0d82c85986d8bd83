// A room by base URL alone: agents of the embedded model, which play the scripts in what they are told.
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage, RoomMessageReceipt } from "../../../protocol/rooms/conversation.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import {
  createAgent,
  createTenant,
  type Frame,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";

export interface RoomDesk {
  readonly key: string;
  readonly agent_id: string;
  readonly room: Room;
  readonly path: string;
  readonly say: (text: string, more?: object) => Promise<RoomMessageReceipt>;
  /** The frames from a position to the end of the discussion. */
  readonly read: (after: number) => Promise<readonly Frame[]>;
  readonly now: () => Promise<Room>;
  /** Speaker and text of each message, oldest first. */
  readonly said: () => Promise<readonly string[]>;
}

export async function openRoom(more: object = {}, names = ["ann", "bob"]): Promise<RoomDesk> {
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { tools: [] });
  const body = {
    participants: [
      ...names.map((name) => ({ name, agent_id })),
      { name: "Mia", kind: "person", end_user_id: "mia" },
    ],
    ...more,
  };
  const { body: room, status } = await request<Room>("POST", "/v1/rooms", { key, body });
  if (status !== 201) throw new Error(JSON.stringify(room));
  const path = `/v1/rooms/${room.id}`;
  return {
    key,
    agent_id,
    room,
    path,
    async say(content, rest = {}) {
      const said = { key, body: { content, ...rest } };
      const answer = await request<RoomMessageReceipt>("POST", `${path}/messages`, said);
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    async read(after) {
      const headers = { accept: "text/event-stream" };
      return readSse(await openRequest("GET", `${path}/events?after=${after}`, { key, headers }));
    },
    now: async () => (await request<Room>("GET", path, { key })).body,
    async said() {
      const { body: page } = await request<RoomMessagePage>("GET", `${path}/messages?limit=100`, {
        key,
      });
      return page.data.map((message) => `${message.name}: ${getTextContent(message) ?? ""}`);
    },
  };
}

/** Text with which each agent in turn says its own line: each tells the next one its script. */
export function chain(...lines: readonly string[]): string {
  const [first, ...rest] = lines;
  if (first === undefined) return "";
  const told = [first, ...(rest.length > 0 ? chain(...rest).split("\n") : [])];
  return told.map((line) => `/say ${line}`).join("\n");
}
