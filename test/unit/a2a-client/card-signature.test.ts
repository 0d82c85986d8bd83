// Signatures of cards, judged by the protocol's own SDK: what it has signed is verified here.
import { AgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import { expect, it } from "vitest";

import { canonicalJson } from "../../../protocol/a2a/canonical-json.ts";
import { isSignedBy } from "../../../a2a/cards/card-signature.ts";
import { resolveCard } from "../../../a2a/cards/resolve-card.ts";
import type { PinnedKey } from "../../../protocol/a2a/remote-agent.ts";

const CARD = {
  name: "Desk",
  description: "Refunds für alle.",
  version: "3",
  supportedInterfaces: [
    { url: "https://desk.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: false, extensions: [{ uri: "urn:x", params: { b: 1, a: [] } }] },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "refund", name: "Refund", description: "Pays back.", tags: ["money"] }],
};

type Signed = Readonly<Record<string, unknown>>;

async function keyPair(alg: "ES256" | "ES384" | "EdDSA" | "RS256" | "PS256", kid = "key-1") {
  const settings = {
    ES256: { name: "ECDSA", namedCurve: "P-256" },
    ES384: { name: "ECDSA", namedCurve: "P-384" },
    EdDSA: { name: "Ed25519" },
    RS256: RSA("RSASSA-PKCS1-v1_5"),
    PS256: RSA("RSA-PSS"),
  }[alg];
  const uses = ["sign", "verify"] as const;
  const pair = await crypto.subtle.generateKey(settings as { name: string }, true, [...uses]);
  if (!("privateKey" in pair)) throw new Error("this algorithm has one key");
  const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const pinned = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e, kid })) as PinnedKey;
  const header = { alg, kid, typ: "JOSE" };
  const sign = async (card: object): Promise<Signed> => {
    const signed = await generateAgentCardSignature(
      pair.privateKey,
      header,
    )(AgentCard.fromJSON(card));
    return { ...card, signatures: (AgentCard.toJSON(signed) as Signed)["signatures"] };
  };
  return { pinned, sign };
}

function RSA(name: string) {
  const publicExponent = new Uint8Array([1, 0, 1]);
  return { name, modulusLength: 2_048, publicExponent, hash: "SHA-256" };
}

it.each(["ES256", "ES384", "EdDSA", "RS256", "PS256"] as const)(
  "a card that the SDK has signed by %s is verified, and another one is not",
  async (alg) => {
    const { pinned, sign } = await keyPair(alg);
    const other = await keyPair(alg);
    const signed = await sign(CARD);

    expect(await isSignedBy(signed, [other.pinned, pinned])).toBe(true);
    expect(await isSignedBy(signed, [other.pinned])).toBe(false);
    expect(await isSignedBy({ ...signed, name: "Thief" }, [pinned])).toBe(false);
    expect(await isSignedBy({ ...signed, extra: "unsigned" }, [pinned])).toBe(false);
  },
);

it("8.4.3-1: a key with another id is not the one that has signed", async () => {
  const { pinned, sign } = await keyPair("ES256");
  const signed = await sign(CARD);
  const { kid: _, ...nameless } = pinned;

  expect(await isSignedBy(signed, [{ ...pinned, kid: "key-2" }])).toBe(false);
  expect(await isSignedBy(signed, [nameless])).toBe(true);
});

it.each<[string, unknown]>([
  ["no signatures", CARD],
  [
    "signatures of another type",
    { ...CARD, signatures: [null, 5, { protected: {}, signature: 1 }] },
  ],
  ["no algorithm", { ...CARD, signatures: [{ protected: btoa('{"alg":"none"}'), signature: "" }] }],
  [
    "an unknown algorithm",
    { ...CARD, signatures: [{ protected: btoa('{"alg":"toString"}'), signature: "AA" }] },
  ],
  ["no card", null],
])("%s are no proof", async (_, card) => {
  const { pinned } = await keyPair("ES256");

  expect(await isSignedBy(card, [pinned])).toBe(false);
});

it("8.4.3-2: a pinned key that has not signed refuses the card", async () => {
  const { pinned, sign } = await keyPair("ES256");
  const other = await keyPair("ES256");
  const ports = { outgoing: fetch, secrets: () => ({ ok: true, secret: "x" }) as const };
  const card = { inline: (await sign(CARD)) as never };
  const { signal } = new AbortController();

  expect(await resolveCard({ card, pinned_keys: [pinned] }, ports, signal)).toMatchObject({
    ok: true,
  });
  expect(await resolveCard({ card, pinned_keys: [other.pinned] }, ports, signal)).toEqual({
    ok: false,
    kind: "permission_refused",
    reason: "The agent's card is signed by none of the keys that the definition pins.",
  });
});

it("canonical JSON is that of RFC 8785", () => {
  const value = { "\u20ac": 1, "\r": "\u000f\n", a: [56.0, 1e30, { z: null, y: true }], "1": 4.5 };

  expect(canonicalJson(value)).toBe(
    '{"\\r":"\\u000f\\n","1":4.5,"a":[56,1e+30,{"y":true,"z":null}],"\u20ac":1}',
  );
});
