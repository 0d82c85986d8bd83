/** @module-tag broad */
// After a sign-in, a renewal and failures of each, none of their secrets is in anything that a tenant can read.
import { expect, it, onTestFinished } from "vitest";

import { KNOWN_CLIENT } from "../../support/mcp/authorization-server.ts";
import { allowAll, FOUND, openOwnersDesk } from "../../support/mcp/owners-desk.ts";
import { complete, openPage, type DeskReply } from "../../support/mcp/sign-in-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

it("tokens, codes, verifiers and the client's secret are nowhere to be read", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.stop());
  const { server, desk, ask, askedFirst, connections } = await openOwnersDesk();
  const { key, server_id } = desk;
  const ada = await desk.openSession("ada");
  const codes: string[] = [];
  /** Answers to requests that failed. */
  const told: string[] = [];

  // A client with a secret, and another sign-in with it: the setting ends the grants that there were.
  const { id: client_credential_id } = JSON.parse(
    await ask("POST", "/v1/credentials", {
      type: "tool",
      name: "client",
      secret: KNOWN_CLIENT.secret,
      allowed_hosts: [new URL(server.url).host],
    }),
  ) as { id: string };
  const { id: endpoint } = JSON.parse(
    await ask("POST", "/v1/webhook-endpoints", { url: `${receiver.url}/all/200`, events: ["*"] }),
  ) as { id: string };
  const oauth = {
    grant: "authorization_code",
    owner: "end_user",
    issuer: server.url,
    client_id: KNOWN_CLIENT.id,
    client_credential_id,
  };
  told.push(await ask("PATCH", `/v1/mcp-servers/${server_id}`, { oauth }));
  const remove = await request("DELETE", `/v1/connections/${connections["ada"]}`, { key });
  expect(remove.status).toBe(204);
  const comeBack = async ({ pending }: DeskReply) => {
    const { url = "", connection_id = "" } = pending[0]?.authorization ?? {};
    const { code } = await openPage(await server.signIn(url, "ada"));
    codes.push(code);
    return complete(key, connection_id, code);
  };

  // The issuer refuses the code, with all that it was sent in its reason; then the sign-in is done anew.
  server.lies.echo = true;
  server.lies.refuse = true;
  const first = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const refused = await comeBack(first);
  told.push(JSON.stringify(refused.body));
  expect(refused.status).toBe(502);
  delete server.lies.refuse;
  const anew = await ada.settled(first.id);
  expect((await comeBack(anew)).status).toBe(200);
  await ada.settled(anew.id);
  await ada.say(FOUND);

  // A renewal; an answer of the server that has the token in it; a renewal that is refused.
  server.expireTokens();
  await ada.say(FOUND);
  const { mcp } = server.lies;
  const alone = { input: { order_id: "A-1" }, end_user_id: "ada" };
  for (const status of [500, 200]) {
    server.lies.mcp = ({ headers, body }, response) => {
      const { id, method } = (body ?? {}) as { id?: string; method?: string };
      if (method !== "tools/call") return false;
      const message = `I was sent ${String(headers["authorization"])}, with status ${status}`;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } }));
      return true;
    };
    await ada.say(FOUND);
    told.push(await ask("POST", `/v1/mcp-servers/${server_id}/tools/find_order/call`, alone));
  }
  server.lies.mcp = mcp;
  const { person, asked } = await askedFirst("ada");
  server.revokeAll();
  told.push(await ask("POST", `${person.path}/events`, allowAll(asked)));
  const waiting = await person.settled(asked.id);
  expect(waiting.status).toBe("awaiting_external_result");
  await receiver.waitFor("/all/200", 8);

  const ofSessions = [ada, person].flatMap(({ path }) => [
    path,
    ...["events?limit=100", "messages", "state", "context", "replies", "decisions"].map(
      (name) => `${path}/${name}`,
    ),
    ...["shared-state", "tool-groups", "hooks"].map((name) => `${path}/${name}`),
  ]);
  const replies = [first.id, anew.id].flatMap((id) => [
    `${ada.path}/replies/${id}`,
    `${ada.path}/replies/${id}/diagnostics`,
  ]);
  const read = await Promise.all(
    [
      ...ofSessions,
      ...replies,
      `${person.path}/replies/${asked.id}/diagnostics`,
      "/v1/connections",
      "/v1/confirmations",
      "/v1/decisions",
      "/v1/credentials",
      "/v1/mcp-servers",
      `/v1/mcp-servers/${server_id}`,
      `/v1/mcp-servers/${server_id}/tools?end_user_id=ada`,
      "/v1/audit?limit=100",
      `/v1/webhook-endpoints/${endpoint}/deliveries`,
    ].map(async (path) => [path, await readAll(key, path)] as const),
  );
  const posted = receiver
    .received("/all/200")
    .map(({ text }, index) => [`webhook ${index}`, text] as const);
  const failures = told.map((text, index) => [`failure ${index}`, text] as const);

  const ofRequests = server.tokenRequests.flatMap((one) =>
    ["code", "code_verifier", "refresh_token", "client_secret"].flatMap((name) => one[name] ?? []),
  );
  const client = `${encodeURIComponent(KNOWN_CLIENT.id)}:${encodeURIComponent(KNOWN_CLIENT.secret)}`;
  const secrets = new Set([
    ...server.secrets,
    ...codes,
    ...ofRequests,
    KNOWN_CLIENT.secret,
    client,
  ]);
  const spelled = [...secrets].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    btoa(secret),
  ]);
  const found = [...read, ...posted, ...failures].flatMap(([place, text]) =>
    spelled.filter((secret) => text.includes(secret)).map((secret) => [place, secret]),
  );

  expect(found).toEqual([]);
  // The search had something to find, and somewhere to look.
  expect(server.tokenRequests.map((one) => one["grant_type"])).toEqual(
    expect.arrayContaining(["authorization_code", "refresh_token"]),
  );
  expect(ofRequests.length).toBeGreaterThan(6);
  expect(read.filter(([, text]) => !text.startsWith("200 ")).map(([path]) => path)).toEqual([]);
  expect(JSON.stringify(posted)).toContain("connection.failed");
  expect(JSON.stringify(read)).toContain("I was sent");
});

/** All pages as text, behind the status of the first. */
async function readAll(key: string, path: string): Promise<string> {
  const answer = await openRequest("GET", path, { key });
  const text = await answer.text();
  const { next_page } = JSON.parse(text) as { next_page?: string | null };
  if (typeof next_page !== "string") return `${answer.status} ${text}`;
  const [bare, query = ""] = path.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set("page", next_page);
  return `${answer.status} ${text}${await readAll(key, `${bare}?${parameters.toString()}`)}`;
}
