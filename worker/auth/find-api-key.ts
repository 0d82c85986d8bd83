import type { KeyRecord } from "../../storage/keys/key-record.ts";
import { operatorStorage } from "../../storage/operator/operator-storage.ts";
import { rehashApiKey } from "../../storage/keys/rehash-api-key.ts";
import { keyPepperOf, type PepperBindings } from "../../storage/secrets/deployment-secrets.ts";
import { inBackground } from "../in-background.ts";
import { hashApiKey, withoutKeyId } from "./key-secrets.ts";

/**
 * Looks an API key up in D1 under any of the accepted peppers; null when unknown. One query; during a rotation of the
 * pepper a second one for keys not stored under the current pepper, which asks for all hashes at once, because another
 * request may be rehashing the key at this moment.
 */
export async function findApiKey(
  env: PepperBindings & Pick<Env, "DB">,
  key: string,
): Promise<KeyRecord | null> {
  const { current, previous, next } = keyPepperOf(env);
  const storage = operatorStorage(env.DB);
  const hash = await hashApiKey(key, current);
  const bare = withoutKeyId(hash);
  // During a rotation, a key stored without a pepper id counts as not rotated yet, whichever pepper it is stored under.
  const found = await storage.findApiKey(hash, ...(previous === undefined ? [bare] : []));
  if (found || (previous === undefined && next === undefined)) return found;
  const older = [bare, ...(previous === undefined ? [] : await bothForms(key, previous))];
  const newer = next === undefined ? [] : await bothForms(key, next);
  const record = await storage.findApiKey(hash, ...older, ...newer);
  // A hash under the next pepper was written by an isolate that already uses it as the current one, and stays.
  if (record && previous !== undefined) {
    inBackground("API key: rehash with the current pepper", rehashApiKey(env.DB, hash, older));
  }
  return record;
}

async function bothForms(key: string, pepper: string): Promise<readonly string[]> {
  const hash = await hashApiKey(key, pepper);
  return [hash, withoutKeyId(hash)];
}
