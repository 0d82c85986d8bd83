/** @module-tag broad */
// Whose sign-in it is: nobody finishes another's, and nobody acts as another.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import {
  complete,
  openPage,
  openSignInDesk,
  resultsOf,
  type Person,
  type SignInDesk,
} from "../../support/mcp/sign-in-desk.ts";
import { createTenant, openRequest, request } from "../../support/platform-client.ts";

const FIND = '/call mcp__wh__find_order {"order_id":"A-1"}';

async function open(oauth?: object) {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  return { server, desk: await openSignInDesk(server, oauth) };
}

async function signIn(
  { server, desk }: Awaited<ReturnType<typeof open>>,
  person: Person,
  subject: string,
  script = "/call mcp__wh__sign_in {}\n/say Thanks.",
) {
  const asked = await person.say(script);
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  const { code } = await openPage(await server.signIn(url, subject));
  return { asked, connection_id, code, finish: () => complete(desk.key, connection_id, code) };
}

it("another end user's token, another tenant's key and a wrong code finish nothing", async () => {
  const opened = await open();
  const { server, desk } = opened;
  const ada = await desk.openSession("ada");
  const bob = await desk.openSession("bob");
  const unnamed = await desk.openSession(null);
  const { connection_id, code, asked } = await signIn(opened, ada, "Ada");
  const stranger = await createTenant();

  expect((await complete(await bob.token(), connection_id, code)).status).toBe(404);
  expect((await complete(await unnamed.token(), connection_id, code)).status).toBe(404);
  expect((await complete(stranger.key, connection_id, code)).status).toBe(404);
  const wrong = await complete(await ada.token(), connection_id, `${code}0`);
  expect([wrong.status, wrong.body.code]).toEqual([409, "conflict"]);
  expect([server.tokenRequests, (await ada.reply(asked.id)).status]).toEqual([
    [],
    "awaiting_external_result",
  ]);

  expect((await complete(await ada.token(), connection_id, code)).status).toBe(200);
  expect((await complete(await ada.token(), connection_id, code)).status).toBe(200);
  expect(server.tokenRequests).toHaveLength(1);
});

it("a state comes back once, and from its own issuer alone", async () => {
  const { server, desk } = await open();
  const ada = await desk.openSession("ada");
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const { url = "" } = asked.pending[0]?.authorization ?? {};
  server.lies.iss = "https://another.example";
  const mixed = await openPage(await server.signIn(url, "Ada"));
  delete server.lies.iss;
  const location = await server.signIn(url, "Ada");
  const without = new URL(location);
  without.searchParams.delete("iss");
  const nameless = await openPage(without.href);
  const first = await openPage(location);
  const again = await openPage(location);
  const unknown = new URL(location);
  unknown.searchParams.set("state", "x");

  expect([mixed.status, nameless.status, first.status, again.status]).toEqual([400, 400, 200, 404]);
  expect([mixed.code, nameless.code, again.code]).toEqual(["", "", ""]);
  expect((await openPage(unknown.href)).status).toBe(404);
});

it("two end users of one agent act as themselves, over every route", async () => {
  const opened = await open();
  const { server, desk } = opened;
  const [ada, bob] = [await desk.openSession("ada"), await desk.openSession("bob")];
  const first = await signIn(opened, ada, "Ada");
  await first.finish();
  await ada.settled(first.asked.id);
  // Bob's catalogue is not Ada's: his reply has no tool but that to sign in.
  const early = await bob.say(`${FIND}\n/say Found.`);
  expect(resultsOf(early)).toEqual([expect.stringContaining("There is no tool named")]);
  const second = await signIn(opened, bob, "Bob");
  await second.finish();
  await bob.settled(second.asked.id);

  await ada.say(`${FIND}\n/say Found.`);
  await bob.say(`${FIND}\n/say Found.`);
  await alone(desk, "ada");
  await alone(desk, "bob");
  const fork = await request<{ id: string }>("POST", `${ada.path}/fork`, {
    key: desk.key,
    body: {},
  });
  await request("POST", `/v1/sessions/${fork.body.id}/replies`, {
    key: desk.key,
    body: { input: `${FIND}\n/say Found.` },
  });
  expect(server.callers).toEqual(["Ada", "Bob", "Ada", "Bob", "Ada"]);

  const nobody = await alone(desk, "carl");
  expect(nobody.body).toMatchObject({
    code: "mcp_failed",
    authorization: { mcp_server_id: desk.server_id, url: expect.stringContaining("/authorize?") },
  });
});

it("without an end user the tools of such a server are missing, by name", async () => {
  const { server, desk } = await open();
  const unnamed = await desk.openSession(null);
  const reply = await unnamed.say(`${FIND}\n/say So be it.`);
  const hints = reply.message.content.flatMap((block) =>
    block.type === "hint" ? [String(block["hint"])] : [],
  );
  const { status, body } = await alone(desk);

  expect(hints.join()).toContain("end_user_required");
  expect(resultsOf(reply)).toEqual([expect.stringContaining("There is no tool named")]);
  expect([status, body]).toMatchObject([
    400,
    { code: "validation_failed", errors: [{ pointer: "#/end_user_id" }] },
  ]);
  expect(server.callers).toEqual([]);
});

it("the tenant's own grant serves all end users, and none of them may finish its sign-in", async () => {
  const opened = await open({ grant: "authorization_code" });
  const { server, desk } = opened;
  const [ada, bob] = [await desk.openSession("ada"), await desk.openSession(null)];
  const { code, connection_id, finish, asked } = await signIn(opened, ada, "The shop");

  expect((await complete(await ada.token(), connection_id, code)).status).toBe(404);
  expect((await finish()).status).toBe(200);
  await ada.settled(asked.id);
  await ada.say(`${FIND}\n/say Found.`);
  await bob.say(`${FIND}\n/say Found.`);
  expect(server.callers).toEqual(["The shop", "The shop"]);
});

function alone({ key, server_id }: SignInDesk, end_user_id?: string) {
  const path = `/v1/mcp-servers/${server_id}/tools/find_order/call`;
  const body = { input: { order_id: "A-1" }, ...(end_user_id !== undefined && { end_user_id }) };
  return request<object>("POST", path, { key, body });
}

it("a key gives a named thread its end user with its first run, and AG-UI shows the sign-in", async () => {
  const { server, desk } = await open();
  const run = (threadId: string, runId: string, endUserId: string, key = desk.key) =>
    openRequest("POST", `/v1/agents/${desk.agent}/ag-ui?end_user_id=${endUserId}`, {
      key,
      body: {
        threadId,
        runId,
        messages: [
          { id: `m-${runId}`, role: "user", content: "/call mcp__wh__sign_in {}\n/say Hi." },
        ],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      },
    });
  const first = await run("thread-1", "run-1", "ada");
  const text = await first.text();
  const other = await run("thread-1", "run-2", "bob");
  const refused = (await other.json()) as { code: string };

  expect(text).toContain("agentscope:authorization_required");
  expect(text).toContain(`${server.url}/authorize?`);
  expect([other.status, refused.code]).toEqual([409, "conflict"]);
  const listed = await request<{ data: readonly { end_user_id: string }[] }>(
    "GET",
    "/v1/connections",
    { key: desk.key },
  );
  expect(listed.body.data.map(({ end_user_id }) => end_user_id)).toEqual(["ada"]);
});
