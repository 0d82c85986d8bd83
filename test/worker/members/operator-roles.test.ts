// Each role of the operator's people × each route of the operator: made from the table of roles and the table of routes.
import { describe, expect, test } from "vitest";

import {
  OPERATOR_RIGHTS,
  OPERATOR_ROLE_RIGHTS,
  type OperatorRight,
  OperatorRoleSchema,
} from "../../../protocol/members/operator-roles.ts";
import { type Route, ROUTES } from "../../../protocol/routes.ts";
import { openOperatorConsole } from "../console/browser.ts";
import { addressOf } from "../support/address-of.ts";
import { ask, type Call, OPERATOR } from "../support/api.ts";
import { joinOperator } from "./people.ts";
import { BROAD, sampled } from "../../support/breadth.ts";

const GUARDED: readonly Route[] = ROUTES.filter(({ access }) => access !== "public");
const OPERATORS = GUARDED.filter(({ operator_right }) => operator_right !== undefined);
const TENANTS = GUARDED.filter(({ operator_right }) => operator_right === undefined);

const titleOf = ({ method, path }: Route) => `${method} ${path}`;

function expected(rights: readonly OperatorRight[]): Readonly<Record<string, string>> {
  const answers = OPERATORS.map((route): [string, string] => {
    const { operator_right: right } = route;
    const isLetThrough = right !== undefined && rights.includes(right);
    return [titleOf(route), isLetThrough ? "let through" : `403 lacks ${right}`];
  });
  return Object.fromEntries(answers);
}

/** Answers to requests without a body, about ids of nothing: access is decided before both. */
async function refusals(call: Call, routes = OPERATORS): Promise<Readonly<Record<string, string>>> {
  const answers: [string, string][] = [];
  for (const route of routes) {
    const { status, json } = await ask(route.method, addressOf(route), call);
    const { code, detail, required_right } = json as unknown as {
      readonly code: string;
      readonly detail: string;
      readonly required_right?: string;
    };
    const isRefused = status === 403 && code === "insufficient_scope";
    const isForTenants = isRefused && detail.includes("takes a tenant's API key");
    const why = isForTenants ? "403 takes a tenant's key" : `403 lacks ${required_right}`;
    answers.push([titleOf(route), isForTenants || required_right ? why : "let through"]);
  }
  return Object.fromEntries(answers);
}

describe("each role of the operator's people at each route of the operator", () => {
  for (const [roles, breadth] of sampled(OperatorRoleSchema.options, 1, "each"))
    test.each(roles)("%s has the rights of the table", breadth, async (role) => {
      const { call } = await joinOperator(role);

      expect(await refusals(call)).toEqual(expected(OPERATOR_ROLE_RIGHTS[role]));
    });

  test("the operator's key and a session of its link have all of them", async () => {
    const { browser } = await openOperatorConsole();
    const linked = await browser.exchange();

    expect(await refusals(OPERATOR)).toEqual(expected(OPERATOR_RIGHTS));
    expect(await refusals(linked)).toEqual(expected(OPERATOR_RIGHTS));
    expect(linked.session.rights).toEqual(OPERATOR_RIGHTS);
  });

  test("an owner is no tenant: routes for tenants' keys are closed", BROAD, async () => {
    const { call } = await joinOperator();
    const closed = TENANTS.map((route) => [titleOf(route), "403 takes a tenant's key"]);

    expect(await refusals(call, TENANTS)).toEqual(Object.fromEntries(closed));
  });

  test("every route for the operator names its right, and every right opens a route", () => {
    const unnamed = GUARDED.filter(
      ({ access, operator_right }) => access === "operator" && operator_right === undefined,
    );

    expect(unnamed).toEqual([]);
    expect(new Set(OPERATORS.map(({ operator_right }) => operator_right))).toEqual(
      new Set(OPERATOR_RIGHTS),
    );
  });

  test("support changes nothing, and administrators do not touch the operator's people", () => {
    const reached = (role: "administrator" | "support", isWanted: (route: Route) => boolean) => {
      const rights: readonly string[] = OPERATOR_ROLE_RIGHTS[role];
      return OPERATORS.filter(
        (route) => rights.includes(route.operator_right ?? "") && isWanted(route),
      ).map(titleOf);
    };

    expect(reached("support", ({ method }) => method !== "GET")).toEqual([]);
    expect(
      reached("administrator", ({ path }) => /operator\/(?:members|sign-in)/.test(path)),
    ).toEqual([]);
  });
});
