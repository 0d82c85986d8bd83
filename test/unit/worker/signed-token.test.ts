import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { deriveKey } from "../../../storage/secrets/derive-key.ts";
import type { RotatedSecret } from "../../../storage/secrets/rotated-secret.ts";
import {
  openToken,
  signToken,
  type CallbackClaims,
  type ClientTokenClaims,
} from "../../../storage/secrets/signed-token.ts";
import { runs } from "../../support/breadth.ts";

const PEPPER = "pepper-of-this-test";
const ACCEPTED = { current: PEPPER };
const NOW = Date.UTC(2026, 10, 21);
const clientToken: ClientTokenClaims = {
  token_id: "tok_1",
  tenant_id: "ten_1",
  session_id: "ses_1",
  verbs: ["read", "confirm"],
  allowed_origins: ["https://shop.example"],
  exp: NOW + 1,
};
const callback: CallbackClaims = {
  tenant_id: "ten_1",
  session_id: "ses_1",
  reply_id: "rep_1",
  tool_call_ids: ["call_1", "Zahlung ü"],
  kind: "permission",
  message_id: "msg_1",
  exp: NOW + 1,
};
const INVALID = { ok: false, reason: "invalid" };

/** As the version before signed: the payload alone. */
async function signWithoutKeyId(claims: object, pepper: string): Promise<string> {
  const key = await deriveKey(pepper, "reprise:signed-token:client_token");
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(payload));
  return `rt_${payload}.${Buffer.from(signature).toString("base64url")}`;
}

/** Every character of a token, as base64url and its neighbours have them. */
const character = fc.constantFrom(
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ü",
);

describe("a signed token", () => {
  test("says what was signed, until it expires", async () => {
    const tokens = [
      await signToken("client_token", clientToken, PEPPER),
      await signToken("callback", callback, PEPPER),
    ];

    expect([
      await openToken("client_token", tokens[0]!, ACCEPTED, NOW),
      await openToken("callback", tokens[1]!, ACCEPTED, NOW),
      await openToken("callback", tokens[1]!, ACCEPTED, NOW + 1),
    ]).toEqual([
      { ok: true, claims: clientToken },
      { ok: true, claims: callback },
      { ok: false, reason: "expired" },
    ]);
    expect(tokens).toEqual([
      expect.stringMatching(/^rt_[\da-f]{8}\.[\w-]+\.[\w-]{43}$/),
      expect.stringMatching(/^cb_[\da-f]{8}\.[\w-]+\.[\w-]{43}$/),
    ]);
  });

  test("is worth nothing once any of its characters is another", async () => {
    const token = await signToken("client_token", clientToken, PEPPER);

    await fc.assert(
      fc.asyncProperty(character, async (other) => {
        for (let index = 0; index < token.length; index += 1) {
          const changed = token.slice(0, index) + other + token.slice(index + 1);
          const { ok } = await openToken("client_token", changed, ACCEPTED, NOW);
          expect([index, ok]).toEqual([index, changed === token]);
        }
      }),
      { numRuns: runs(8) },
    );
  });

  test("has one spelling: no bit of its last character is spare", async () => {
    const token = await signToken("client_token", clientToken, PEPPER);
    const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].map(
      (last) => token.slice(0, -1) + last,
    );

    const opened = [];
    for (const spelling of spellings) {
      const { ok } = await openToken("client_token", spelling, ACCEPTED, NOW);
      if (ok) opened.push(spelling);
    }

    expect(opened).toEqual([token]);
  });

  test("is worth nothing when it is cut off or longer", async () => {
    const token = await signToken("callback", callback, PEPPER);
    const forms = [
      ...Array.from(token, (_, length) => token.slice(0, length)),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      `${token}.${token}`,
    ];

    const verdicts = [];
    for (const form of forms) verdicts.push(await openToken("callback", form, ACCEPTED, NOW));

    expect(verdicts).toEqual(forms.map(() => INVALID));
  });

  test("opens for no other purpose and under no other pepper", async () => {
    const token = await signToken("client_token", clientToken, PEPPER);

    expect([
      await openToken("callback", token, ACCEPTED, NOW),
      await openToken("callback", token.replace("rt_", "cb_"), ACCEPTED, NOW),
      await openToken("client_token", token, { current: `${PEPPER}x` }, NOW),
    ]).toEqual([INVALID, INVALID, INVALID]);
  });

  test("opens under each pepper that a rotation accepts, and under no other", async () => {
    const token = await signToken("client_token", clientToken, PEPPER);
    const opens = async (pepper: RotatedSecret) =>
      (await openToken("client_token", token, pepper, NOW)).ok;

    expect([
      await opens({ current: "another-pepper-1", previous: PEPPER }),
      await opens({ current: "another-pepper-1", next: PEPPER }),
      await opens({ current: "another-pepper-1", previous: "another-pepper-2" }),
    ]).toEqual([true, true, false]);
  });

  test("of before there were key ids opens under each of them, and has no second spelling", async () => {
    const old = await signWithoutKeyId(clientToken, PEPPER);
    const opens = async (token: string, pepper: RotatedSecret) =>
      (await openToken("client_token", token, pepper, NOW)).ok;
    const [, keyId = ""] =
      /^rt_(\w+)\./.exec(await signToken("client_token", clientToken, PEPPER)) ?? [];
    const today = await signToken("client_token", clientToken, PEPPER);

    expect([
      await opens(old, ACCEPTED),
      await opens(old, { current: "another-pepper-1", previous: PEPPER }),
      await opens(old, { current: "another-pepper-1" }),
      await opens(`rt_${keyId}.${old.slice(3)}`, ACCEPTED),
      await opens(today.replace(`${keyId}.`, ""), ACCEPTED),
    ]).toEqual([true, true, false, false, false]);
  });

  test("of any text is refused and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        for (const garbage of [text, `rt_${text}`, `rt_${text}.${text}`]) {
          expect(await openToken("client_token", garbage, ACCEPTED, NOW)).toEqual(INVALID);
        }
      }),
    );
  });

  test("is neither made nor opened without a pepper", async () => {
    const text = "the secret KEY_PEPPER is not set";

    await expect(signToken("callback", callback, "")).rejects.toThrow(text);
    await expect(openToken("callback", "cb_a.b", { current: "" }, NOW)).rejects.toThrow(text);
  });
});
