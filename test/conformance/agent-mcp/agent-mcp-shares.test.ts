// The share of an end user with JWTs, over MCP: sessions, and replies that run at a time.
import { describe, expect, inject, it } from "vitest";

import { callTool, openMcpDesk, type McpDesk, type ToolResult } from "../../support/mcp-desk.ts";
import { request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { waitFor } from "../../support/wait-for.ts";

/** A desk with an issuer that has this share of its own. */
async function openSignIn(end_user_share: object | null) {
  const desk = await openMcpDesk();
  const issuer = await startTokenIssuer();
  const { status, body } = await request<object>("POST", "/v1/token-issuers", {
    key: desk.key,
    body: { name: "Sign-in", issuer: issuer.issuer, jwks_url: issuer.jwksUrl, end_user_share },
  });
  expect([status, body]).toEqual([201, expect.objectContaining({ end_user_share })]);
  const tokenOf = (sub: string) => issuer.sign({ sub, aud: desk.url.href });
  return { desk, tokenOf };
}

const setShare = ({ tenantId }: McpDesk, end_user_share: object) =>
  request("PATCH", `/v1/tenants/${tenantId}`, {
    key: inject("operatorKey"),
    body: { quotas: { end_user_share } },
  });

const textOf = ({ content }: ToolResult) => content[0]?.text ?? "";

async function usedBy({ key }: McpDesk, id: string) {
  const { body } = await request<{ end_user: { used: Record<string, number> } }>(
    "GET",
    `/v1/limits?end_user_id=${id}`,
    { key },
  );
  return body.end_user.used;
}

describe("sessions of one end user", () => {
  it("of forty that are asked for at once, as many are opened as the issuer's share has", async () => {
    const { desk, tokenOf } = await openSignIn({ sessions: 3 });
    const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];
    const open = (key: string) => callTool(desk, "ask_desk", { message: "/say Hi." }, key);

    const asked = await Promise.all(Array.from({ length: 40 }, () => open(ada)));
    const others = [await open(bob), await open(desk.key)];

    const opened = asked.filter(({ structuredContent }) => structuredContent);
    const refused = asked.filter(({ structuredContent }) => !structuredContent);
    expect([opened.length, refused.length]).toEqual([3, 37]);
    for (const result of refused) {
      expect(textOf(result)).toMatch(
        /^quota_exceeded: this end user's share.*end_user_sessions.*delete sessions.*ask the tenant/,
      );
    }
    expect(others.map(({ isError }) => isError ?? false)).toEqual([false, false]);
    expect((await usedBy(desk, "ada"))["sessions"]).toBe(3);
  });

  it("that are there go on, and one that is deleted makes room", async () => {
    const { desk, tokenOf } = await openSignIn(null);
    await setShare(desk, { sessions: 1 });
    const ada = await tokenOf("ada");
    const ask = (more: object = {}, headers = {}) =>
      callTool(desk, "ask_desk", { message: "/say Hi.", ...more }, ada, headers);
    const keyed = { "idempotency-key": "once" };
    const { structuredContent } = await ask({}, keyed);
    const { session_id = "" } = structuredContent ?? {};

    const repeated = await ask({}, keyed);
    const next = await ask({ session_id });
    const refused = await ask();
    await request("DELETE", `/v1/sessions/${session_id}`, { key: desk.key });
    const again = await ask();

    expect([repeated, next].map((result) => result.structuredContent?.session_id)).toEqual([
      session_id,
      session_id,
    ]);
    expect(textOf(refused)).toMatch(/^quota_exceeded: /);
    expect(again.structuredContent?.status).toBe("completed");
  });

  it("have no limit where the issuer's is null, whatever the tenant's is", async () => {
    const { desk, tokenOf } = await openSignIn({ sessions: null });
    await setShare(desk, { sessions: 0 });

    const opened = await callTool(desk, "ask_desk", { message: "/say Hi." }, await tokenOf("ada"));

    expect(opened.structuredContent?.status).toBe("completed");
  });
});

describe("running replies of one end user", () => {
  it("one more is a failed result that says to wait, and opens when another has ended", async () => {
    const { desk, tokenOf } = await openSignIn({ running_replies: 1 });
    const ada = await tokenOf("ada");
    const slow = { message: "/wait 60000\n/say Late." };
    const running = callTool(desk, "ask_desk", slow, ada);
    const isUsed = (count: number) =>
      waitFor(async () => expect((await usedBy(desk, "ada"))["running_replies"]).toBe(count));
    await isUsed(1);

    const refused = await callTool(desk, "ask_desk", { message: "/say Hi." }, ada);
    const byKey = await callTool(desk, "ask_desk", { message: "/say Hi." });
    const { body } = await request<{ data: { id: string }[] }>(
      "GET",
      "/v1/sessions?end_user_id=ada",
      { key: desk.key },
    );
    for (const { id } of body.data) {
      await request("POST", `/v1/sessions/${id}/interrupt`, { key: desk.key, body: {} });
    }
    await running;
    await isUsed(0);
    const again = await callTool(desk, "ask_desk", { message: "/say Hi." }, ada);

    expect(textOf(refused)).toMatch(
      /^quota_exceeded: .*end_user_running_replies, is 1.*wait until/,
    );
    expect([byKey, again].map(({ structuredContent }) => structuredContent?.status)).toEqual([
      "completed",
      "completed",
    ]);
  });
});
