import { describe, expect, test } from "vitest";
import fc from "fast-check";

import type { SealedSecret, WrappedKey } from "../../../storage/secrets/credential-cipher.ts";
import {
  createTenantKey,
  MasterKeyMissing,
  openSecret,
  rewrapTenantKey,
  sealSecret,
  wrappedKeyStart,
} from "../../../storage/secrets/credential-cipher.ts";
import { openPinnedCredentials } from "../../../storage/credentials/pinned-credentials.ts";
import type { RotatedSecret } from "../../../storage/secrets/rotated-secret.ts";

const masterKey = btoa("a master key that has 32 bytes !");
const tenantId = "ten_1";
const seal = {
  masterKey: { current: masterKey },
  tenantId,
  tenantKey: await createTenantKey(masterKey, tenantId),
};

/** As the version before wrote it. */
function withoutKeyId(wrapped: WrappedKey): WrappedKey {
  return wrapped.replace(/^v2\.\w+\./, "v1.") as WrappedKey;
}

/** One character replaced by another; not the last of a part, whose bits may mean nothing. */
function change(sealed: string, index: number): SealedSecret {
  const places = [...sealed].flatMap((character, place) => {
    const isLast = sealed[place + 1] === undefined || sealed[place + 1] === ".";
    return place < "v1.".length || character === "." || isLast ? [] : [place];
  });
  const place = places[index % places.length] ?? 0;
  const other = sealed[place] === "A" ? "B" : "A";
  return (sealed.slice(0, place) + other + sealed.slice(place + 1)) as SealedSecret;
}

describe("the cipher of credentials", () => {
  test("opens what it sealed, whatever the text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (secret) => {
        expect(await openSecret(await sealSecret(secret, "crd_1", seal), "crd_1", seal)).toBe(
          secret,
        );
      }),
    );
  });

  test("seals the same text differently each time", async () => {
    const sealed = await Promise.all([1, 2].map(() => sealSecret("secret", "crd_1", seal)));

    expect(sealed[0]).not.toBe(sealed[1]);
  });

  test("opens nothing for another id, tenant or key", async () => {
    const sealed = await sealSecret("secret", "crd_1", seal);
    const otherKey = await createTenantKey(masterKey, tenantId);
    const otherMaster = btoa("\u0001".repeat(32));

    const attempts = [
      openSecret(sealed, "crd_2", seal),
      openSecret(sealed, "crd_1", { ...seal, tenantId: "ten_2" }),
      openSecret(sealed, "crd_1", { ...seal, tenantKey: otherKey }),
      openSecret(sealed, "crd_1", { ...seal, masterKey: { current: otherMaster } }),
    ];

    const states = (await Promise.allSettled(attempts)).map(({ status }) => status);
    expect(states).toEqual(attempts.map(() => "rejected"));
  });

  test("opens nothing that was changed in any place", async () => {
    const sealed = await sealSecret("a secret of some length", "crd_1", seal);

    await fc.assert(
      fc.asyncProperty(fc.nat(), async (index) => {
        const changed = change(sealed, index);
        await expect(openSecret(changed, "crd_1", seal)).rejects.toThrow();
      }),
    );
  });

  test("opens under each master key that a rotation accepts, and says when there is none", async () => {
    const sealed = await sealSecret("secret", "crd_1", seal);
    const other = btoa("\u0001".repeat(32));
    const open = (accepted: RotatedSecret, tenantKey: WrappedKey = seal.tenantKey) =>
      openSecret(sealed, "crd_1", { ...seal, tenantKey, masterKey: accepted });
    const outcomes = await Promise.allSettled(
      [withoutKeyId(seal.tenantKey), seal.tenantKey].flatMap((wrapped) => [
        open({ current: other, previous: masterKey }, wrapped),
        open({ current: other, next: masterKey }, wrapped),
        open({ current: other }, wrapped),
      ]),
    );

    expect(
      outcomes.map((outcome) =>
        outcome.status === "fulfilled"
          ? outcome.value
          : MasterKeyMissing.isInstance(outcome.reason),
      ),
    ).toEqual(["secret", "secret", true, "secret", "secret", true]);
  });

  test("wraps a tenant's key anew, and what it has sealed opens as before", async () => {
    const sealed = await sealSecret("secret", "crd_1", seal);
    const other = btoa("\u0001".repeat(32));
    const rotated = { ...seal, masterKey: { current: other, previous: masterKey } };
    const fresh = await rewrapTenantKey({ ...rotated, tenantKey: withoutKeyId(seal.tenantKey) });
    const ended = { ...seal, masterKey: { current: other }, tenantKey: fresh };

    expect([
      fresh.startsWith(await wrappedKeyStart(other)),
      await openSecret(sealed, "crd_1", ended),
    ]).toEqual([true, "secret"]);
  });

  test("opens pinned secrets by the tenant's own row when their master key is gone", async () => {
    const other = btoa("\u0001".repeat(32));
    const rotated = { ...seal, masterKey: { current: other, previous: masterKey } };
    const fresh = await rewrapTenantKey(rotated);
    const pinned = {
      tenant_id: tenantId,
      tenant_key: seal.tenantKey,
      credentials: { crd_1: await sealSecret("secret", "crd_1", seal) },
    };
    const gone = { current: other };
    const opened = await openPinnedCredentials(pinned, gone, () => Promise.resolve(fresh));
    const asked: unknown[] = [];
    await openPinnedCredentials(pinned, seal.masterKey, () => {
      asked.push("D1");
      return Promise.resolve(null);
    });

    expect([opened.get("crd_1")?.secret, asked]).toEqual(["secret", []]);
    await expect(openPinnedCredentials(pinned, gone)).rejects.toThrow("cannot be decrypted");
  });

  test("says what is wrong with the master secret", async () => {
    const broken = ["", "short", btoa("x".repeat(16)), "not base64 !!"];

    const attempts = broken.map((text) => createTenantKey(text, tenantId));

    const reasons = (await Promise.allSettled(attempts)).map((result) =>
      result.status === "rejected" ? (result.reason as Error).message : null,
    );
    const wrongSize = "the secret MASTER_KEY is not 32 bytes in base64";
    expect(reasons).toEqual(["the secret MASTER_KEY is not set", wrongSize, wrongSize, wrongSize]);
  });
});
