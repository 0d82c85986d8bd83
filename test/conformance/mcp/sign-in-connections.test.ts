/** @module-tag broad */
// Connections through the API: whose token completes a sign-in, and what another tenant finds.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { complete, openPage, openSignInDesk, resultsOf } from "../../support/mcp/sign-in-desk.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

interface Listed {
  readonly data: readonly {
    readonly end_user_id: string;
    readonly authorization?: { readonly connection_id: string };
  }[];
}

const SIGN_IN = "/call mcp__wh__sign_in {}\n/say Thanks.";

/** Ada's sign-in waits for its code, and so does Bob's. */
async function open() {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const ada = await desk.openSession("ada");
  const bob = await desk.openSession("bob");
  const askedOf = async (person: typeof ada, subject: string) => {
    const asked = await person.say(SIGN_IN);
    const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
    const { code } = await openPage(await server.signIn(url, subject));
    return { id: asked.id, connection_id, code };
  };
  return { server, desk, ada, bob, ofAda: await askedOf(ada, "Ada"), askedOf };
}

it("any session of the end user completes their sign-in, and no session of another one", async () => {
  const { server, desk, ada, bob, ofAda, askedOf } = await open();
  const ofBob = await askedOf(bob, "Bob");
  const elsewhere = await desk.openSession("ada");
  const finish = async (person: typeof ada, { connection_id }: typeof ofAda, code: string) => {
    const { status, body } = await complete(await person.token(), connection_id, code);
    return [status, body.code];
  };

  // Bob's token, with each code at each connection; then Ada's own with the code that Bob's sign-in has shown.
  expect(await finish(bob, ofAda, ofAda.code)).toEqual([404, "not_found"]);
  expect(await finish(bob, ofAda, ofBob.code)).toEqual([404, "not_found"]);
  expect(await finish(bob, ofBob, ofAda.code)).toEqual([409, "conflict"]);
  expect(await finish(elsewhere, ofAda, ofBob.code)).toEqual([409, "conflict"]);
  expect(server.tokenRequests).toEqual([]);

  expect(await finish(elsewhere, ofAda, ofAda.code)).toEqual([200, undefined]);
  expect((await ada.settled(ofAda.id)).status).toBe("completed");
  expect((await bob.reply(ofBob.id)).status).toBe("awaiting_external_result");
  const own = await elsewhere.say('/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.');
  expect([resultsOf(own), server.callers]).toEqual([['{"order_id":"A-1","amount":25}'], ["Ada"]]);
});

it("a client token neither lists, reads nor deletes connections, its own end user's included", async () => {
  const { desk, ada, ofAda } = await open();
  const key = await ada.token();
  const one = `/v1/connections/${ofAda.connection_id}`;
  const answers = [
    await request("GET", "/v1/connections", { key }),
    await request("GET", one, { key }),
    await request("DELETE", one, { key }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect((await request("GET", one, { key: desk.key })).status).toBe(200);
});

it("another tenant finds no connection by its id, whatever its state, and its own of that name is another", async () => {
  const { server, desk, ada, ofAda } = await open();
  const stranger = await openSignInDesk(server);
  const theirs = await stranger.openSession("ada");
  const one = `/v1/connections/${ofAda.connection_id}`;
  const foreign = async () => {
    const { key } = stranger;
    const token = await theirs.token();
    const answers = [
      await request("GET", one, { key }),
      await request("DELETE", one, { key }),
      await complete(key, ofAda.connection_id, ofAda.code),
      await complete(token, ofAda.connection_id, ofAda.code),
      await request("GET", `/v1/connections?mcp_server_id=${desk.server_id}`, { key }),
    ];
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(server.url);
    return answers.map(({ status }) => status);
  };
  const refused = [404, 404, 404, 404, 200];

  expect(await foreign()).toEqual(refused);
  expect(server.tokenRequests).toEqual([]);
  await complete(desk.key, ofAda.connection_id, ofAda.code);
  await ada.settled(ofAda.id);
  expect(await foreign()).toEqual(refused);
  expect(server.revoked).toEqual([]);
  const asked = await theirs.say(SIGN_IN);
  expect(asked.pending[0]?.authorization?.connection_id).not.toBe(ofAda.connection_id);
  const nameless = (await createTenant()).key;
  expect((await request<Listed>("GET", "/v1/connections", { key: nameless })).body.data).toEqual(
    [],
  );
});

it("lists by end user have their own alone", async () => {
  const { desk, bob, ofAda, askedOf } = await open();
  const ofBob = await askedOf(bob, "Bob");
  const { key } = desk;
  const listed = async (path: string) => (await request<Listed>("GET", path, { key })).body.data;

  await waitFor(async () => expect(await listed("/v1/confirmations")).toHaveLength(2));
  for (const [name, { connection_id }] of [
    ["ada", ofAda],
    ["bob", ofBob],
  ] as const) {
    expect(await listed(`/v1/confirmations?end_user_id=${name}`)).toMatchObject([
      { end_user_id: name, authorization: { connection_id } },
    ]);
    expect(await listed(`/v1/connections?end_user_id=${name}`)).toMatchObject([
      { id: connection_id, end_user_id: name },
    ]);
  }
  expect(await listed("/v1/connections?end_user_id=ad")).toEqual([]);
  expect(await listed("/v1/connections?end_user_id=")).toEqual([]);
  expect(await listed("/v1/connections")).toHaveLength(2);
});
