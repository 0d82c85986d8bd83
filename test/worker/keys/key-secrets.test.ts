import { expect, it } from "vitest";

import { deriveKey } from "../../../storage/secrets/derive-key.ts";
import { hashApiKey } from "../../../worker/auth/key-secrets.ts";

/** HMAC-SHA-256 by another implementation, after the pepper's id: key, pepper, hash. */
const HASHES = [
  [
    "key-1",
    "a-longer-pepper-1",
    "d0400a20:2fb00972293eb622f9aa3b7871ddd2063ccd950a97b2f4868ab222a3ecf14b6f",
  ],
  [
    "key-1",
    "a-longer-pepper-2",
    "f689f87b:02868d9a6ddbeb08a0ff6b427d65dc3220ac8486d8aed06453ce2ced3f490dbd",
  ],
  [
    "key-2",
    "a-longer-pepper-1",
    "d0400a20:2512e3b7ccb25f1459729e8e85d2f9eb90ec6644664ef9f73e9a6dd1a6b46103",
  ],
] as const;

it("a key is hashed with the pepper that is given, also while others are hashed with another", async () => {
  const asked = [...HASHES, ...HASHES.toReversed(), ...HASHES];

  const hashes = await Promise.all(asked.map(([key, pepper]) => hashApiKey(key, pepper)));

  expect(hashes).toEqual(asked.map(([, , hash]) => hash));
});

it("no key is hashed without a pepper", async () => {
  await hashApiKey("key-1", "a-longer-pepper-1");

  await expect(hashApiKey("key-1", "")).rejects.toThrow("KEY_PEPPER is not set");
});

it("no key is hashed, and no token signed, with a pepper that can be guessed", async () => {
  for (const pepper of ["x", "fifteen-letters"]) {
    await expect(hashApiKey("key-1", pepper)).rejects.toThrow("fewer than 16 characters");
    await expect(deriveKey(pepper, "reprise:test")).rejects.toThrow("fewer than 16 characters");
  }
});
