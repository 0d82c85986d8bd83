// Some app runtimes have a `fetch` whose answers have no body to read as it arrives, only `text()` and `json()`.
import { expect, inject, test } from "vitest";

import type { FetchFunction } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { openDesk } from "./desk.ts";
import { CALL_LABEL, openPeopleDesk } from "./people-desk.ts";
import { BROAD } from "../support/breadth.ts";

/** As React Native's: it resolves when everything is there, and has no `body`. */
function bodylessFetch(asked: string[]): FetchFunction {
  return async (url, init) => {
    const body = typeof init.body === "string" ? init.body : "";
    asked.push(`${init.method} ${url.slice(inject("baseUrl").length)} ${body}`);
    const response = await fetch(url, init);
    const bytes = await response.arrayBuffer();
    const whole = new Response(response.status === 204 ? null : bytes, response);
    Object.defineProperty(whole, "body", { value: undefined });
    return whole;
  };
}

const desk = await openDesk();

test("a reply is read by pages where there is no body stream, each event once and in order", async () => {
  const direct = await desk.openSession();
  const asked: string[] = [];
  const session = desk.clientOf({ fetch: bodylessFetch(asked) }).session(direct.id);
  const reply = session.reply('/call lookup_order {"order_id":"A-1001"}\n/rate 300\n/words 80');

  const events = await collect(reply);

  expect(events).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
  const stored = await direct.message(reply.id ?? "");
  expect(JSON.stringify(reply.message())).toBe(JSON.stringify(stored.message));
  // A stream would be there when the reply has ended, and its connection was closed for lack of events.
  expect(asked[0]).toMatch(/^POST .*"background":true/);
  expect(asked.filter((line) => line.includes("/events") && !line.includes("limit="))).toEqual([]);
});

test("what was learned from one answer holds for the next reply, which is started in the background", async () => {
  const direct = await desk.openSession();
  const asked: string[] = [];
  const session = desk.clientOf({ fetch: bodylessFetch(asked) }).session(direct.id);
  await collect(session.reply("/say One."));
  asked.length = 0;

  const reply = session.reply("/say Two.");
  const events = await collect(reply);

  expect(asked[0]).toMatch(/^POST .*"background":true/);
  expect(asked.slice(1).every((line) => /^GET .*\/(events\?|replies\/)/.test(line))).toBe(true);
  expect(events.at(-1)?.type).toBe("REPLY_END");
});

test("a start whose answer was lost is asked for again as it was, whatever was learned meanwhile", async () => {
  const [first, second] = [await desk.openSession(), await desk.openSession()];
  const fetchWhole = bodylessFetch([]);
  const started = Promise.withResolvers<void>();
  const learned = Promise.withResolvers<void>();
  let tries = 0;
  const reprise = desk.clientOf({
    fetch: async (url, init) => {
      const answer = await fetchWhole(url, init);
      if (init.method !== "POST" || !url.includes(second.id)) return answer;
      tries += 1;
      if (tries > 1) return answer;
      started.resolve();
      await learned.promise;
      throw new TypeError("the network was lost");
    },
  });
  const reading = collect(reprise.session(second.id).reply("/say Two."));
  await started.promise;
  await collect(reprise.session(first.id).reply("/say One."));
  learned.resolve();

  expect((await reading).at(-1)?.type).toBe("REPLY_END");
  expect(tries).toBe(2);
});

test("a reply that waits for a person ends its events", async () => {
  const asked: string[] = [];
  const { agentId, clientOf } = await openDesk({
    tools: [{ type: "http", name: "refund", url: "http://127.0.0.1:9/refund" }],
  });
  const reprise = clientOf({ fetch: bodylessFetch(asked) });
  const session = await reprise.sessions.create({ agent_id: agentId });
  const reply = session.reply("/call refund {}");

  const events = await collect(reply);

  expect([events.at(-1)?.type, reply.status]).toEqual([
    "REQUIRE_USER_CONFIRM",
    "awaiting_permission",
  ]);
});

test("an app without streams runs its own tools too", BROAD, async () => {
  const { openSession, clientOf } = await openPeopleDesk();
  const direct = await openSession();
  const session = clientOf({ fetch: bodylessFetch([]) }).session(direct.id);

  const reply = session.reply(CALL_LABEL, { tools: { print_label: () => "Label 1Z-77" } });
  const events = await collect(reply);

  expect(events).toEqual(await collect(direct.events({ replyId: reply.id ?? "" })));
  expect(reply.status).toBe("completed");
});
