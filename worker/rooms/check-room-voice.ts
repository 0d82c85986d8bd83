import { roomSpeechEndpoint, type RoomVoice } from "../../protocol/rooms/voice.ts";
import { readSealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

const POINTER = "#/voice/transcription/credential_id";

/** @throws HttpError 404 for a credential that does not exist. */
export async function checkRoomVoice(
  context: AppContext,
  voice: RoomVoice | undefined,
): Promise<void> {
  const id = voice && roomSpeechEndpoint(voice)?.credential_id;
  if (id === undefined) return;
  const database = openDatabase(context.env.DB);
  const { credentials } = await readSealedCredentials(database, tenantOf(context), [id]);
  if (!credentials[id]) throw fieldError("not_found", POINTER, "there is no such credential");
}
