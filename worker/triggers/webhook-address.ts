// The address of a trigger's webhook. It is signed, so that a made-up one is known without a look at D1, and wakes no object.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import {
  openToken,
  signToken,
  type TriggerAddressClaims,
} from "../../storage/secrets/signed-token.ts";

/** The last moment that a date can name: the address ends with its trigger. */
const NEVER_MS = 8_640_000_000_000_000;

type Addressed = Pick<TriggerAddressClaims, "tenant_id" | "trigger_id">;

/** @param origin `https://host` of the platform. */
export async function webhookAddress(
  env: Env,
  origin: string,
  { tenant_id, trigger_id }: Addressed,
): Promise<string> {
  const claims = { tenant_id, trigger_id, exp: NEVER_MS };
  const token = await signToken("trigger_address", claims, keyPepperOf(env).current);
  return `${origin}/v1/trigger-webhooks/${token}`;
}

/** The trigger that an address names; null for a made-up one. */
export async function openAddress(env: Env, token: string): Promise<Addressed | null> {
  const opened = await openToken("trigger_address", token, keyPepperOf(env), Date.now());
  return opened.ok ? opened.claims : null;
}
