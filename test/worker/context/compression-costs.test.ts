// Costs of summaries in the usage report: those of requests, those of replies, and those that could not be made.
import { describe, expect, test } from "vitest";

import type { SessionContext } from "../../../protocol/context/compression.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { SUMMARISED, SUMMARY, summarising } from "../support/summarised-agent.ts";

const WORDS = "word ".repeat(140);

function say(path: string, call: Call, input: string) {
  return ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });
}

async function usageOf(call: Call): Promise<readonly UsageRow[]> {
  return (await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=model", call)).json.data;
}

async function customs(path: string, call: Call, name: string): Promise<readonly LoggedEvent[]> {
  const { json } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);
  return json.data.filter((event) => event.type === "CUSTOM" && event.name === name);
}

describe("the cost of a summary", () => {
  test("that a request asks for is in the report where the price is known", async () => {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });
    await say(path, call, "/say one");
    await ask("POST", `${path}/compress`, { ...call, json: {} });

    await waitFor(async () => {
      const rows = await usageOf(call);
      const writer = rows.find(({ model_name }) => model_name === "writer");
      expect(writer).toMatchObject({ replies: 0, cost_usd: 0 });
      expect(rows).toHaveLength(2);
    });
  });

  test("that a reply has waited for is a part of the reply's", async () => {
    const { call, path } = await openSession({
      name: "Desk",
      ...summarising("", { context_size: 1_000, token_counter: "estimate" }),
    });
    await say(path, call, `/say ${WORDS}`);
    await say(path, call, `/say ${WORDS}`);
    await say(path, call, `/say ${WORDS} ${WORDS}`);

    const { summary } = (await ask<SessionContext>("GET", `${path}/context`, call)).json;
    expect(summary?.text).toBe(SUMMARY);
    await waitFor(async () =>
      expect(await usageOf(call)).toMatchObject([{ replies: 3, cost_usd: 0 }]),
    );
  });

  test("that could not be made is billed, and no reply", async () => {
    const log = hearLog();
    const { call, path } = await openSession({
      name: "Desk",
      context: { ...summarising().context, compression_prompt: "/say no" },
    });
    await say(path, call, "/say one");
    const { status } = await ask("POST", `${path}/compress`, { ...call, json: {} });

    const [event, ...more] = await customs(path, call, "context_compression_failed");
    expect([status, more]).toEqual([502, []]);
    expect(event).toMatchObject({
      value: {
        model: "writer",
        trigger: "request",
        reason: "no_summary",
        error: { type: "upstream" },
      },
    });
    const { failure } = (await ask<SessionContext>("GET", `${path}/context`, call)).json;
    expect(failure?.error.type).toBe("upstream");
    expect(log).toEqual(["a summary could not be made"]);
    await waitFor(async () => {
      const rows = await usageOf(call);
      const writer = rows.find(({ model_name }) => model_name === "writer");
      expect(writer).toMatchObject({ replies: 0, output_tokens: 2, cost_usd: 0 });
    });
  });
});
