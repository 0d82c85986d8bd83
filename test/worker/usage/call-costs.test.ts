// Costs of a reply's calls, as diagnostics and the outbox have them.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { modelError } from "../../../agent/state/model-error.ts";
import { CallRecorder } from "../../../durable-objects/replies/call-recorder.ts";
import {
  DiagnosticsTable,
  type StoredModelCall,
} from "../../../durable-objects/tables/diagnostics-table.ts";
import type { FailureKind } from "../../../protocol/diagnostics/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { MAX_DIAGNOSED_MODEL_CALLS } from "../../../protocol/diagnostics/limits.ts";
import { createdSession, objectOf, reply, stubOf, valueOf } from "../sessions/session.ts";

const use = (input_tokens: number, output_tokens = 1) => ({
  input_tokens,
  output_tokens,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
});

/** The table's cost of a reply with these calls. */
async function costOf(
  calls: readonly Partial<StoredModelCall>[],
  usage: ReturnType<typeof use>,
): Promise<number | null> {
  const init = await createdSession();
  const { id } = await reply(init, "/say one");
  return runInDurableObject(objectOf(init), (_, { storage }) => {
    const table = new DiagnosticsTable(storage.sql);
    const known = table.list(id)[0]!.call as StoredModelCall;
    for (const call of calls)
      table.add("rep_other", { kind: "model", call: { ...known, ...call } });
    return table.costOf("rep_other", usage);
  });
}

/** A recorder's cost of one call whose tries went so: a price of one dollar a call. */
function costOfTries(tries: readonly FailureKind[], end: object): number | null | undefined {
  const recorder = new CallRecorder();
  const log = (event: object) => recorder.logged({ ...STAMP, ...event } as LoggedEvent);
  const request = { system_prompt: "", messages: [], tools: [] };
  const model = { name: "m", costOf: () => 1 };
  log({ type: "MODEL_CALL_START", model_name: "m" });
  for (const kind of tries) {
    recorder.note({ type: "model_try", model, request });
    recorder.note({ type: "model_failed", error: modelError("connection"), failure: { kind } });
  }
  recorder.note({ type: "model_try", model, request });
  log({ type: "MODEL_CALL_END", finished_reason: "completed", ...use(3), ...end });
  const [ended] = recorder.takeEnded();
  return ended?.kind === "model" ? ended.call.cost_usd : undefined;
}

const STAMP = { reply_id: "rep_1", created_at: "2026-03-01T12:00:00.000Z", metadata: {} };

describe("the cost of a call", () => {
  it.each([
    ["is that of its only try", [], {}, 1],
    ["counts no try that was refused", ["rate_limited", "provider_error"], {}, 1],
    ["is not known after a try that was read, and then lost", ["connection_lost"], {}, null],
    ["is not known after an empty answer", ["empty_answer"], {}, null],
    ["is not known where it is estimated", [], { metadata: { usage_estimated: true } }, null],
    [
      "is nothing where no model has read it",
      [],
      { ...use(0, 0), finished_reason: "interrupted" },
      0,
    ],
  ] as const)("%s", (_case, tries, end, expected) => {
    expect(costOfTries(tries, end)).toBe(expected);
  });
});

describe("the cost of a reply", () => {
  it("is that of its calls, in billionths of a dollar", async () => {
    const calls = [
      { usage: use(3), cost_usd: 0.000000007 },
      { usage: use(4), cost_usd: 1.5 },
    ];

    expect(await costOf(calls, use(7, 2))).toBe(1_500_000_007);
  });

  it.each([
    [
      "a call has none",
      [
        { usage: use(3), cost_usd: 1 },
        { usage: use(4), cost_usd: null },
      ],
    ],
    ["a call is from before", [{ usage: use(7, 2), cost_usd: undefined }]],
    ["usage is in no call", [{ usage: use(3), cost_usd: 1 }]],
    ["calls have more than the usage", [{ usage: use(9, 9), cost_usd: 1 }]],
    ["there are no calls", []],
    [
      "its first calls are not kept any more",
      Array.from({ length: MAX_DIAGNOSED_MODEL_CALLS + 1 }, () => ({
        usage: use(0, 0),
        cost_usd: 0,
      })),
    ],
  ])("is not known where %s", async (_case, calls) => {
    expect(await costOf(calls as Partial<StoredModelCall>[], use(7, 2))).toBeNull();
  });

  it("with the embedded model is nothing, in diagnostics too", async () => {
    const init = await createdSession();
    const { id } = await reply(init, "/say one");

    const found = valueOf(await stubOf(init).act("readDiagnostics", { reply_id: id }));
    const stored = await runInDurableObject(objectOf(init), (_, { storage }) => {
      const { usage } = found.model_calls[0]!;
      return new DiagnosticsTable(storage.sql).costOf(id, usage!);
    });

    expect([found.model_calls[0]?.cost_usd, stored]).toEqual([0, 0]);
  });
});
