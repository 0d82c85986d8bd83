// Writes down what a person has said, by the room's own model and with its secret as it is now.
import { TRANSCRIPT_MS } from "../../agent/voice/limits.ts";
import type { Transcript } from "../../model/voice/cascade/ports.ts";
import { createTranscription } from "../../model/voice/create-voice-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource, type SecretSource } from "../../outgoing/secret-source.ts";
import type { RoomVoice } from "../../protocol/rooms/voice.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readSealedCredentials } from "../../storage/credentials/sealed-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { openDatabase } from "../../storage/statements/database.ts";

interface Writing {
  readonly env: Env;
  readonly tenantId: string;
  readonly voice: RoomVoice;
}

/** Contract: never rejects, and takes {@link TRANSCRIPT_MS} at most. */
export async function writeDown(
  { env, tenantId, voice }: Writing,
  pcm: Uint8Array,
): Promise<Transcript> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TRANSCRIPT_MS);
  try {
    const secrets = await secretsOf(env, tenantId, voice);
    const outgoing = createOutgoing({ ...egressRules(env), fetch });
    const made = createTranscription(voice.transcription, { outgoing, secrets });
    if (!made.ok) return { ok: false, failure: { code: "setup", message: made.error.message } };
    return await made.port.transcribe(pcm, stop.signal, () => undefined);
  } catch (error) {
    console.error("what a person said could not be written down", { error: String(error) });
    return { ok: false, failure: { code: "internal", message: "It could not be written down." } };
  } finally {
    clearTimeout(timer);
  }
}

async function secretsOf(env: Env, tenant_id: string, voice: RoomVoice): Promise<SecretSource> {
  const { transcription } = voice;
  const id = transcription.provider === "scripted" ? undefined : transcription.credential_id;
  if (id === undefined) return createSecretSource(null);
  const sealed = await readSealedCredentials(openDatabase(env.DB), tenant_id, [id]);
  const opened = await openPinnedCredentials({ ...sealed, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  return createSecretSource(opened);
}
