// The address to which other systems post a trigger's webhooks.
import type { DocumentedRoute } from "../requests/contract.ts";
import { TriggerChallengeSchema, TriggerReceiptSchema } from "./receipts.ts";

export const TRIGGER_WEBHOOK_ROUTES = [
  {
    name: "receiveTriggerWebhook",
    method: "POST",
    path: "/v1/trigger-webhooks/{trigger_token}",
    access: "public",
    is_signed: true,
    body: "delivery",
    tag: "Triggers",
    summary: "Receive a trigger's webhook",
    description: [
      "Posted by the sender, which signs it in its own form: Standard Webhooks, GitHub, Stripe or Slack. Forms that sign a time",
      "are refused more than five minutes away from it. Trials of the address begin nothing.",
    ].join(" "),
    answers: {
      200: {
        description: "A challenge of Slack, which is repeated.",
        json: TriggerChallengeSchema,
      },
      202: {
        description: "The run is stored, and goes on by itself; a repeated delivery finds it.",
        json: TriggerReceiptSchema,
        examples: ["triggerReceipt"],
      },
      204: { description: "A trial of the address." },
    },
    errors: [
      "unauthenticated",
      "signature_invalid",
      "not_found",
      "trigger_paused",
      "quota_exceeded",
    ],
  },
] as const satisfies readonly DocumentedRoute[];

export const TRIGGER_RECEIPT_EXAMPLE = {
  trigger_run_id: "trun_01kaj2vf3h8m2p6r0t4w7y1a5h",
  applied: true,
};
