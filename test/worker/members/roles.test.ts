// Each role × each route: made from the table of roles and the table of routes.
import { describe, expect, test } from "vitest";

import { INPUT_EVENT_RIGHTS } from "../../../protocol/events/contract.ts";
import type { Scope } from "../../../protocol/keys/contract.ts";
import { A2A_CALL_RIGHTS } from "../../../protocol/requests/a2a-call-rights.ts";
import { MemberRoleSchema, ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { type Route, ROUTES } from "../../../protocol/routes.ts";
import { addressOf } from "../support/address-of.ts";
import { ask, type Call, makeTenant, refusalOf } from "../support/api.ts";
import { join } from "./people.ts";
import { sampled } from "../../support/breadth.ts";

const GUARDED: readonly Route[] = ROUTES.filter(({ access }) => access !== "public");
const WANTED = {
  input_event: Object.values(INPUT_EVENT_RIGHTS).map(({ scope }) => scope),
  a2a_call: A2A_CALL_RIGHTS.map(({ scope }) => scope),
} as const;

/** Their methods, and what a message brings, decide which scope they want: test/conformance/a2a/rights.test.ts. */
const OF_A2A = GUARDED.filter(
  ({ access, method }) => access === "a2a_call" && method === "POST",
).map(({ method, path }) => `${method} ${path}`);

const titleOf = ({ method, path }: Route) => `${method} ${path}`;

/** Whether a session with these scopes gets past the table of routes. */
function opens(scopes: readonly Scope[], { access }: Route): boolean {
  if (access === "operator" || access === "public") return false;
  const wanted: readonly Scope[] =
    access === "input_event" || access === "a2a_call" ? WANTED[access] : [access];
  return wanted.some((scope) => scopes.includes(scope));
}

/** Answers to requests without a body, about ids of nothing: access is decided before both. */
async function refusals(call: Call): Promise<Readonly<Record<string, string>>> {
  const answers: [string, string][] = [];
  for (const route of GUARDED) {
    const { status, code } = refusalOf(await ask(route.method, addressOf(route), call));
    answers.push([titleOf(route), status === 403 ? `403 ${code}` : "let through"]);
  }
  return Object.fromEntries(answers);
}

describe("each role at each route", () => {
  for (const [roles, breadth] of sampled(MemberRoleSchema.options, 2, "each"))
    test.each(roles)(
      "%s is let through where one of its scopes is wanted, and refused elsewhere",
      breadth,
      async (role) => {
        const tenant = await makeTenant();
        const { call } = await join(tenant.call, role);
        const expected = GUARDED.map((route) => [
          titleOf(route),
          opens(ROLE_SCOPES[role], route) ? "let through" : "403 insufficient_scope",
        ]);

        expect(await refusals(call)).toEqual(Object.fromEntries(expected));
      },
    );

  test("approvers change nothing but by their answers, and viewers nothing", () => {
    const changed = (role: "approver" | "viewer") =>
      GUARDED.filter((route) => route.method !== "GET" && opens(ROLE_SCOPES[role], route)).map(
        titleOf,
      );

    // These read, or make what reads: a ticket of a stream, a link to a file.
    const reading = [
      ...OF_A2A,
      "POST /v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}:subscribe",
      "POST /v1/sessions/{session_id}/permission-rules/test",
      "POST /v1/sessions/{session_id}/stream-tickets",
      "POST /v1/files/{file_id}/links",
      "POST /v1/agents/{agent_id}/permission-rules/test",
      "POST /v1/agents/{agent_id}/permission-rules/simulate",
      "POST /v1/rooms/{room_id}/stream-tickets",
    ];
    const answering = [
      "POST /v1/connections/{connection_id}/complete",
      "POST /v1/sessions/{session_id}/events",
      "POST /v1/confirmations",
      "POST /v1/rooms/{room_id}/events",
    ];
    expect(changed("viewer")).toEqual(reading);
    expect(changed("approver").filter((title) => !reading.includes(title))).toEqual(answering);
  });
});
