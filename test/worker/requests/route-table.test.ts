import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { SCOPES } from "../../../protocol/keys/contract.ts";
import { INPUT_EVENT_RIGHTS } from "../../../protocol/events/contract.ts";
import { A2A_CALL_RIGHTS } from "../../../protocol/requests/a2a-call-rights.ts";
import type { Route } from "../../../protocol/routes.ts";
import { BODY_BYTES, ROUTES } from "../../../protocol/routes.ts";
import { app } from "../../../worker/app.ts";
import { sampled } from "../../support/breadth.ts";
import { ask, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { addressOf } from "../support/address-of.ts";

/** Scopes of which one is wanted. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  input_event: Object.values(INPUT_EVENT_RIGHTS).map(({ scope }) => scope),
  a2a_call: A2A_CALL_RIGHTS.map(({ scope }) => scope),
};
const rows: readonly Route[] = ROUTES;

function titleOf(route: Route): [string, Route] {
  return [`${route.method} ${route.path}`, route];
}
const guarded = rows.filter((route) => route.access !== "public").map(titleOf);
/**
 * Routes whose body has a schema. Signed bodies are looked into once the signature fits: the suite of the document sends
 * such. Files have bodies of any kind: test/worker/files/ has what they refuse. A2A has a form of its own for what it says:
 * test/worker/a2a/.
 */
const withBody = rows
  .filter(({ body, is_signed }) => body !== "none" && body !== "file" && !is_signed)
  .filter(({ path }) => !path.startsWith("/v1/agents/{agent_id}/a2a"))
  .map(titleOf);
/** Runs, which may bring many values. */
const AG_UI: readonly string[] = ["runAgUi", "runRoomAgUi"];
/** Pointer at which a body that fits nowhere is refused, of those that are not looked through for unknown fields. */
const UNREAD_FIELDS: Readonly<Record<string, string>> = {
  // Without its type an event has no fields that could be known.
  postEvent: "#/type",
  // Clients of any age may send more than is known here.
  runAgUi: "#/threadId",
  runRoomAgUi: "#/threadId",
  // A list.
  patchSharedState: "#",
};
/** Whose bodies are messages of another protocol, which names their errors itself, and needs no agent for that. */
const WITH_MESSAGES: readonly string[] = ["callAgentMcp"];
/** An error of JSON-RPC, which has no members of a problem. */
const NO_MESSAGE = { status: 400, code: undefined, pointers: undefined };
const withIds = rows.filter((route) => route.path.includes("{")).map(titleOf);

describe("the route table", () => {
  test("is what the app registers, no route more and none less", () => {
    const registered = app.routes
      .filter(({ method, path }) => method !== "ALL" && path !== "/*")
      // The pages of the documentation are no part of the API.
      .filter(({ path }) => path !== "/" && path !== "/docs/*")
      // Refused copies of a room are no routes: test/conformance/rooms/refused-copies.test.ts.
      .filter(({ path }) => !path.includes("/:copy{"))
      // Nor are the pages of the console and their sign-in.
      .filter(({ path }) => !/^\/(?:console|operator)(?:\/|$)/.test(path))
      .map(
        ({ method, path }) =>
          `${method} ${path.replace(/\/:(\w+)(?:\{\[\^\/\]\+(:\w+)\})?/g, "/{$1}$2")}`,
      );

    expect([...new Set(registered)].sort()).toEqual(rows.map((route) => titleOf(route)[0]).sort());
  });

  test("names every route once", () => {
    expect(new Set(rows.map((route) => route.name)).size).toBe(rows.length);
  });

  for (const [rows, breadth] of sampled(guarded, 12))
    test.each(rows)("%s refuses a caller without a credential", breadth, async (_, route) => {
      const answer = await ask(route.method, addressOf(route));

      expect(refusalOf(answer)).toEqual({
        status: 401,
        code: "unauthenticated",
        pointers: undefined,
      });
    });

  for (const [rows, breadth] of sampled(guarded, 12))
    test.each(rows)("%s refuses a credential of the wrong kind", breadth, async (_, route) => {
      const tenant = await makeTenant();
      const opening: readonly string[] = WANTED[route.access] ?? [route.access];
      const { json } = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
        ...tenant.call,
        json: { scopes: SCOPES.filter((scope) => !opening.includes(scope)) },
      });

      const answers = [await ask(route.method, addressOf(route), { key: json.api_key })];
      if (route.access !== "operator" && route.operator_right === undefined) {
        answers.push(await ask(route.method, addressOf(route), OPERATOR));
      }

      const refusal = { status: 403, code: "insufficient_scope", pointers: undefined };
      expect(answers.map(refusalOf)).toEqual(answers.map(() => refusal));
    });

  for (const [rows, breadth] of sampled(withIds, 12))
    test.each(rows)("%s answers 404 for ids of the wrong form", breadth, async (_, route) => {
      const key = route.access === "operator" ? env.OPERATOR_KEY : (await makeTenant()).api_key;
      const path = route.path.replace(/\{\w+\}/g, "x".repeat(9_000));

      expect(refusalOf(await ask(route.method, path, { key }))).toEqual({
        status: 404,
        code: "not_found",
        pointers: undefined,
      });
    });

  for (const [rows, breadth] of sampled(withBody, 12))
    test.each(rows)(
      "%s refuses bodies that it should not even look into",
      breadth,
      async (_, route) => {
        const key = route.access === "operator" ? env.OPERATOR_KEY : (await makeTenant()).api_key;
        const limit = BODY_BYTES[route.body];
        const headers = { "Content-Type": "application/json" };
        const calls = [
          { headers },
          { headers, body: "  " },
          { headers: { "Content-Type": "text/plain" }, body: "{}" },
          { headers, body: '{"name": ' },
          { headers, body: new Uint8Array([0x22, 0xff, 0x22]) },
          { headers, body: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` },
          {
            headers,
            body: `{"a":[${"0,".repeat(AG_UI.includes(route.name) ? 100_000 : 25_000)}0]}`,
          },
          { headers, body: "[]" },
          { headers, body: '{"no_such_field": 1}' },
          { headers, body: `{"a":"${"x".repeat(limit)}"}` },
          { headers, body: streamOf(limit + 1) },
        ];

        const answers = [];
        for (const call of calls)
          answers.push(await ask(route.method, addressOf(route), { key, ...call }));

        const refusals = answers.map(refusalOf);
        const unknownField = refusals[8];
        const pointer = UNREAD_FIELDS[route.name] ?? "#/no_such_field";
        const hasMessages = WITH_MESSAGES.includes(route.name);
        if (!hasMessages) expect(unknownField?.pointers).toContain(pointer);
        const misfit = (pointers: unknown) =>
          hasMessages ? NO_MESSAGE : { status: 400, code: "validation_failed", pointers };
        expect(refusals).toEqual([
          { status: 400, code: "malformed_json", pointers: ["#"] },
          { status: 400, code: "malformed_json", pointers: ["#"] },
          { status: 415, code: "unsupported_media_type", pointers: undefined },
          { status: 400, code: "malformed_json", pointers: ["#"] },
          { status: 400, code: "malformed_json", pointers: ["#"] },
          { status: 400, code: "input_too_deep", pointers: ["#"] },
          { status: 400, code: "validation_failed", pointers: ["#"] },
          misfit(["#"]),
          misfit(unknownField?.pointers),
          { status: 413, code: "body_too_large", pointers: ["#"] },
          { status: 413, code: "body_too_large", pointers: ["#"] },
        ]);
      },
    );
});

/** A body whose length no header tells. */
function streamOf(bytes: number): ReadableStream {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      const size = Math.min(left, 65_536);
      controller.enqueue(new Uint8Array(size).fill(0x20));
      left -= size;
    },
  });
}
