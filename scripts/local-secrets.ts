import { randomBytes } from "node:crypto";

import { createState, damaged, readState, writeState } from "./state-file.ts";

/** The secrets of the platform that runs on this machine. */
export interface LocalSecrets {
  readonly operator_key: string;
  readonly key_pepper: string;
  /** 32 bytes in base64. */
  readonly master_key: string;
  /** 32 bytes in base64. */
  readonly card_key: string;
}

/** 256 random bits. */
const SECRET_BYTES = 32;
const LOST =
  "every API key of this folder is lost then, and every secret that is stored in it (credentials, webhook secrets, sign-ins); tenants, agents and sessions stay";

/**
 * The secrets of a state folder, made once. A file of an older version keeps its secrets and gets the missing ones.
 * @throws {StartFailure} when the file is damaged: secrets that were made anew would open nothing that is stored.
 */
export function loadSecrets(path: string): LocalSecrets {
  const fresh: LocalSecrets = {
    operator_key: `rop_${randomBytes(SECRET_BYTES).toString("base64url")}`,
    key_pepper: randomBytes(SECRET_BYTES).toString("base64url"),
    master_key: randomBytes(SECRET_BYTES).toString("base64"),
    card_key: randomBytes(SECRET_BYTES).toString("base64"),
  };
  if (readState(path, LOST) === undefined) createState(path, fresh);
  const kept = readState<Record<string, unknown>>(path, LOST) ?? {};
  const problem = findProblem(kept);
  if (problem !== null) throw damaged(path, problem, LOST);
  const secrets = { ...fresh, ...kept };
  if (Object.keys(kept).length < Object.keys(secrets).length) writeState(path, secrets);
  return secrets;
}

/** The rest of a sentence that begins with the file. */
function findProblem(kept: Readonly<Record<string, unknown>>): string | null {
  const { operator_key, key_pepper, master_key, card_key } = kept;
  // The first version had these two already.
  if (!isText(operator_key)) return "has no operator_key";
  if (!isText(key_pepper)) return "has no key_pepper";
  const broken = Object.entries({ master_key, card_key }).find(([, value]) => !isWhole(value));
  return broken ? `has a ${broken[0]} that is not ${SECRET_BYTES} bytes in base64` : null;
}

/** A missing one is made anew. */
function isWhole(value: unknown): boolean {
  if (value === undefined) return true;
  return isText(value) && Buffer.from(value, "base64").length === SECRET_BYTES;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
