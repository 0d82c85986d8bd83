import type { KeyRecord } from "../../storage/credentials/key-record.ts";
import { operatorStorage } from "../../storage/tenants/operator-storage.ts";
import { rehashApiKey } from "../../storage/credentials/rehash-api-key.ts";
import { keyPepperOf, type PepperBindings } from "../../storage/secrets/deployment-secrets.ts";
import { inBackground } from "../in-background.ts";
import { hashApiKey, withoutKeyId } from "./key-secrets.ts";

/**
 * What D1 says of a key, whichever of the accepted peppers it is stored under; null when it knows none. One query, and
 * another while the pepper is rotated and the key is not under the current one. Then all hashes are asked for at once:
 * somebody else may be storing it anew at this moment.
 */
export async function findApiKey(
  env: PepperBindings & Pick<Env, "DB">,
  key: string,
): Promise<KeyRecord | null> {
  const { current, previous, next } = keyPepperOf(env);
  const storage = operatorStorage(env.DB);
  const hash = await hashApiKey(key, current);
  const bare = withoutKeyId(hash);
  // While there is a previous one, a key without a pepper's id is one that is left, whichever it is stored under.
  const found = await storage.findApiKey(hash, ...(previous === undefined ? [bare] : []));
  if (found || (previous === undefined && next === undefined)) return found;
  const older = [bare, ...(previous === undefined ? [] : await bothForms(key, previous))];
  const newer = next === undefined ? [] : await bothForms(key, next);
  const record = await storage.findApiKey(hash, ...older, ...newer);
  // What stands under the next one was made by an isolate that has it as the current one: it stays.
  if (record && previous !== undefined) {
    inBackground("storing a key under the current pepper", rehashApiKey(env.DB, hash, older));
  }
  return record;
}

async function bothForms(key: string, pepper: string): Promise<readonly string[]> {
  const hash = await hashApiKey(key, pepper);
  return [hash, withoutKeyId(hash)];
}
