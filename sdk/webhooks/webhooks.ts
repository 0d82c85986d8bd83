import { signWebhook } from "./sign-webhook.ts";
import { unwrapWebhook } from "./unwrap-webhook.ts";

/**
 * For whoever receives the platform's webhooks, or sends some to it. Needs no client and no key, and costs nothing in a
 * bundle that does not use it.
 */
export const webhooks = { unwrap: unwrapWebhook, sign: signWebhook } as const;
