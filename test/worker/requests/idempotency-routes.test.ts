// The header on every route that takes it.
import { describe, expect, test } from "vitest";

import { ROUTES, type Route, type RouteName } from "../../../protocol/routes.ts";
import { sampled } from "../../support/breadth.ts";
import { ask } from "../support/api.ts";
import { KEYED_REQUESTS } from "../../tenancy/concepts.ts";
import type { KeyedRequest } from "../support/keyed-request.ts";

const rows = ROUTES as readonly (Route & { name: RouteName })[];
const keyed = rows.filter(({ keeps_keys }) => keeps_keys !== undefined).map(({ name }) => name);

/** The operator's keys are all tests', so each request has its own. */
async function prepare(name: RouteName) {
  const key = crypto.randomUUID();
  const request = await KEYED_REQUESTS[name]!();
  const askKeyed = ({ path, call, json, bindings }: KeyedRequest) =>
    ask<Record<string, unknown>>("POST", path, {
      ...call,
      json,
      bindings,
      headers: { "Idempotency-Key": key },
    });
  return { request, askKeyed };
}

/** Without what only the first answer shows. */
function shownAgain(json: Readonly<Record<string, unknown>>, secrets: readonly string[] = []) {
  const shown = structuredClone(json) as Record<string, unknown>;
  for (const secret of secrets) {
    const [name = "", member] = secret.split(".");
    if (member === undefined) delete shown[name];
    else delete (shown[name] as Record<string, unknown>)[member];
  }
  return shown;
}

describe("the header Idempotency-Key", () => {
  test("is taken by every POST but those that change nothing, those that prove themselves, and runs, which have ids", () => {
    const unkeyed = rows
      .filter(({ method, keeps_keys }) => method === "POST" && keeps_keys === undefined)
      .map(({ name }) => name);

    expect([unkeyed.sort(), Object.keys(KEYED_REQUESTS).sort()]).toEqual([
      [
        // Messages of A2A have ids, and its tasks end once: test/conformance/a2a/.
        "callA2a",
        // Its tool that asks the agent takes the header: test/conformance/agent-mcp/agent-mcp.test.ts.
        "callAgentMcp",
        "cancelA2aTask",
        "checkAgent",
        // Its code is used once, and a repeated request finds the grant.
        "completeConnection",
        "createA2aPushConfig",
        "createFileLink",
        "createReplay",
        "createRoomStreamTicket",
        "createStreamTicket",
        // A result is taken once, and the same one again is answered as before.
        "endTask",
        // However often it is posted, it makes us look.
        "receiveRemotePush",
        "receiveTriggerWebhook",
        "receiveWebhook",
        "runAgUi",
        "runRoomAgUi",
        "sendA2aMessage",
        "simulatePermission",
        "streamA2aMessage",
        "subscribeA2aTask",
        "testAgentPermission",
        "testPermissionRules",
      ],
      [...keyed].sort(),
    ]);
  });

  for (const [rows, breadth] of sampled(keyed, 4))
    describe.each(rows)("at %s", breadth, (name) => {
      test("replays the first answer without its secrets, and nothing is done", async () => {
        const { request, askKeyed } = await prepare(name);
        const first = await askKeyed(request);
        const second = await askKeyed(request);

        expect({
          isFirstSuccess: first.status < 300,
          firstSays: first.headers.get("Idempotent-Replayed"),
          count: await request.count(),
          status: second.status,
          says: second.headers.get("Idempotent-Replayed"),
          location: second.headers.get("Location"),
          json: settled(second.json),
        }).toEqual({
          isFirstSuccess: true,
          firstSays: null,
          count: 1,
          status: first.status,
          says: "true",
          location: first.headers.get("Location"),
          json: settled(shownAgain(first.json, request.secrets)),
        });
      });

      test("lets one of two requests at the same time act; the other waits or gets its answer", async () => {
        const { request, askKeyed } = await prepare(name);
        const answers = await Promise.all([askKeyed(request), askKeyed(request)]);

        const acted = answers.filter(
          ({ status, headers }) => status < 300 && !headers.has("Idempotent-Replayed"),
        );
        const others = answers
          .filter((answer) => !acted.includes(answer))
          .map(({ status, headers, json }) =>
            status < 300
              ? headers.get("Idempotent-Replayed")
              : [status, json["code"], headers.get("Retry-After")],
          );
        expect({ count: await request.count(), acted: acted.length, others }).toEqual({
          count: 1,
          acted: 1,
          others: [expect.toSatisfy(isSecondBest)],
        });
      });

      test("refuses another request with the same key, which stays the first one's", async () => {
        const { request, askKeyed } = await prepare(name);
        await askKeyed(request);
        const { other } = request;
        if (other === undefined) return;
        const changed =
          typeof other === "string"
            ? { ...request, path: request.path + other }
            : { ...request, json: other };
        const refused = await askKeyed(changed);

        expect([refused.status, refused.json["code"], await request.count()]).toEqual([
          422,
          "idempotency_key_reused",
          1,
        ]);
      });
    });
});

function isSecondBest(outcome: unknown): boolean {
  return (
    outcome === "true" ||
    JSON.stringify(outcome) === JSON.stringify([409, "idempotency_in_flight", "1"])
  );
}

/** A receipt shows its reply as it then is; the rest of the answer is the first one's. */
function settled(json: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(
    JSON.stringify(json, (name, value: unknown) => {
      if (name !== "reply" || value === null) return value;
      const { id, session_id } = value as { id: string; session_id: string };
      return { id, session_id };
    }),
  );
}
