// The internal request that opens a voice connection: `fetch(voiceUrl(opening), {headers: {Upgrade: "websocket"}})` answers
// 101 with the client's socket, or a refusal as streams do.
import type { VoiceFormat } from "../../protocol/voice/formats.ts";
import type { Actor } from "./session-api.ts";

const VOICE_URL = "https://session/voice";

/** Whose connection it is, as the Worker has authenticated it. */
export interface VoiceOpening {
  readonly actor: Actor;
  /** Its rights beside that to speak. */
  readonly rights: VoiceRights;
  /** The log's own where the Worker did not say. */
  readonly format?: VoiceFormat;
  /** The credential with which the connection ends. */
  readonly reader: {
    readonly token_id?: string;
    readonly key_id?: string;
    readonly key_expires_at?: string;
  };
  /** The client is the session's room, which alone may be one there. */
  readonly by_room?: true;
  /** Of a room: the person who speaks, where the room cannot know. */
  readonly participant?: string | undefined;
}

export interface VoiceRights {
  readonly may_confirm: boolean;
  readonly may_give_results: boolean;
  /** Replies that others have begun: those of its own it may in any case. */
  readonly may_interrupt: boolean;
  /** Instructions of the connection, and the provider that is asked for; false where the Worker did not say. */
  readonly may_configure?: boolean;
}

export function voiceUrl(opening: VoiceOpening): string {
  const url = new URL(VOICE_URL);
  url.searchParams.set("opening", JSON.stringify(opening));
  return url.href;
}

/** Null for a request of another kind. */
export function parseVoiceUrl(text: string): VoiceOpening | null {
  const url = new URL(text);
  const opening = url.searchParams.get("opening");
  return url.pathname === "/voice" && opening !== null
    ? (JSON.parse(opening) as VoiceOpening)
    : null;
}
