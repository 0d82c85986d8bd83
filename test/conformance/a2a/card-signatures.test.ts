// Signatures of cards: the canonical form that is signed, and that the A2A SDK verifies it.
import { type AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { decodeProtectedHeader, flattenedVerify, importJWK, type JWK } from "jose";
import { expect, inject, it, vi } from "vitest";

import type { A2aCard, A2aCardSignature } from "../../../protocol/a2a/wire.ts";
import { openA2aDesk } from "../../support/a2a/a2a-desk.ts";
import { request } from "../../support/platform-client.ts";

interface SignedCard {
  readonly card: A2aCard;
  readonly signature: A2aCardSignature;
  readonly key: JWK;
}

/** One card for the tests that need no other. */
let ofAll: Promise<SignedCard> | undefined;
function openSigned(a2a?: object): Promise<SignedCard> {
  if (a2a) return sign(a2a);
  ofAll ??= sign({});
  return ofAll;
}

async function sign(a2a: object): Promise<SignedCard> {
  const desk = await openA2aDesk({ a2a: { enabled: true, ...a2a } });
  const path = `${desk.path}/.well-known/agent-card.json`;
  const { body: card } = await request<A2aCard>("GET", path, { key: desk.key });
  const [signature] = card.signatures ?? [];
  if (signature === undefined) throw new Error("the card is not signed");
  const { kid } = decodeProtectedHeader(signature);
  const { body } = await request<{ keys: JWK[] }>("GET", "/.well-known/a2a-keys.json");
  return { card, signature, key: body.keys.find((known) => known.kid === kid)! };
}

/** RFC 8785 of what has neither numbers with a fraction nor members outside of the BMP. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join()}}`;
}

/** Whether a signature is one of this text. */
async function isOf({ signature, key }: SignedCard, text: string): Promise<boolean> {
  const payload = Buffer.from(text).toString("base64url");
  try {
    await flattenedVerify({ ...signature, payload }, await importJWK(key, "ES256"));
    return true;
  } catch {
    return false;
  }
}

function unsigned({ card }: SignedCard): Partial<A2aCard> {
  const { signatures: _, ...rest } = card;
  return rest;
}

it("8.4.1-1: what is signed is the card in canonical form", async () => {
  const signed = await openSigned();

  expect(await isOf(signed, canonical(unsigned(signed)))).toBe(true);
  expect(await isOf(signed, canonical({ ...unsigned(signed), name: "Another" }))).toBe(false);
});

it("8.4.1-2: the SDK, which rebuilds the canonical form from the proto, verifies the signature", async () => {
  const { card, key } = await openSigned();
  const seen: unknown[] = [];
  const verify = verifyAgentCardSignature((kid, jku) => {
    seen.push([kid, jku]);
    return Promise.resolve(key);
  });
  // Of the JSON: the SDK 1.3.0 loses security schemes of a card that it has decoded before.
  await verify(card as unknown as AgentCard);

  expect(seen).toEqual([[key.kid, `${inject("baseUrl")}/.well-known/a2a-keys.json`]]);
  const changed = { ...card, description: "Another." } as unknown as AgentCard;
  const log = vi.spyOn(console, "debug").mockImplementation(() => {});
  await expect(verify(changed)).rejects.toThrow("No valid signatures");
  log.mockRestore();
});

it("8.4.1-3: optional members that are not set are left out", async () => {
  const { card } = await openSigned();

  expect([Object.keys(card), Object.values(card)].flat()).not.toContain("documentationUrl");
  expect("iconUrl" in card).toBe(false);
  expect(JSON.stringify(card)).not.toContain("null");
});

it("8.4.1-4: optional members that are set are in what is signed", async () => {
  const signed = await openSigned();
  const { capabilities, ...rest } = unsigned(signed);
  const { streaming, ...others } = capabilities!;

  expect(streaming).toBe(true);
  expect(await isOf(signed, canonical({ ...rest, capabilities: others }))).toBe(false);
});

it("8.4.1-5: members that are required are in what is signed", async () => {
  const signed = await openSigned();
  const seen = [];
  for (const name of ["name", "description", "version", "skills", "defaultInputModes"] as const) {
    const { [name]: left, ...rest } = unsigned(signed);
    seen.push([left !== undefined, await isOf(signed, canonical(rest))]);
  }

  expect(seen).toEqual(seen.map(() => [true, false]));
});

it("8.4.1-6: other members at their default are left out", async () => {
  const { card } = await openSigned();
  const text = JSON.stringify(card);

  expect(text).not.toMatch(/:(""|\[\]|\{\})/);
  expect(text).not.toContain('"required":false');
});

it("8.4.1-7: the canonical form sorts members and escapes text as RFC 8785 has it", async () => {
  const description = 'Größe \u20ac \n "quoted" \u0001 🙂';
  const signed = await openSigned({ description });
  const text = canonical(unsigned(signed));

  expect(signed.card.description).toBe(description);
  expect(await isOf(signed, text)).toBe(true);
  expect(await isOf(signed, JSON.stringify(unsigned(signed), undefined, 1))).toBe(false);
});

it("8.4.1-8: signatures are not in what is signed", async () => {
  const signed = await openSigned();

  expect(await isOf(signed, canonical(signed.card))).toBe(false);
});

it("8.4.2-1: a signature's header names the algorithm and the key, which is public", async () => {
  const { signature, key } = await openSigned();

  expect(decodeProtectedHeader(signature)).toEqual({
    alg: "ES256",
    typ: "JOSE",
    kid: key.kid,
    jku: `${inject("baseUrl")}/.well-known/a2a-keys.json`,
  });
  expect(key).toMatchObject({ kty: "EC", crv: "P-256" });
  expect(key).not.toHaveProperty("d");
});
