// Posts of an agent whose task a call waits for: they make the next look due, and nothing else.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { REMOTE_PUSH_LOOK_MS } from "../../../protocol/a2a/client-limits.ts";
import { openRemotePush, remotePushAddress } from "../../../storage/a2a/remote-push-address.ts";
import { ask, refusalOf } from "../support/api.ts";
import { openPushedCall } from "../support/pushed-call.ts";
import { changeTenant } from "../support/tenant-use.ts";

const UNKNOWN = { status: 404, code: "not_found", pointers: undefined };

test("13.2-3: a notification is answered when the look that it makes due is on disk, once a second at most", async () => {
  const { headers, lookAt, pushPath } = await openPushedCall();
  const [before, beganMs] = [await lookAt(), Date.now()];
  const looks: number[] = [];
  for (let posts = 0; posts < 3; posts += 1) {
    expect((await ask("POST", pushPath, { headers })).status).toBe(204);
    looks.push((await lookAt()) ?? 0);
  }

  const [first = 0, ...others] = looks;
  expect(before).toBe(0);
  expect(first).toBeGreaterThanOrEqual(beganMs);
  // One that waits is enough; on a slow machine it has been made meanwhile.
  const apart = others.map((look, index) => look - (looks[index] ?? 0));
  expect(apart.filter((ms) => ms > 0 && ms < REMOTE_PUSH_LOOK_MS)).toEqual([]);
  expect(apart[0]).toBeGreaterThanOrEqual(REMOTE_PUSH_LOOK_MS);
});

test("a post of a suspended tenant's agent is refused, and what has expired, or never was, is unknown", async () => {
  const { headers, lookAt, pushPath, session, tenantId } = await openPushedCall();
  const claims = { tenant_id: tenantId, session_id: session.id, push_id: "other" };
  const made = async (about: object, exp: number) => {
    const { url, secret } = await remotePushAddress(env, "https://api.test", {
      ...claims,
      ...about,
      exp,
    });
    const own = { "X-A2A-Notification-Token": secret };
    return refusalOf(await ask("POST", new URL(url).pathname, { headers: own }));
  };
  const later = Date.now() + 3_600_000;

  expect([
    await made({}, later),
    await made({}, Date.now() - 1),
    await made({ session_id: "ses_1" }, later),
    await made({ tenant_id: "ten_1" }, later),
  ]).toEqual([UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]);
  await changeTenant(tenantId, { status: "suspended" });
  const refused = await ask("POST", pushPath, { headers });
  expect([refused.status, refused.json.code]).toEqual([403, "tenant_suspended"]);
  expect((await lookAt()) ?? 0).toBe(0);
  await changeTenant(tenantId, { status: "closed" });
  expect(refusalOf(await ask("POST", pushPath, { headers }))).toEqual(UNKNOWN);
});

test("an address outlives a rotation of the pepper while the old one is accepted", async () => {
  const [old, fresh] = [
    "an old pepper of thirty-two characters",
    "a new pepper of thirty-two characters",
  ];
  const bindings = (current: string, previous?: string) =>
    ({ KEY_PEPPER: current, KEY_PEPPER_PREVIOUS: previous }) as Env;
  const exp = Date.now() + 3_600_000;
  const claims = { tenant_id: "ten_1", session_id: "ses_1", push_id: "p", exp };
  const { url, secret } = await remotePushAddress(bindings(old), "https://api.test", claims);
  const token = url.slice(url.lastIndexOf("/") + 1);
  const open = (peppers: Env) => openRemotePush(peppers, token, ["", secret], Date.now());

  expect(await open(bindings(fresh, old))).toEqual(claims);
  expect(await open(bindings(fresh))).toBeNull();
});
