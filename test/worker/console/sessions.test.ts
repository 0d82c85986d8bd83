import { afterEach, describe, expect, test, vi } from "vitest";

import type { ConsoleAccess } from "../../../protocol/console/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import {
  KEY_CACHE_MS,
  CONSOLE_IDLE_MS,
  CONSOLE_SESSION_MS,
  CONSOLE_TOKEN_MS,
} from "../../../protocol/keys/limits.ts";
import { knownKeys } from "../../../worker/auth/known-keys.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { Browser, makeLink, openConsole, openOperatorConsole, reasonOf } from "./browser.ts";

afterEach(() => vi.restoreAllMocks());

/** Another isolate's view: nothing is known there yet. */
function forgetAll(): void {
  knownKeys.forget(() => true);
}

describe("an access token", () => {
  test("acts for its tenant with the scopes of its link, and finds nothing of another", async () => {
    const { tenant, browser } = await openConsole({ scopes: ["sessions:read", "agents:read"] });
    const access = await browser.exchange();
    const agent = await makeAgent(tenant.call);
    const session = await makeSession(tenant.call, { agent_id: agent.id });
    const other = await makeTenant();
    const foreign = await makeSession(other.call, {
      agent_id: (await makeAgent(other.call)).id,
    });

    const answers = [
      await ask("GET", `/v1/sessions/${session.id}`, access),
      await ask("GET", `/v1/sessions/${foreign.id}`, access),
      await ask("POST", "/v1/sessions", { ...access, json: { agent_id: agent.id } }),
      await ask("GET", "/v1/tenants", access),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 403]);
    expect(access.session).toEqual({
      id: expect.stringMatching(/^cse_/),
      tenant: { id: tenant.id, name: "Shoe shop" },
      scopes: ["sessions:read", "agents:read"],
      ends_at: expect.any(String),
    });
  });

  test("is refused after its minutes, when it was changed, and in a query", async () => {
    const { browser } = await openConsole();
    const access = await browser.exchange();
    const changed = { key: `${access.token.slice(0, -2)}AA` };
    const early = await ask("GET", "/v1/sessions", changed);
    const query = await ask("GET", `/v1/sessions?token=${access.token}`);
    advanceClock(CONSOLE_TOKEN_MS);
    const late = await ask("GET", "/v1/sessions", access);

    expect([early, query, late].map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(late.json.detail).toContain("has expired");
    expect((await browser.post("token")).status).toBe(200);
  });

  test("cannot make a link, so that who has read one cannot sign in again", async () => {
    const { browser } = await openConsole();
    const operator = await openOperatorConsole();

    const answers = [
      await ask("POST", "/v1/console-links", { ...(await browser.exchange()), json: {} }),
      await ask("POST", "/v1/console-links", { ...(await operator.browser.exchange()), json: {} }),
    ];

    expect(answers.map(refusalOf)).toEqual(
      answers.map(() => ({ status: 403, code: "insufficient_scope", pointers: undefined })),
    );
  });
});

describe("a console session", () => {
  test("ends by signing out: its cookie and its tokens open nothing any more", async () => {
    const { browser } = await openConsole();
    const access = await browser.exchange();
    const { cookie } = browser;
    const { status, headers } = await browser.post("sign-out");
    const replayed = new Browser();
    replayed.cookie = cookie;

    expect([status, headers.get("Set-Cookie")]).toEqual([
      204,
      "__Secure-reprise_console=; Max-Age=0; Path=/console; HttpOnly; Secure; SameSite=Strict",
    ]);
    expect(reasonOf(await replayed.post("token")).reason).toBe("signed_out");
    expect((await ask("GET", "/v1/sessions", access)).status).toBe(401);
    expect((await replayed.post("sign-out")).status).toBe(204);
  });

  test.each([
    ["a form", "application/x-www-form-urlencoded", "a=b", 415],
    ["text, as a form may send it", "text/plain", "{}", 415],
    ["nothing", "application/json", "", 400],
    ["members of its own", "application/json", '{"a":1}', 400],
  ])("takes no request whose body is %s, and goes on", async (_case, type, body, status) => {
    const { browser } = await openConsole();
    const headers = {
      Origin: "https://api.test",
      "Sec-Fetch-Site": "same-origin",
      Cookie: browser.cookie ?? "",
      "Content-Type": type,
    };
    const answers = [
      await ask("POST", "/console/sign-out", { headers, body }),
      await ask("POST", "/console/token", { headers, body }),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect((await browser.post("token")).status).toBe(200);
  });

  test("of the operator ends likewise", async () => {
    const { browser } = await openOperatorConsole();
    const access = await browser.exchange();
    await browser.post("sign-out");

    expect(reasonOf(await ask("GET", "/v1/tenants", access)).reason).toBe("signed_out");
  });

  test("ends with the key that made its link, in other isolates half a minute later at most", async () => {
    const { tenant, browser } = await openConsole();
    const access = await browser.exchange();
    const before = await ask("GET", "/v1/sessions", access);
    const { json: keys } = await ask<Page<{ id: string }>>("GET", "/v1/api-keys", tenant.call);
    await ask("DELETE", `/v1/api-keys/${keys.data[0]!.id}`, tenant.call);
    const after = await ask("GET", "/v1/sessions", access);
    forgetAll();
    advanceClock(KEY_CACHE_MS);
    const elsewhere = await ask("GET", "/v1/sessions", access);

    expect([before.status, after.status, elsewhere.status]).toEqual([200, 401, 401]);
    expect(reasonOf(await browser.post("token")).reason).toBe("key_revoked");
  });

  test("is of no use while its tenant is suspended, and after it is closed", async () => {
    const { tenant, browser } = await openConsole();
    const access = await browser.exchange();
    await changeTenant(tenant.id, { status: "suspended" });
    const suspended = [await ask("GET", "/v1/sessions", access), await browser.post("token")];
    await changeTenant(tenant.id, { status: "active" });
    const again = await ask("GET", "/v1/sessions", access);
    await ask("DELETE", `/v1/tenants/${tenant.id}`, OPERATOR);
    const closed = [await ask("GET", "/v1/sessions", access), await browser.post("token")];

    expect(suspended.map(({ json }) => json.code)).toEqual([
      "tenant_suspended",
      "tenant_suspended",
    ]);
    expect(again.status).toBe(200);
    expect(closed.map(({ status }) => status)).toEqual([401, 401]);
  });

  test("ends after an hour without an exchange, and goes on with one", async () => {
    const { browser } = await openConsole();
    advanceClock(CONSOLE_IDLE_MS - 1_000);
    const kept = await browser.post("token");
    advanceClock(CONSOLE_IDLE_MS - 1_000);
    const again = await browser.post("token");
    advanceClock(CONSOLE_IDLE_MS);
    const idle = await browser.post("token");

    expect([kept.status, again.status, reasonOf(idle).reason]).toEqual([
      200,
      200,
      "session_expired",
    ]);
  });

  test("ends after twelve hours, and none of its tokens lasts longer", async () => {
    const { browser } = await openConsole();
    const startedMs = Date.now();
    const half = CONSOLE_IDLE_MS / 2;
    for (let passedMs = half; passedMs < CONSOLE_SESSION_MS; passedMs += half) {
      advanceClock(half);
      await browser.post("token");
    }
    advanceClock(half - 60_000);
    const last = await browser.post<ConsoleAccess>("token");
    advanceClock(60_000);
    const over = await browser.post("token");

    expect(Date.parse(last.json.expires_at) - startedMs).toBeLessThanOrEqual(
      CONSOLE_SESSION_MS + 1_000,
    );
    expect(last.json.expires_at).toBe(last.json.session.ends_at);
    expect(reasonOf(over).reason).toBe("session_expired");
  });

  test("leaves in the audit who signed in, by which link, and what was done", async () => {
    const { tenant, link, browser } = await openConsole();
    const access = await browser.exchange();
    const agent = await makeAgent(access);
    await browser.post("sign-out");
    const { json } = await ask<Page<AuditEntry>>("GET", "/v1/audit", tenant.call);
    const [{ id: keyId }] = (await ask<Page<{ id: string }>>("GET", "/v1/api-keys", tenant.call))
      .json.data as [{ id: string }];
    const actor = { kind: "api_key", id: keyId, console_session_id: link.id };

    expect(json.data.map(({ action, actor: by, target_id }) => [action, by, target_id])).toEqual([
      ["console_session.ended", actor, link.id],
      ["agent.created", actor, agent.id],
      ["console_session.started", actor, link.id],
      ["console_link.created", { kind: "api_key", id: keyId }, link.id],
      ["tenant.created", { kind: "operator", id: null }, tenant.id],
    ]);
  });

  test("of the operator is in the audit of the operator", async () => {
    const { link } = await openOperatorConsole();
    const { json } = await ask<Page<AuditEntry>>(
      "GET",
      `/v1/audit?tenant_id=operator&target_id=${link.id}`,
      OPERATOR,
    );

    expect(json.data.map(({ action, target_id }) => [action, target_id])).toEqual([
      ["console_session.started", link.id],
      ["console_link.created", link.id],
    ]);
  });
});

test("a key that is rotated keeps its console sessions", async () => {
  const { tenant, browser } = await openConsole();
  const { json: keys } = await ask<Page<{ id: string }>>("GET", "/v1/api-keys", tenant.call);
  await ask("POST", `/v1/api-keys/${keys.data[0]!.id}/rotate`, {
    ...tenant.call,
    json: { overlap_ms: 0 },
  });

  expect((await browser.post("token")).status).toBe(200);
  expect(reasonOf(await new Browser().signIn(await makeLink(OPERATOR))).reason).toBe(
    "link_unknown",
  );
});
