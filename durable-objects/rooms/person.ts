// A person who is connected to a room that speaks.
import type { Actor } from "../api/session-api.ts";
import type { VoiceRights } from "../api/voice-request.ts";
import type { VoiceClient } from "../voice/voice-client.ts";
import type { PersonCredit } from "./person-credit.ts";
import type { PersonEar } from "./person-ear.ts";

export interface Person {
  readonly participant: string;
  readonly actor: Actor;
  readonly rights: VoiceRights;
  readonly client: VoiceClient;
  readonly ear: PersonEar;
  readonly credit: PersonCredit;
}
