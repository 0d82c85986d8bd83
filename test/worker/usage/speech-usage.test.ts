// Speech in usage: each entry of it once, whose it is, and what a deletion leaves of it.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import type { UsageSeries } from "../../../protocol/usage/series.ts";
import { deliverOutbox, type SummaryEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import { ask, type Call, makeAgent, makeSession, makeTenant } from "../support/api.ts";

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

async function makeSpeech() {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call);
  const session = await makeSession(call, { agent_id: agent.id, end_user_id: "ann" });
  const at = new Date().toISOString();
  const owner = { ...session, tenantId };
  const { tenant_id, session_id, agent_id, counted_from } = makeEntry(owner, { at });
  const speech = (reply_id: string, entry: number, audio: object): SummaryEntry => ({
    tenant_id,
    session_id,
    agent_id,
    counted_from,
    reply_id,
    entry,
    at,
    usage: { ...NO_TOKENS, audio },
    cost: 0,
    model_name: "ear",
    replies: 0,
  });
  // A reply's own entry counts no speech: it has an entry of its own.
  const reply = makeEntry(owner, {
    at,
    entry: 1,
    usage: { ...makeUsage(10, 5), audio: { output_ms: 9_000 } },
    cost: 7,
  });
  return { call, session, reply, speech };
}

async function spokenOf(call: Call, query: string) {
  const { json } = await ask<Page<UsageRow>>("GET", `/v1/usage?${query}`, call);
  return json.data.map((row) => [
    row.end_user_id,
    row.replies,
    row.input_tokens,
    row.audio_input_ms,
    row.audio_output_ms,
    row.audio_input_tokens,
    row.audio_output_tokens,
  ]);
}

test("speech is counted once, with the newest of its entry, and costs nothing", async () => {
  const { call, reply, speech } = await makeSpeech();
  const heard = speech("sum_1", 2, { input_ms: 1_200, input_tokens: 12 });
  const said = speech("aud_1", 3, { output_ms: 800 });
  const more = speech("aud_1", 9, { output_ms: 2_000, output_tokens: 30 });
  for (const entries of [[reply, heard, said], [said, more], [more, heard], [said]]) {
    await deliverOutbox(env.DB, entries);
  }

  const sums = [1, 10, 1_200, 2_000, 12, 30];
  expect(await spokenOf(call, "group_by=end_user")).toEqual([["ann", ...sums]]);
  expect(await spokenOf(call, "group_by=day")).toEqual([[null, ...sums]]);
  const { json } = await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=model", call);
  expect(json.data.map(({ cost_usd }) => cost_usd)).toEqual([0, 7e-9]);
  const series = await ask<UsageSeries>("GET", "/v1/usage/series?series_by=model", call);
  const points = series.json.points.filter(({ model_name }) => model_name === "ear");
  expect(points).toMatchObject([
    {
      replies: 0,
      audio_input_ms: 1_200,
      audio_output_ms: 2_000,
      audio_input_tokens: 12,
      audio_output_tokens: 30,
      cost_usd: 0,
    },
  ]);
});

test("speech of a deleted session is nobody's, and stays the tenant's", async () => {
  const { call, session, speech } = await makeSpeech();
  await deliverOutbox(env.DB, [speech("sum_1", 2, { input_ms: 1_200 })]);
  await ask("DELETE", `/v1/sessions/${session.id}`, call);

  expect(await spokenOf(call, "group_by=end_user")).toEqual([[null, 0, 0, 1_200, 0, 0, 0]]);
});
