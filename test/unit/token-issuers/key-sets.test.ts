// Issuers' keys over time: how often they are read, and which are used meanwhile.
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";

import type { TokenIssuer } from "../../../protocol/token-issuers/contract.ts";
import {
  KEY_SET_CACHE_MS,
  KEY_SET_COOLDOWN_MS,
  KEY_SET_STALE_MS,
} from "../../../protocol/token-issuers/limits.ts";
import { KeySets, KeySetUnavailable } from "../../../worker/token-issuers/key-sets.ts";
import { verifyIssuedToken } from "../../../worker/token-issuers/verify-issued-token.ts";
import { hearLog } from "../../support/hear-log.ts";

const UNREADABLE = "token issuer: its keys could not be read";

const ISSUER: TokenIssuer = {
  id: "tki_1",
  name: "Sign-in",
  issuer: "https://login.example",
  jwks_url: "https://login.example/keys",
  audience: "desk",
  end_user_claim: "sub",
  end_user_prefix: "",
  verbs: ["reply"],
  agent_ids: null,
  allowed_origins: null,
  created_at: "2026-11-23T00:00:00.000Z",
  end_user_share: null,
  created_by: "key_1",
};

async function makeSigner(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid };
  const token = await new SignJWT({ sub: "ada" })
    .setProtectedHeader({ alg: "ES256", kid })
    .setIssuer(ISSUER.issuer)
    .setAudience("desk")
    .setExpirationTime("1h")
    .sign(privateKey);
  return { jwk, token };
}

/** A clock of its own, and an issuer that may be down. */
function world() {
  const state = { nowMs: 0, keys: [] as object[], isDown: false, reads: 0 };
  const keySets = new KeySets(
    async () => {
      state.reads += 1;
      if (state.isDown) throw new Error("down");
      return { keys: state.keys };
    },
    () => state.nowMs,
  );
  const verify = async (token: string) =>
    (await verifyIssuedToken(token, [ISSUER], "https://reprise.example", keySets)).ok;
  return { state, verify };
}

describe("a key set", () => {
  it("is read once for many tokens, and again when it is old", async () => {
    const { state, verify } = world();
    const { jwk, token } = await makeSigner("one");
    state.keys = [jwk];

    const first = [await verify(token), await verify(token), state.reads];
    state.nowMs = KEY_SET_CACHE_MS;
    const later = [await verify(token), state.reads];

    expect([first, later]).toEqual([
      [true, true, 1],
      [true, 2],
    ]);
  });

  it("is read again for a new key, but for a flood of them once in the cooldown", async () => {
    const { state, verify } = world();
    const [old, rotated] = [await makeSigner("old"), await makeSigner("rotated")];
    state.keys = [old.jwk];
    await verify(old.token);
    state.keys = [rotated.jwk];

    const tooSoon = [await verify(rotated.token), state.reads];
    state.nowMs = KEY_SET_COOLDOWN_MS;
    const known = [await verify(rotated.token), await verify(old.token), state.reads];
    const flood = await Promise.all(
      ["a", "b", "c"].map(async (kid) => verify((await makeSigner(kid)).token)),
    );

    expect(tooSoon).toEqual([false, 1]);
    expect(known).toEqual([true, false, 2]);
    expect([flood, state.reads]).toEqual([[false, false, false], 2]);
  });

  it("is used for a while when its address is down, and not for ever", async () => {
    const log = hearLog();
    const { state, verify } = world();
    const { jwk, token } = await makeSigner("one");
    state.keys = [jwk];
    await verify(token);
    state.isDown = true;

    state.nowMs = KEY_SET_CACHE_MS + KEY_SET_STALE_MS - 1;
    const stale = await verify(token);
    state.nowMs += KEY_SET_COOLDOWN_MS;

    expect(stale).toBe(true);
    await expect(verify(token)).rejects.toThrow(KeySetUnavailable);
    expect(log).toEqual([UNREADABLE, UNREADABLE]);
  });

  it("that was never there is asked for once in the cooldown", async () => {
    const log = hearLog();
    const { state, verify } = world();
    const { jwk, token } = await makeSigner("one");
    state.isDown = true;

    await expect(verify(token)).rejects.toThrow(KeySetUnavailable);
    await expect(verify(token)).rejects.toThrow(KeySetUnavailable);
    const reads = state.reads;
    Object.assign(state, { isDown: false, keys: [jwk], nowMs: KEY_SET_COOLDOWN_MS });

    expect([reads, await verify(token), state.reads]).toEqual([1, true, 2]);
    expect(log).toEqual([UNREADABLE]);
  });

  it("that is read for the first time is read once, however many tokens come meanwhile", async () => {
    const { jwk, token } = await makeSigner("one");
    const released = Promise.withResolvers<void>();
    let reads = 0;
    const keySets = new KeySets(async () => {
      reads += 1;
      await released.promise;
      return { keys: [jwk] };
    });
    const verify = async () =>
      (await verifyIssuedToken(token, [ISSUER], "https://reprise.example", keySets)).ok;
    const verified = Promise.all([verify(), verify(), verify()]);
    await expect.poll(() => reads).toBeGreaterThan(0);
    released.resolve();

    expect(await verified).toEqual([true, true, true]);
    expect(reads).toBe(1);
  });

  it("that a read has brought is not lost by another one that began earlier and fails", async () => {
    const log = hearLog();
    const { jwk, token } = await makeSigner("one");
    const first = Promise.withResolvers<void>();
    let nowMs = 0;
    let reads = 0;
    const keySets = new KeySets(
      async () => {
        reads += 1;
        if (reads > 1) return { keys: [jwk] };
        await first.promise;
        throw new Error("down");
      },
      () => nowMs,
    );
    const verify = async () =>
      (await verifyIssuedToken(token, [ISSUER], "https://reprise.example", keySets)).ok;
    const early = verify().catch((error: unknown) => error);
    await expect.poll(() => reads).toBe(1);
    nowMs = KEY_SET_COOLDOWN_MS;
    const late = await verify();
    first.resolve();
    await early;

    expect([late, await verify(), reads]).toEqual([true, true, 2]);
    expect(log).toEqual([UNREADABLE]);
  });
});

describe("a key that cannot be used refuses its tokens:", () => {
  it.each([
    ["no point of its curve", { kty: "EC", crv: "P-256", x: "AAAA", y: "AAAA", alg: "ES256" }],
    ["no number", { kty: "EC", crv: "P-256", x: 1, y: 2, alg: "ES256" }],
    ["too few bits", { kty: "RSA", n: "3".repeat(171), e: "AQAB", alg: "RS256" }],
    ["too many bits", { kty: "RSA", n: "3".repeat(40_000), e: "AQAB", alg: "RS256" }],
  ])("%s", async (_what, key) => {
    const { state, verify } = world();
    const { token } = await makeSigner("bad");
    state.keys = [{ ...key, kid: "bad" }];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const [, payload, signature] = token.split(".");
    const header = encode({ alg: key.alg, kid: "bad" });

    expect(await verify(`${header}.${payload}.${signature}`)).toBe(false);
  });
});
