// The SDK where Workers run: another tenant's Worker would call the platform like this.
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";

import { ApiError, Reprise } from "../../../sdk/index.ts";
import type { LoggedEvent } from "../../../sdk/index.ts";
import { makeTenant } from "../support/api.ts";

test("a reply is started, followed and folded inside a Worker", async () => {
  const { api_key } = await makeTenant();
  const reprise = new Reprise({
    apiKey: api_key,
    baseUrl: "https://api.test",
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
  });
  const agent = await reprise.agents.create({ name: "Desk" });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  const reply = session.reply("/think Hm.\n/say Hello from a Worker.");

  const events: LoggedEvent[] = [];
  for await (const event of reply) events.push(event);

  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["REPLY_START", "REPLY_END"]);
  expect(reply.message()).toEqual((await session.message(reply.id ?? "")).message);
  expect(await reply.text()).toBe("Hello from a Worker.");
  const failure = await reprise.agents.get("agt_none").catch((error: unknown) => error);
  expect(ApiError.isInstance(failure) && failure.code).toBe("not_found");
});
