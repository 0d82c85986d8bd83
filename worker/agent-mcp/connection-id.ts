// The id of a connection of the older era, which `initialize` gives: random, with a MAC over whom it was given to. Nothing
// is stored for it, and an id that was made up is recognised without a look.
import { acceptedValues } from "../../storage/secrets/rotated-secret.ts";
import { deriveKey } from "../../storage/secrets/derive-key.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import type { AppContext } from "../app-env.ts";
import { tenantOf } from "../principal.ts";
import { endUserOf } from "./find-conversation.ts";

const FORM = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\da-f]{64})$/;

export async function newConnectionId(context: AppContext, agentId: string): Promise<string> {
  const id = crypto.randomUUID();
  const key = await macKeyOf(context.env.KEY_PEPPER);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signedOf(context, agentId, id)));
  return `${id}.${Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * The connection that the request names; undefined without one, and for one that was not given to this caller for this
 * agent, such as those of releases before the MAC.
 */
export async function findConnection(
  context: AppContext,
  agentId: string,
): Promise<string | undefined> {
  const [, id, mac] = FORM.exec(context.req.header("Mcp-Session-Id") ?? "") ?? [];
  if (id === undefined || mac === undefined) return undefined;
  const bytes = Uint8Array.from(mac.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const signed = signedOf(context, agentId, id);
  const verdicts = acceptedValues(keyPepperOf(context.env)).map(async (pepper) =>
    crypto.subtle.verify("HMAC", await macKeyOf(pepper), bytes, signed),
  );
  return (await Promise.all(verdicts)).includes(true) ? id : undefined;
}

function macKeyOf(pepper: string): ReturnType<typeof deriveKey> {
  return deriveKey(pepper, "reprise:mcp-connection");
}

function signedOf(context: AppContext, agentId: string, id: string): Uint8Array {
  const parts = [tenantOf(context), agentId, endUserOf(context), id];
  return new TextEncoder().encode(JSON.stringify(parts));
}
