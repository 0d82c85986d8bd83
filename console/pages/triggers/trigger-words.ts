// Words for the members of a trigger's API.
import type { Trigger, TriggerRun } from "../../../sdk/index.ts";

const FORMS: Readonly<Record<NonNullable<Trigger["webhook"]>["form"], string>> = {
  standard: "Standard Webhooks",
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
};

/** Choices of the form in which a sender signs. */
export const FORM_OPTIONS = Object.entries(FORMS);

/** The cause of the runs of a trigger, in a line. */
export function wordsOfCause({ schedule, webhook }: Pick<Trigger, "schedule" | "webhook">): string {
  if (webhook) return `webhooks of ${FORMS[webhook.form]}`;
  if (!schedule) return "by hand";
  if (schedule.type === "once") return `once, at ${schedule.run_at}`;
  return `${schedule.expression} in ${schedule.timezone}`;
}

/** The cause of one run. */
export function wordsOfContext({ trigger_context: cause }: TriggerRun): string {
  switch (cause.type) {
    case "schedule":
      return `due at ${cause.scheduled_at}`;
    case "webhook":
      return `webhook ${cause.sender_id}`;
    case "manual":
      return "by hand";
    default:
      return cause satisfies never;
  }
}

const SKIPPED: Readonly<Record<NonNullable<TriggerRun["skip_reason"]>, string>> = {
  overlap: "the run before had not ended",
  queue_full: "too many runs were waiting",
};

/** Why a run has failed or was left out; empty for any other. */
export function reasonOf({ error, skip_reason }: TriggerRun): string {
  if (error) return error.message;
  return skip_reason === null ? "" : SKIPPED[skip_reason];
}

export const WORDS_OF_OVERLAP: Readonly<Record<Trigger["overlap"], string>> = {
  skip: "a run is left out while the one before goes on",
  queue: "a run waits for the end of the one before",
  allow: "runs go on beside each other",
};

export const WORDS_OF_MISSED: Readonly<Record<Trigger["missed"], string>> = {
  skip: "missed times are left out",
  run_once: "the newest missed time is made up for",
  run_all: "ten missed times at most are made up for",
};

export const WORDS_OF_SESSION: Readonly<Record<NonNullable<Trigger["session"]>["mode"], string>> = {
  new: "a new one for each run",
  kept: "one for all runs",
  keyed: "one for each key",
};
