// The forms in which the sender of a trigger's webhook may sign.
import type { WebhookForm } from "../../protocol/triggers/contract.ts";
import { MAX_SENDER_ID_CHARACTERS } from "../../protocol/triggers/limits.ts";
import { GITHUB_FORM } from "./github-form.ts";
import { malformed } from "./read-payload.ts";
import type { DeliveryContent, ReceivedDelivery, SenderForm } from "./sender-form.ts";
import { SLACK_FORM } from "./slack-form.ts";
import { STANDARD_FORM } from "./standard-form.ts";
import { STRIPE_FORM } from "./stripe-form.ts";

export const SENDER_FORMS: Readonly<Record<WebhookForm, SenderForm>> = {
  standard: STANDARD_FORM,
  github: GITHUB_FORM,
  stripe: STRIPE_FORM,
  slack: SLACK_FORM,
};

export type TakenDelivery = { readonly type: "invalid" | "untimely" } | DeliveryContent;

/** Nothing of the payload is read before its signature was found to be good. */
export async function takeDelivery(
  form: WebhookForm,
  delivery: ReceivedDelivery,
  { secrets, nowMs }: { readonly secrets: readonly string[]; readonly nowMs: number },
): Promise<TakenDelivery> {
  const { type } = await SENDER_FORMS[form].verify(delivery, secrets, nowMs);
  if (type !== "valid") return { type };
  const content = SENDER_FORMS[form].read(delivery);
  if (content.type !== "event") return content;
  const { length } = content.sender_id;
  return length <= MAX_SENDER_ID_CHARACTERS
    ? content
    : malformed(
        `the delivery's id has ${length} characters, of ${MAX_SENDER_ID_CHARACTERS} at most`,
      );
}
