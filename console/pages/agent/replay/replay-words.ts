// Words for the members of a replay, and how much a reader has to look at each.
import type { ReplayedCall, ReplayStop } from "../../../../sdk/index.ts";

export interface Word {
  readonly text: string;
  readonly tone: "quiet" | "good" | "busy" | "waiting" | "bad";
}

export const CHANGE_WORDS: Readonly<Record<ReplayedCall["change"], Word>> = {
  same: { text: "same call", tone: "quiet" },
  changed: { text: "other input", tone: "waiting" },
  new: { text: "new call", tone: "busy" },
  gone: { text: "not made any more", tone: "bad" },
};

export const APPROVAL_WORDS: Readonly<Record<NonNullable<ReplayedCall["approval"]>, Word>> = {
  still_asked: { text: "asks as before", tone: "quiet" },
  newly_asked: { text: "newly asks", tone: "waiting" },
  skipped: { text: "does not ask any more", tone: "bad" },
  gone: { text: "question gone", tone: "quiet" },
};

export const ANSWER_WORDS: Readonly<Record<NonNullable<ReplayedCall["answered"]>, string>> = {
  recorded: "answered from the record",
  repeated: "answered from the record, once more",
  platform: "answered by the platform",
  assumed_denial: "denied, as you assumed",
  recorded_denial: "denied, as in the record",
  not_answered: "not answered",
};

/** @returns a heading. The platform's own words follow it. */
export function stopWords(reason: ReplayStop["reason"]): string {
  return STOPS[reason] ?? `Stopped: ${reason.replaceAll("_", " ")}`;
}

const STOPS: Readonly<Partial<Record<ReplayStop["reason"], string>>> = {
  no_recorded_result: "Stopped at a call that has no recorded result",
  confirmation_required: "Stopped at a call that asks, and nobody has answered it in the record",
  reply_failed: "Stopped: a model call failed, or a budget was used up",
  deadline: "Stopped: a replay may take three minutes",
  model_calls: "Stopped: a replay may make 100 model calls",
  output_limit: "Stopped: it wrote more than a replay may",
  quota_exceeded: "Stopped by a quota",
  tenant_stopped: "Stopped with the tenant",
  session_deleted: "Stopped: the session was deleted meanwhile",
  recording_unreadable: "Stopped: the recorded reply is too large to read",
};

/** `−12 %`; empty where there was nothing, or nothing has changed. */
export function changeInPercent(before: number, after: number): string {
  if (before === 0 || before === after) return "";
  const percent = ((after - before) / before) * 100;
  const sign = percent > 0 ? "+" : "−";
  return `${sign}${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`;
}
