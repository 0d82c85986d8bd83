import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  openToken,
  signToken,
  type CallbackClaims,
  type ClientTokenClaims,
} from "../../../storage/signed-token.ts";

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
      { numRuns: 8 },
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
