// Credentials that end while their message is at work: what it is answered is not for them any more.
import { expect, it } from "vitest";

import {
  callA2a,
  messageOf,
  openA2aDesk,
  type A2aAnswer,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { waitFor } from "../../support/wait-for.ts";

/** The answer to a message whose credential ends once its reply runs. */
async function answerOf(
  desk: A2aDesk,
  key: string,
  end: () => Promise<unknown>,
): Promise<A2aAnswer<Record<string, unknown>>> {
  const params = messageOf("/wait 2000\n/say The secret.");
  const sent = callA2a(desk, "HTTP+JSON", "SendMessage", params, { key });
  await waitFor(async () => {
    const { body } = await request<{ data: readonly { status: string }[] }>("GET", "/v1/sessions", {
      key: desk.key,
    });
    expect(body.data.map(({ status }) => status)).toEqual(["running"]);
  });
  await end();
  return sent;
}

it("an API key that is revoked while its message is at work is not told the answer", async () => {
  const desk = await openA2aDesk();
  const { key } = desk;
  const scopes = ["sessions:read", "replies:write", "sessions:write"];
  const made = await request<{ id: string; api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes },
  });
  const { id, api_key } = made.body;
  const answer = await answerOf(desk, api_key, () =>
    request("DELETE", `/v1/api-keys/${id}`, { key }),
  );

  expect([answer.status, answer.error?.reason]).toEqual([401, "unauthenticated"]);
});

it("an end user whose issuer is removed meanwhile is not told the answer", async () => {
  const desk = await openA2aDesk();
  const { key } = desk;
  const { issuer, jwksUrl, sign } = await startTokenIssuer();
  const body = { name: "Sign-in", issuer, jwks_url: jwksUrl, audience: "a2a" };
  const made = await request<{ id: string }>("POST", "/v1/token-issuers", { key, body });
  const token = await sign({ sub: "anna", aud: "a2a" });
  const answer = await answerOf(desk, token, () =>
    request("DELETE", `/v1/token-issuers/${made.body.id}`, { key }),
  );

  expect([answer.status, answer.error?.reason]).toEqual([401, "unauthenticated"]);
});
