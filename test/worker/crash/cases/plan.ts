// A plan that is made, worked on and accepted by a person: a change, its result and its webhook are one.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import type { PlanState } from "../../../../agent/plans/plan-state.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { makeEndpoint } from "../../webhooks/endpoint.ts";
import type { CrashedRun } from "../crash-run.ts";
import { ACCEPTED_PLAN, PLAN } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

/** The versions that the tenant was told of, in their order. */
async function versionsTold({ session }: CrashedRun): Promise<readonly number[]> {
  const { results } = await env.DB.prepare(
    `SELECT payload ->> '$.data.version' AS version FROM webhook_deliveries
     WHERE type = 'plan.updated' AND payload ->> '$.data.session_id' = ? ORDER BY version`,
  )
    .bind(session.id)
    .all<{ version: number }>();
  return results.map(({ version }) => version);
}

export const PLAN_CASES: readonly CrashCase[] = [PLAN, ACCEPTED_PLAN].map((scenario) => ({
  scenario,
  claim: "a change, its result and its webhook are all there once, whichever write is cut off",
  async prepare({ call }) {
    await makeEndpoint(call, { events: ["plan.updated"] });
  },
  async verify(run) {
    const { message } = await run.session.readReply();
    const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
    const query = "SELECT state FROM ability_states WHERE name = 'plan'";
    const [kept] = await run.session.rows<{ state: string }>(query);
    const state = JSON.parse(kept?.state ?? "{}") as PlanState;
    expect(results.map((result) => "state" in result && result.state)).toEqual(
      Array.from({ length: 4 }, () => "success"),
    );
    expect(state).toMatchObject({ version: 4, current: null, is_suspended: false, asked: {} });
    expect(state.history).toMatchObject([
      {
        state: "done",
        subtasks: [{ state: "done" }, { state: "done", acceptance: { state: "accepted" } }],
      },
    ]);
    await waitFor(async () => expect(await versionsTold(run)).toEqual([1, 2, 3, 4]));
  },
}));
