import { env } from "cloudflare:workers";
import { describe, expect, inject, test } from "vitest";

import type { TenantDecision } from "../../../protocol/decisions/contract.ts";
import type { InvitedMember } from "../../../protocol/members/contract.ts";
import { ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { confirmation, openParked } from "../support/parked-session.ts";
import { makeEndpoint } from "../webhooks/endpoint.ts";
import { invite, join } from "./people.ts";

describe("an answer of a member", () => {
  test("has their name in the session's decisions and in the tenant's, also when they have left", async () => {
    const { call, path, events, reply, pending } = await openParked();
    const { call: theirs, member } = await join(call, "approver", "Ada");
    const json = confirmation(reply, pending, { confirmed: false });
    const { status } = await ask("POST", events, { ...theirs, json });
    const answersOf = async (who: string, by: Call) => {
      const { json: list } = await ask<{ data: TenantDecision[] }>(
        "GET",
        `/v1/decisions?answered_by=${who}`,
        by,
      );
      return list.data.map((decision) => decision.decided_by.id);
    };
    await waitFor(async () => expect(await answersOf("me", theirs)).toEqual([member.id]));
    // The key did not answer; the platform, which asked, is nobody.
    expect([
      await answersOf("others", theirs),
      await answersOf("me", call),
      await answersOf("others", call),
    ]).toEqual([[], [], [member.id]]);
    await ask("DELETE", `/v1/members/${member.id}`, call);
    const decided_by = { kind: "member", id: member.id, name: "Ada" };
    const { json: own } = await ask<{ data: TenantDecision[] }>("GET", `${path}/decisions`, call);

    expect([status, own.data[0]?.decided_by]).toEqual([202, decided_by]);
    await waitFor(async () => {
      const { json: all } = await ask<{ data: TenantDecision[] }>(
        "GET",
        "/v1/decisions?decided_by=member",
        call,
      );
      expect(all.data.map((decision) => decision.decided_by)).toEqual([decided_by]);
    });
  });
});

describe("the webhook of an invitation", () => {
  const url = `${inject("webhookReceiverUrl")}/members/200`;
  const events = ["member.invited"];

  async function payloads(endpointId: string): Promise<readonly string[]> {
    const { results } = await env.DB.prepare(
      "SELECT payload FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id",
    )
      .bind(endpointId)
      .all<{ payload: string }>();
    return results.map(({ payload }) => payload);
  }

  test("has the link for endpoints with `member_links` alone, and deliveries hide it", async () => {
    const { call } = await makeTenant();
    const plain = await makeEndpoint(call, { url, events });
    const linked = await makeEndpoint(call, { url, events, member_links: true });
    const member = await invite(call, "viewer");
    await waitFor(async () => expect(await payloads(linked.id)).toHaveLength(1));
    const secret = new URL(member.url).hash;
    const { json: page } = await ask<{ data: { id: string }[] }>(
      "GET",
      `/v1/webhook-endpoints/${linked.id}/deliveries`,
      call,
    );
    const read = await ask(
      "GET",
      `/v1/webhook-endpoints/${linked.id}/deliveries/${page.data[0]?.id}`,
      call,
    );
    const audit = await ask("GET", "/v1/audit", call);

    expect(JSON.parse((await payloads(plain.id))[0]!)).toEqual({
      type: "member.invited",
      timestamp: expect.any(String),
      data: {
        member_id: member.id,
        role: "viewer",
        link_expires_at: member.link_expires_at,
        url: null,
      },
    });
    expect((await payloads(linked.id))[0]).toContain(secret);
    expect([read.text, audit.text].filter((text) => text.includes(secret))).toEqual([]);
    expect(read.text).toContain("#…");
  });

  test("goes with its link to no address that somebody without `members:write` has chosen", async () => {
    const { call } = await makeTenant();
    const scopes = ROLE_SCOPES.developer;
    const { json: key } = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes },
    });
    const developer = { key: key.api_key };
    const plain = await makeEndpoint(developer, { url, events });
    const linked = await makeEndpoint(call, { url, events, member_links: true });
    await invite(call, "owner");
    await waitFor(async () => expect(await payloads(linked.id)).toHaveLength(1));
    const patch = (id: string, json: object, by: Call = developer) =>
      ask("PATCH", `/v1/webhook-endpoints/${id}`, { ...by, json });
    const refused = [
      await ask("POST", "/v1/webhook-endpoints", {
        ...developer,
        json: { url, events, member_links: true },
      }),
      await patch(plain.id, { member_links: true }),
      await patch(linked.id, { url: `${url}?to=elsewhere` }),
      await patch(linked.id, { url: `${url}?to=elsewhere`, member_links: false }),
    ];
    const kept = await payloads(linked.id);
    // An event that is kept loses its link with the right to it.
    const off = await patch(linked.id, { member_links: false });

    expect(refused.map((answer) => refusalOf(answer).code)).toEqual(
      refused.map(() => "insufficient_scope"),
    );
    expect([kept[0]?.includes("#ml_"), off.status]).toEqual([true, 200]);
    expect((await payloads(linked.id))[0]).toContain('"url":null');
  });

  test("is not in the kept answer of an Idempotency-Key either", async () => {
    const { call } = await makeTenant();
    const request = {
      ...call,
      headers: { "Idempotency-Key": crypto.randomUUID() },
      json: { name: "Ada", role: "viewer" },
    };
    const first = await ask<InvitedMember>("POST", "/v1/members", request);
    const again = await ask<InvitedMember>("POST", "/v1/members", request);

    expect([again.json.id, again.json.url]).toEqual([first.json.id, undefined]);
  });
});
