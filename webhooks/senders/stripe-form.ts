// Stripe: the time of an attempt is signed with the body, which has the event's id.
import { findTextProblem, isSeconds, isSigned, makeHexSecret, timely } from "./hex-signature.ts";
import { malformed, readJsonPayload, textOf } from "./read-payload.ts";
import type { SenderForm } from "./sender-form.ts";

/** The trial that a person can send from Stripe's dashboard. */
const PING = "v2.core.event_destination.ping";

export const STRIPE_FORM: SenderForm = {
  findSecretProblem: findTextProblem,
  makeSecret: () => `whsec_${makeHexSecret()}`,
  async verify({ headers, text }, secrets, nowMs) {
    const { times, signatures } = readHeader(headers.get("Stripe-Signature") ?? "");
    const [time] = times;
    if (time === undefined || times.length !== 1 || !isSeconds(time)) return { type: "invalid" };
    // The secret's characters are the key, its whsec_ among them.
    const isGood = await isSigned({ secrets, signatures, content: `${time}.${text}` });
    return isGood ? timely(time, nowMs) : { type: "invalid" };
  },
  read({ text }) {
    const read = readJsonPayload(text);
    if (read.type === "malformed") return read;
    const { payload } = read;
    if (textOf(payload, "type") === PING) return { type: "ping" };
    const sender_id = textOf(payload, "id");
    return sender_id === null
      ? malformed("the event has no id")
      : { type: "event", sender_id, payload };
  },
};

/** `t=1767225600,v1=…,v1=…,v0=…`: other versions are ignored. */
function readHeader(header: string): {
  readonly times: readonly string[];
  readonly signatures: readonly string[];
} {
  const items = header.split(",").map((item) => item.trim());
  const valuesOf = (name: string) =>
    items.filter((item) => item.startsWith(`${name}=`)).map((item) => item.slice(name.length + 1));
  return { times: valuesOf("t"), signatures: valuesOf("v1") };
}
