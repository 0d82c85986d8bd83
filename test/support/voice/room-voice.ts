// A room that speaks, by base URL alone: agents of the embedded models, and people who connect.
import type { Room } from "../../../protocol/rooms/contract.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import type { RoomOwnFrame } from "../../../protocol/voice/frames.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { createAgent, createTenant, request } from "../platform-client.ts";
import { VoiceClient, type ConnectOptions } from "./voice-client.ts";
import { CASCADE } from "./voice-desk.ts";

export interface SpeakingRoom {
  readonly key: string;
  readonly room: Room;
  readonly path: string;
  /** Resolves once the person has started. */
  readonly connect: (participant?: string, options?: ConnectOptions) => Promise<VoiceClient>;
  readonly now: () => Promise<Room>;
  /** Speaker and first line of each message, oldest first. */
  readonly said: () => Promise<readonly string[]>;
}

interface SpeakingOptions {
  readonly names?: readonly string[];
  readonly people?: readonly object[];
  /** Of each agent. */
  readonly voice?: object;
  /** Members of the room. */
  readonly room?: object;
  /** Of the room's voice. */
  readonly hears?: object;
}

const MANUAL = { turns: { type: "manual" } } as const;

export async function openSpeakingRoom({
  names = ["ann", "bob"],
  people = [{ name: "Mia", kind: "person", end_user_id: "mia" }],
  voice = CASCADE,
  room: more = {},
  hears = MANUAL,
}: SpeakingOptions = {}): Promise<SpeakingRoom> {
  const { key } = await createTenant();
  const agent_id = await createAgent(key, { tools: [], voice });
  const body = {
    participants: [...names.map((name) => ({ name, agent_id })), ...people],
    voice: { transcription: { provider: "scripted" }, ...hears },
    ...more,
  };
  const { body: room, status } = await request<Room>("POST", "/v1/rooms", { key, body });
  if (status !== 201) throw new Error(JSON.stringify(room));
  const path = `/v1/rooms/${room.id}`;
  return {
    key,
    room,
    path,
    connect: (participant, options) => connectPerson(path, participant, { key, ...options }),
    now: async () => (await request<Room>("GET", path, { key })).body,
    async said() {
      const { body: page } = await request<RoomMessagePage>("GET", `${path}/messages?limit=100`, {
        key,
      });
      return page.data.map((message) => {
        const text = (getTextContent(message) ?? "").replace(/\n[^]*/, "");
        return `${message.name}: ${text}`;
      });
    },
  };
}

export function connectPerson(
  path: string,
  participant: string | undefined,
  options: ConnectOptions,
): Promise<VoiceClient> {
  const query = participant === undefined ? "" : `?participant=${participant}`;
  return VoiceClient.connectTo(`${path}/realtime${query}`, options);
}

/** The frames of a room's own. */
export function ownFrames({ frames }: VoiceClient): readonly RoomOwnFrame[] {
  const types = ["agent_ready", "agent_ended", "item", "floor_taken"];
  const own = (frames as readonly { readonly type: string }[]).filter(({ type }) =>
    types.includes(type),
  );
  return own as unknown as readonly RoomOwnFrame[];
}

/** Speakers and the words that were heard of them: an item after the other. */
export function heardSpeakers(client: VoiceClient): readonly string[] {
  const speakers = new Map(
    ownFrames(client).flatMap((frame) =>
      frame.type === "item" ? [[frame.item, frame.participant] as const] : [],
    ),
  );
  return client
    .heard()
    .map(({ item, text }) => `${speakers.get(item)}: ${text?.replaceAll(/\s+/g, " ")}`);
}

/** Words of a person with which each agent in turn says its own line; the first has the second's script in its words. */
export function lines(first: string, second: string): string {
  return `Go.\n/say ${first}\n/say /say ${second}`;
}

/** Resolves with the number of the n-th item when all of it has come. */
export async function untilItems(client: VoiceClient, count: number): Promise<number> {
  const ends = () =>
    client.frames.flatMap((frame) => (frame.type === "audio_end" ? frame.item : []));
  await client.until(() => ends().length >= count);
  return ends()[count - 1] ?? 0;
}

/** Resolves when both agents, or so many, can be heard; fails when one of them could not be. */
export async function untilReady(client: VoiceClient, count = 2): Promise<void> {
  const frames = (type: string) => ownFrames(client).filter((frame) => frame.type === type);
  const isReady = () => frames("agent_ready").length >= count;
  await client.until(() => isReady() || frames("agent_ended").length > 0);
  // The line was not opened in time, on a machine that is very busy.
  if (!isReady()) throw new Error(`an agent was not ready: ${JSON.stringify(ownFrames(client))}`);
}

/** Resolves when so many discussions have ended. */
export async function untilEnded(client: VoiceClient, count = 1): Promise<void> {
  await client.until(() => client.customs("room_discussion_ended").length >= count);
}
