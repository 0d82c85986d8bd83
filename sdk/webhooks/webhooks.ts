import { signWebhook } from "./sign-webhook.ts";
import { unwrapWebhook } from "./unwrap-webhook.ts";

/** Verifies the platform's webhooks, and signs those sent to it. Needs no client and no key; tree-shakable. */
export const webhooks = { unwrap: unwrapWebhook, sign: signWebhook } as const;
