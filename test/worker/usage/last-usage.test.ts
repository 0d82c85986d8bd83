// Usage of a session that is erased without being woken: read from the ends of the open reply's model calls.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { unreportedUsage } from "../../../durable-objects/sessions/unreported-usage.ts";
import { SessionLog } from "../../../durable-objects/log/session-log.ts";
import { assembleSession } from "../../../durable-objects/sessions/assemble-session.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import {
  openSessionTables,
  writeSessionInit,
} from "../../../durable-objects/tables/session-tables.ts";
import type { EventDraft } from "../../../protocol/events.ts";
import { MAX_ROW_BYTES } from "../../../protocol/events/limits.ts";
import { objectOf } from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";

const BLOCK = { type: "TEXT_BLOCK_DELTA", reply_id: "rep_1", block_id: "b" } as const;

function endOf(input_tokens: number): EventDraft {
  return {
    type: "MODEL_CALL_END",
    reply_id: "rep_1",
    input_tokens,
    output_tokens: 1,
    cache_input_tokens: 0,
    cache_creation_input_tokens: 0,
    finished_reason: "completed",
  };
}

it("the usage of an open reply is the sum of its model calls and summaries, and no text is parsed", async () => {
  const init = sessionInit({});
  const usage = await runInDurableObject(objectOf(init), async (_, state) => {
    migrate(state.storage);
    writeSessionInit(state.storage.sql, init);
    const log = new SessionLog(state.storage, {
      logged: () => undefined,
      committing: () => undefined,
      committed: () => undefined,
      durable: () => undefined,
      failed: (error) => {
        throw error;
      },
    });
    // Of a reply before this one.
    log.append([endOf(1_000_000)]);
    const start_cursor = log.lastSeq;
    openSessionTables(state.storage).replies.insert({
      id: "rep_1",
      start_cursor,
      agent_version: 1,
      model_name: "m",
      created_at: new Date().toISOString(),
    });
    log.append([endOf(1)]);
    const value = { reply_id: "rep_1", usage: { input_tokens: 4_000, output_tokens: 5 } };
    log.append([{ type: "CUSTOM", name: "context_compressed", reply_id: "rep_1", value }]);
    // A text that looks like an end is none.
    log.append([{ ...BLOCK, delta: "\nevent: MODEL_CALL_END\n" }, endOf(20)]);
    // The end of this one is in a part of its row.
    log.append([{ ...BLOCK, delta: "x".repeat(MAX_ROW_BYTES + 1_000) }, endOf(300)]);
    log.append([{ ...BLOCK, delta: "more" }]);
    await log.settled();
    log.close();
    state.storage.sql.exec(
      "UPDATE events SET frames = X'00' WHERE seq = (SELECT max(seq) FROM events)",
    );
    return unreportedUsage(assembleSession(state, env, init));
  });

  expect(usage).toMatchObject([
    { reply_id: "rep_1", model_name: "m", usage: { input_tokens: 4_321, output_tokens: 8 } },
  ]);
});
