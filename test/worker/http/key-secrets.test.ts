import { expect, it } from "vitest";

import { hashApiKey } from "../../../worker/key-secrets.ts";

/** HMAC-SHA-256 by another implementation: key, pepper, hash. */
const HASHES = [
  ["key-1", "pepper-1", "7c2f0e8a422a5855f300e4ebb3b479f45cc83b3c727568326da4d77523087d9f"],
  ["key-1", "pepper-2", "ed0ac314a0df7344852e230dfa505f8c5afffb0768f424636b87b591b3265d6f"],
  ["key-2", "pepper-1", "df49b0a70b7fd6d853c5a66f7e35821fe4af7ab7cc7ef74a54fa3e13c5833626"],
] as const;

it("a key is hashed with the pepper that is given, also while others are hashed with another", async () => {
  const asked = [...HASHES, ...HASHES.toReversed(), ...HASHES];

  const hashes = await Promise.all(asked.map(([key, pepper]) => hashApiKey(key, pepper)));

  expect(hashes).toEqual(asked.map(([, , hash]) => hash));
});

it("no key is hashed without a pepper", async () => {
  await hashApiKey("key-1", "pepper-1");

  await expect(hashApiKey("key-1", "")).rejects.toThrow("KEY_PEPPER");
});
