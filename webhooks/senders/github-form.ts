// GitHub: the body alone is signed. Neither the time nor the delivery's id is, so that a delivery that somebody has read on
// its way can be sent again under another id; the address has HTTPS for that.
import { findTextProblem, isSigned, makeHexSecret } from "./hex-signature.ts";
import { malformed, readFormOrJson } from "./read-payload.ts";
import type { SenderForm } from "./sender-form.ts";

export const GITHUB_FORM: SenderForm = {
  findSecretProblem: findTextProblem,
  makeSecret: makeHexSecret,
  async verify({ headers, text }, secrets) {
    // Never `X-Hub-Signature`, which is SHA-1.
    const [, digits] = /^sha256=(.*)$/.exec(headers.get("X-Hub-Signature-256") ?? "") ?? [];
    const signatures = digits === undefined ? [] : [digits];
    return { type: (await isSigned({ secrets, signatures, content: text })) ? "valid" : "invalid" };
  },
  read(delivery) {
    const { headers } = delivery;
    if (headers.get("X-GitHub-Event") === "ping") return { type: "ping" };
    const sender_id = headers.get("X-GitHub-Delivery") ?? "";
    if (sender_id === "") return malformed("send the header X-GitHub-Delivery");
    const read = readFormOrJson(delivery);
    return read.type === "malformed" ? read : { type: "event", sender_id, payload: read.payload };
  },
};
