import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { ConsoleAccess } from "../../../protocol/console/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import { CONSOLE_LINK_MS } from "../../../protocol/keys/limits.ts";
import { OPERATOR_RIGHTS } from "../../../protocol/members/operator-roles.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { LIMIT, smallLimit } from "../support/small-limit.ts";
import { changeTenant } from "../support/tenant-use.ts";
import {
  Browser,
  makeLink,
  openConsole,
  openOperatorConsole,
  reasonOf,
  secretOf,
} from "./browser.ts";

afterEach(() => vi.restoreAllMocks());

const USED = { status: 401, code: "unauthenticated", reason: "link_used" };

describe("a sign-in link", () => {
  test("has its secret in the fragment, and names its tenant and scopes", async () => {
    const { id, call } = await makeTenant();
    const link = await makeLink(call, { scopes: ["sessions:read", "sessions:read"] });

    expect(link).toEqual({
      id: expect.stringMatching(/^cse_[0-9a-z]{26}$/),
      tenant_id: id,
      scopes: ["sessions:read"],
      created_at: expect.any(String),
      expires_at: new Date(Date.parse(link.created_at) + CONSOLE_LINK_MS).toISOString(),
      url: expect.stringMatching(/^https:\/\/api\.test\/console\/sign-in#cl_[\w-]{43}$/),
    });
  });

  test("opens one session, however many browsers use it at once", async () => {
    const { call } = await makeTenant();
    const link = await makeLink(call);
    const browsers = Array.from({ length: 8 }, () => new Browser());

    const answers = await Promise.all(browsers.map((browser) => browser.signIn(link)));
    const signedIn = browsers.filter(({ cookie }) => cookie !== undefined);

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 204).map(reasonOf)).toEqual(
      Array.from({ length: 7 }, () => USED),
    );
    expect(signedIn).toHaveLength(1);
  });

  test("shows whose console it opens, and is not used by that", async () => {
    const { id, call } = await makeTenant("Acme");
    const link = await makeLink(call);
    const browser = new Browser();

    const looks = [
      await browser.post("link", { secret: secretOf(link) }),
      await browser.post("link", { secret: secretOf(link) }),
    ];
    const { status } = await browser.signIn(link);

    const shown = { tenant: { id, name: "Acme" }, expires_at: link.expires_at };
    expect([looks.map(({ json }) => json), status]).toEqual([[shown, shown], 204]);
  });

  test("is refused when it was used, has expired, or was never made", async () => {
    const { link } = await openConsole();
    const { call } = await makeTenant();
    const late = await makeLink(call);
    const browser = new Browser();
    const used = await browser.signIn(link);
    const unknown = await browser.post("session", { secret: `cl_${"A".repeat(43)}` });
    const cut = await browser.post("session", { secret: "" });
    advanceClock(CONSOLE_LINK_MS);
    const expired = await browser.signIn(late);

    expect([used, unknown, cut, expired].map((answer) => reasonOf(answer).reason)).toEqual([
      "link_used",
      "link_unknown",
      "link_unknown",
      "link_expired",
    ]);
    expect(
      [used, unknown, cut, expired].every(({ json }) => /make a new link/.test(json.detail!)),
    ).toBe(true);
    expect(browser.cookie).toBeUndefined();
  });

  test("is refused when the key that made it is revoked, or the tenant stopped", async () => {
    const { id, call } = await makeTenant();
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    const [link, other] = [await makeLink({ key: key.api_key }), await makeLink(call)];
    await ask("DELETE", `/v1/api-keys/${key.id}`, call);
    const revoked = await new Browser().signIn(link);
    await changeTenant(id, { status: "suspended" });
    const suspended = await new Browser().signIn(other);

    expect([revoked, suspended].map(reasonOf)).toEqual([
      { status: 401, code: "unauthenticated", reason: "key_revoked" },
      { status: 403, code: "tenant_suspended", reason: undefined },
    ]);
  });

  test("has no scope that its key lacks, and the operator's has none", async () => {
    const { call } = await makeTenant();
    const scopes = ["keys:write", "sessions:read"];
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes },
    });
    const narrow = await ask("POST", "/v1/console-links", {
      key: key.api_key,
      json: { scopes: ["agents:write"] },
    });
    const operator = await ask("POST", "/v1/console-links", {
      ...OPERATOR,
      json: { scopes: ["agents:write"] },
    });

    expect([narrow, operator].map(refusalOf)).toEqual([
      { status: 403, code: "insufficient_scope", pointers: ["#/scopes/0"] },
      { status: 400, code: "validation_failed", pointers: ["#/scopes"] },
    ]);
    expect((await makeLink({ key: key.api_key })).scopes).toEqual(scopes);
  });

  test("of a tenant opens nothing at the operator's path, nor the other way round", async () => {
    const { call } = await makeTenant();
    const [tenant, operator] = [await makeLink(call), await makeLink(OPERATOR)];

    const crossed = [
      await new Browser("/operator").signIn(tenant),
      await new Browser("/console").signIn(operator),
    ];

    expect(crossed.map((answer) => reasonOf(answer).reason)).toEqual([
      "link_unknown",
      "link_unknown",
    ]);
    expect(new URL(operator.url).pathname).toBe("/operator/sign-in");
  });

  test("is stored as a hash, and so is the session's secret", async () => {
    const { link, browser } = await openConsole();
    const { results } = await env.DB.prepare("SELECT * FROM console_sessions").all();
    const stored = JSON.stringify(results);

    expect(stored).toContain(link.id);
    expect(stored).not.toContain(secretOf(link));
    expect(stored).not.toContain(browser.cookie!.split("=")[1]);
  });
});

describe("the operator's console", () => {
  test("has the operator's rights, and ends with the operator's key", async () => {
    const { browser } = await openOperatorConsole();
    const access = await browser.exchange();
    const tenants = await ask("GET", "/v1/tenants", access);
    const sessions = await ask("GET", "/v1/sessions", access);
    const rotated = { ...env, OPERATOR_KEY: "another-operator-key-of-the-tests" };
    const after = [
      await ask("GET", "/v1/tenants", { ...access, bindings: rotated }),
      await browser.post("token", {}, {}, rotated),
    ];

    expect([tenants.status, sessions.status, access.session]).toEqual([
      200,
      403,
      {
        id: expect.any(String),
        tenant: null,
        scopes: null,
        rights: OPERATOR_RIGHTS,
        ends_at: expect.any(String),
      },
    ]);
    expect(after.map((answer) => reasonOf(answer).reason)).toEqual(["key_revoked", "key_revoked"]);
  });
});

describe("signing in", () => {
  test("sets a cookie that no script reads, no other site sends and no API request carries", async () => {
    const { signedIn } = await openConsole();

    expect(signedIn.headers.get("Set-Cookie")).toMatch(
      /^__Secure-reprise_console=cs_[\w-]{43}; Max-Age=43200; Path=\/console; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test("never keeps a secret that the browser brought along", async () => {
    const { call } = await makeTenant();
    const browser = new Browser();
    const planted = `__Secure-reprise_console=cs_${"A".repeat(43)}`;
    browser.cookie = planted;
    await browser.signIn(await makeLink(call));
    const fixed = new Browser();
    fixed.cookie = planted;

    expect(browser.cookie).not.toBe(planted);
    expect(reasonOf(await fixed.post("token")).reason).toBe("signed_out");
  });

  test("ends the session that the browser had, with its access tokens", async () => {
    const { browser } = await openConsole();
    const before = { cookie: browser.cookie, access: await browser.exchange() };
    const { id, call } = await makeTenant();
    await browser.signIn(await makeLink(call));
    const after = await browser.exchange();
    const old = new Browser();
    old.cookie = before.cookie;

    expect(after.session.tenant?.id).toBe(id);
    expect(reasonOf(await old.post("token")).reason).toBe("signed_out");
    expect((await ask("GET", "/v1/sessions", before.access)).status).toBe(401);
  });

  test.each([
    ["another site", { Origin: "https://evil.example" }],
    ["another site, told by the browser", { "Sec-Fetch-Site": "cross-site" }],
    ["another host of the same site", { "Sec-Fetch-Site": "same-site" }],
    ["a sandboxed frame", { Origin: "null" }],
    ["no page", { Origin: undefined }],
  ])("is refused to a page of %s, and so is everything else there", async (_, headers) => {
    const { browser } = await openConsole();
    const answers = [];
    for (const name of ["link", "session", "token", "sign-out"] as const) {
      answers.push(await browser.post(name, { secret: "x" }, headers));
    }

    expect(answers.map(refusalOf)).toEqual(
      answers.map(() => ({ status: 403, code: "origin_forbidden", pointers: undefined })),
    );
    expect((await browser.post<ConsoleAccess>("token")).status).toBe(200);
  });

  test("takes JSON alone, which no form can send", async () => {
    const { browser } = await openConsole();
    const answer = await browser.post("session", {}, { "Content-Type": "text/plain" });

    expect(refusalOf(answer)).toEqual({
      status: 415,
      code: "unsupported_media_type",
      pointers: undefined,
    });
  });
});

test("guesses are counted by their address, also those of cookies, and nobody else is slowed down", async () => {
  const bindings: Env = { ...env, ADDRESS_LIMIT: smallLimit() };
  const guess = (address: string, name: "session" | "token") => {
    const body = name === "session" ? { secret: "cl_guess" } : {};
    return new Browser().post(name, body, { "CF-Connecting-IP": address }, bindings);
  };
  const statuses: number[] = [];
  for (let count = 0; count < LIMIT; count += 1) {
    statuses.push((await guess("198.51.100.7", count % 2 ? "token" : "session")).status);
  }
  const [over, other] = [
    await guess("198.51.100.7", "session"),
    await guess("198.51.100.8", "session"),
  ];

  expect(statuses).toEqual(Array.from({ length: LIMIT }, () => 401));
  expect([over.status, other.status]).toEqual([429, 401]);
});

test("links and sessions outlive a rotation of the pepper, until its overlap ends", async () => {
  const { call } = await makeTenant();
  const [link, opened] = [await makeLink(call), await openConsole()];
  const access = await opened.browser.exchange();
  const fresh = "another-pepper-of-the-tests";
  const rotating: Env = { ...env, KEY_PEPPER: fresh, KEY_PEPPER_PREVIOUS: env.KEY_PEPPER };
  const rotated: Env = { ...env, KEY_PEPPER: fresh };
  const browser = new Browser();

  const during = [
    await browser.signIn(link, rotating),
    await browser.post("token", {}, {}, rotating),
    await opened.browser.post("token", {}, {}, rotating),
    await ask("GET", "/v1/sessions", { ...access, bindings: rotating }),
  ];
  const after = [
    await browser.post("token", {}, {}, rotated),
    await opened.browser.post("token", {}, {}, rotated),
    await ask("GET", "/v1/sessions", { ...access, bindings: rotated }),
  ];

  expect(during.map(({ status }) => status)).toEqual([204, 200, 200, 200]);
  expect(after.map(({ status }) => status)).toEqual([200, 401, 401]);
});

test("a link holds all scopes of its key when none are named", async () => {
  const { call } = await makeTenant();

  expect((await makeLink(call)).scopes).toEqual(SCOPES);
});
