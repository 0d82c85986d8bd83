// Slack: events as JSON, slash commands and buttons as forms, and a challenge that proves the address.
import { MAX_CHALLENGE_CHARACTERS } from "../../protocol/triggers/limits.ts";
import { findTextProblem, isSeconds, isSigned, makeHexSecret, timely } from "./hex-signature.ts";
import { malformed, readFormOrJson, textOf } from "./read-payload.ts";
import type { SenderForm } from "./sender-form.ts";

export const SLACK_FORM: SenderForm = {
  findSecretProblem: findTextProblem,
  makeSecret: makeHexSecret,
  async verify({ headers, text }, secrets, nowMs) {
    const time = headers.get("X-Slack-Request-Timestamp") ?? "";
    const [, digits] = /^v0=(.*)$/.exec(headers.get("X-Slack-Signature") ?? "") ?? [];
    if (digits === undefined || !isSeconds(time)) return { type: "invalid" };
    const content = `v0:${time}:${text}`;
    const isGood = await isSigned({ secrets, signatures: [digits], content });
    return isGood ? timely(time, nowMs) : { type: "invalid" };
  },
  read(delivery) {
    const read = readFormOrJson(delivery);
    if (read.type === "malformed") return read;
    const { payload } = read;
    if (textOf(payload, "type") === "url_verification") {
      const challenge = textOf(payload, "challenge") ?? "";
      const isShort = challenge !== "" && challenge.length <= MAX_CHALLENGE_CHARACTERS;
      return isShort ? { type: "challenge", challenge } : malformed("the challenge has no text");
    }
    if (textOf(payload, "ssl_check") === "1") return { type: "ping" };
    // Slash commands and buttons have the id of what the person did in place of an event's.
    const sender_id = textOf(payload, "event_id") ?? textOf(payload, "trigger_id");
    return sender_id === null
      ? malformed("the payload has neither an event_id nor a trigger_id")
      : { type: "event", sender_id, payload };
  },
};
