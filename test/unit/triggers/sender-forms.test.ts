// Deliveries in the four forms: good ones, forged, late, changed ones, trials of the address.
import { describe, expect, it } from "vitest";

import { WebhookFormSchema, type WebhookForm } from "../../../protocol/triggers/contract.ts";
import { MAX_SENDER_ID_CHARACTERS } from "../../../protocol/triggers/limits.ts";
import { SENDER_FORMS, takeDelivery } from "../../../webhooks/senders/sender-forms.ts";
import {
  SENDER_SECRETS,
  signDelivery,
  type SignedDelivery,
} from "../../support/sender-signatures.ts";

const FORMS = WebhookFormSchema.options;
const TIMED = ["standard", "stripe", "slack"] as const;
const SECONDS = 1_796_040_000;
const NOW_MS = SECONDS * 1_000;
const PAYLOAD = { issue: { title: "Lamp, broken", number: 7 } };

function take(
  form: WebhookForm,
  { headers, body }: SignedDelivery,
  { secrets = [SENDER_SECRETS[form]], nowMs = NOW_MS } = {},
) {
  return takeDelivery(form, { headers: new Headers(headers), text: body }, { secrets, nowMs });
}

function sign(form: WebhookForm, more: object = {}): SignedDelivery {
  return signDelivery(form, { id: "dlv_1", seconds: SECONDS, payload: PAYLOAD, ...more });
}

/** The name of the header with the signature. */
const SIGNATURE = {
  standard: "webhook-signature",
  github: "X-Hub-Signature-256",
  stripe: "Stripe-Signature",
  slack: "X-Slack-Signature",
} as const;

function changed(form: WebhookForm, change: (signature: string) => string): SignedDelivery {
  const { headers, body } = sign(form);
  const name = SIGNATURE[form];
  return { headers: { ...headers, [name]: change(headers[name] ?? "") }, body };
}

describe.each(FORMS)("a delivery in the form %s", (form) => {
  it("is taken with the sender's id and its payload", async () => {
    const taken = await take(form, sign(form));

    expect(taken).toMatchObject({ type: "event", sender_id: "dlv_1", payload: PAYLOAD });
  });

  it("is signed by one of two secrets while one takes the other's place", async () => {
    const other = SENDER_FORMS[form].makeSecret();
    const secrets = [other, SENDER_SECRETS[form]];
    const own = await take(form, sign(form), { secrets });
    const fresh = await take(form, sign(form, { secret: other }), { secrets });
    const none = await take(form, sign(form), { secrets: [other] });

    expect([own.type, fresh.type, none.type]).toEqual(["event", "event", "invalid"]);
    expect((await take(form, sign(form), { secrets: [] })).type).toBe("invalid");
    expect((await take(form, sign(form), { secrets: [""] })).type).toBe("invalid");
  });

  it("is refused with a changed body, secret or signature, and without one", async () => {
    const { headers, body } = sign(form);
    const last = (text: string) => text.slice(0, -2) + (text.endsWith("0=") ? "4=" : "0=");
    const digit = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");
    const forged: readonly SignedDelivery[] = [
      { headers, body: body.replace("Lamp", "Lump") },
      { headers, body: `${body} ` },
      sign(form, { secret: SENDER_FORMS[form].makeSecret() }),
      changed(form, form === "standard" ? last : digit),
      changed(form, (text) => text.toUpperCase()),
      changed(form, () => ""),
      changed(form, (text) => text.slice(0, -10)),
      changed(form, (text) => text.replace("v1", "v2").replace("v0=", "v1=").replace("256", "1")),
      { headers: { "content-type": "application/json" }, body },
    ];
    const types = await Promise.all(forged.map(async (one) => (await take(form, one)).type));

    expect(types).toEqual(forged.map(() => "invalid"));
  });

  it("is malformed, and begins nothing, where its payload cannot be read", async () => {
    const bodies = ["", "{", "[".repeat(100) + "]".repeat(100), `[${"0,".repeat(60_000)}0]`];
    const types = await Promise.all(
      bodies.map(async (body) => (await take(form, sign(form, { body }))).type),
    );

    expect(types).toEqual(bodies.map(() => "malformed"));
  });

  it("has an id that can be kept", async () => {
    const id = "x".repeat(MAX_SENDER_ID_CHARACTERS);

    expect((await take(form, sign(form, { id }))).type).toBe("event");
    expect((await take(form, sign(form, { id: `${id}x` }))).type).toBe("malformed");
  });

  it("has a secret that the platform can make, and a given one that fits the form", () => {
    const sender = SENDER_FORMS[form];

    expect(new Set([sender.makeSecret(), sender.makeSecret()]).size).toBe(2);
    expect(sender.findSecretProblem(sender.makeSecret())).toBeNull();
    expect(sender.findSecretProblem(SENDER_SECRETS[form])).toBeNull();
    for (const wrong of [" secret-with-space", "secret-with-space ", "schlüssel-wort", ""]) {
      expect(sender.findSecretProblem(wrong)).not.toBeNull();
    }
  });
});

describe.each(TIMED)("the time of a delivery in the form %s", (form) => {
  it("is five minutes away at most, in both directions", async () => {
    const typeAt = async (secondsAway: number) =>
      (await take(form, sign(form), { nowMs: NOW_MS + secondsAway * 1_000 })).type;

    expect(await Promise.all([300, -300, 301, -301, 86_400].map(typeAt))).toEqual([
      "event",
      "event",
      "untimely",
      "untimely",
      "untimely",
    ]);
  });

  it("is signed: another one fits nothing", async () => {
    const { headers, body } = sign(form);
    const fresh = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.replace(String(SECONDS), String(SECONDS + 400)),
      ]),
    );

    expect(await take(form, { headers: fresh, body }, { nowMs: NOW_MS + 400_000 })).toEqual({
      type: "invalid",
    });
  });
});

describe("Standard Webhooks", () => {
  it("signs the id, so that a delivery cannot come again under another one", async () => {
    const { headers, body } = sign("standard");

    expect(
      await take("standard", { headers: { ...headers, "webhook-id": "dlv_2" }, body }),
    ).toEqual({
      type: "invalid",
    });
    expect(await take("standard", { headers: { ...headers, "webhook-id": "" }, body })).toEqual({
      type: "invalid",
    });
  });

  it("takes any of several signatures, and none of another version", async () => {
    const several = changed("standard", (text) => `v1a,x v1,${"A".repeat(43)}= ${text}`);

    expect((await take("standard", several)).type).toBe("event");
  });
});

describe("GitHub", () => {
  it("signs as its documentation says", async () => {
    const { headers } = signDelivery("github", { id: "1", seconds: 0, body: "Hello, World!" });

    expect(headers["X-Hub-Signature-256"]).toBe(
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    );
  });

  it("sends a form whose field is the payload, where it is told to", async () => {
    const form = sign("github", {
      contentType: "application/x-www-form-urlencoded; charset=utf-8",
      body: `payload=${encodeURIComponent(JSON.stringify(PAYLOAD))}`,
    });

    expect(await take("github", form)).toEqual({
      type: "event",
      sender_id: "dlv_1",
      payload: PAYLOAD,
    });
  });

  it("tries the address with a ping, and names each delivery", async () => {
    const { headers, body } = sign("github");
    const { "X-GitHub-Delivery": _, ...unnamed } = headers;

    expect(
      await take("github", { headers: { ...headers, "X-GitHub-Event": "ping" }, body }),
    ).toEqual({ type: "ping" });
    expect(await take("github", { headers: unnamed, body })).toMatchObject({ type: "malformed" });
  });

  it("signs with SHA-1 as well, which proves nothing", async () => {
    const { headers, body } = sign("github");
    const { "X-Hub-Signature-256": signature = "", ...others } = headers;
    const old = { ...others, "X-Hub-Signature": signature.replace("sha256", "sha1") };

    expect((await take("github", { headers: old, body })).type).toBe("invalid");
  });
});

describe("Stripe", () => {
  it("has one time and any of several signatures in its header, and versions of tests", async () => {
    const v0 = `v0=${"0".repeat(64)}`;
    const several = changed("stripe", (text) => `${v0},${text},v1=${"0".repeat(64)}, ${v0}`);
    const doubled = changed("stripe", (text) => `${text},t=${SECONDS}`);
    const only = changed("stripe", (text) => text.replace("v1=", "v0="));

    expect((await take("stripe", several)).type).toBe("event");
    expect((await take("stripe", doubled)).type).toBe("invalid");
    expect((await take("stripe", only)).type).toBe("invalid");
  });

  it("names its event in the payload, and has a trial", async () => {
    const nameless = sign("stripe", { body: JSON.stringify({ type: "charge.failed" }) });
    const ping = sign("stripe", { payload: { type: "v2.core.event_destination.ping" } });

    expect((await take("stripe", nameless)).type).toBe("malformed");
    expect(await take("stripe", ping)).toEqual({ type: "ping" });
  });
});

describe("Slack", () => {
  it("signs as its documentation says", () => {
    const body =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const { headers } = signDelivery("slack", { id: "", seconds: 1_531_420_618, body });

    expect(headers["X-Slack-Signature"]).toBe(
      "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    );
  });

  it("sends a command as a form, which has the id of what the person did", async () => {
    const command = sign("slack", {
      contentType: "application/x-www-form-urlencoded",
      body: "command=%2Frefund&text=A-1003&trigger_id=398738663015.47",
    });

    expect(await take("slack", command)).toEqual({
      type: "event",
      sender_id: "398738663015.47",
      payload: { command: "/refund", text: "A-1003", trigger_id: "398738663015.47" },
    });
  });

  it("asks for its challenge back, signed like all else", async () => {
    const asked = {
      type: "url_verification",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
    };
    const challenge = sign("slack", { payload: asked });
    const forged = sign("slack", { payload: asked, secret: "another-secret" });
    const long = sign("slack", { payload: { ...asked, challenge: "x".repeat(300) } });

    expect(await take("slack", challenge)).toEqual({
      type: "challenge",
      challenge: asked.challenge,
    });
    expect((await take("slack", forged)).type).toBe("invalid");
    expect((await take("slack", long)).type).toBe("malformed");
  });

  it("tries the certificate of a command's address, and names all else", async () => {
    const contentType = "application/x-www-form-urlencoded";
    const trial = sign("slack", { contentType, body: "ssl_check=1&token=x" });
    const nameless = sign("slack", { body: JSON.stringify({ type: "app_rate_limited" }) });

    expect(await take("slack", trial)).toEqual({ type: "ping" });
    expect((await take("slack", nameless)).type).toBe("malformed");
  });
});
