import type { WebhookForm } from "../../protocol/triggers/contract.ts";
import { SENDER_FORMS } from "../../webhooks/senders/sender-forms.ts";
import { fieldError } from "../http-error.ts";

/** The secret that a tenant has from the sender, or one that is made here. @throws HttpError for one that is none. */
export function secretOf(form: WebhookForm, given: string | undefined, pointer: string): string {
  if (given === undefined) return SENDER_FORMS[form].makeSecret();
  const problem = SENDER_FORMS[form].findSecretProblem(given);
  if (problem !== null) throw fieldError("validation_failed", pointer, `the secret ${problem}`);
  return given;
}
