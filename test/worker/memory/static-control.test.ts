// Recall before a reply and the recording behind it, over HTTP.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { MEMORY_RECALL_FAILED } from "../../../protocol/memory/events.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask } from "../support/api.ts";
import {
  anotherSession,
  contentsOf,
  customsOf,
  eventsOf,
  hintsOf,
  memoriesOf,
  record,
  recordingsOf,
  remembering,
  remembers,
  say,
  storeOf,
} from "./remembering.ts";

const AGENT = remembers("both");
const SOURCE = "long_term_memory";

function usageOf(recorded: object | undefined): Usage {
  return (recorded as { usage: Usage }).usage;
}

describe("a recording", () => {
  test("is made behind a reply, and its usage is a row of its own that is no reply", async () => {
    const ann = await remembering(AGENT);
    const { id } = await say(ann, "/remember The user has a dog.\n/say Nice.");
    const [recorded] = await recordingsOf(ann, 1);
    const [memory] = await memoriesOf(ann);

    expect(memory).toMatchObject({
      content: "The user has a dog.",
      source: { session_id: ann.session_id, reply_id: id, tool_call_id: null },
      untrusted: null,
    });
    expect(recorded).toMatchObject({
      name: "memories_recorded",
      reply_id: id,
      store_id: expect.stringMatching(/^memstore_/),
      memories: [{ id: memory?.id, version: 1 }],
      model: "refund-desk",
      usage: { output_tokens: expect.any(Number) },
    });
    await waitFor(async () => {
      const { data } = (await ask<Page<UsageRow>>("GET", "/v1/usage", ann.call)).json;
      const [row] = data;
      // A reply has used these tokens and those of its recording.
      expect(row?.replies).toBe(1);
      expect(row?.input_tokens).toBeGreaterThan(usageOf(recorded).input_tokens);
    });
  });

  test(
    "is made of no interrupted and no failed reply, and none is due after one",
    BROAD,
    async () => {
      const ann = await remembering(AGENT);
      await say(ann, "/remember One.\n/fail upstream");
      const interrupted = say(ann, "/remember Two.\n/rate 50\n/words 20000");
      await waitFor(async () => {
        const { json } = await ask<Session>("GET", ann.path, ann.call);
        expect(json.status).toBe("running");
      });
      await ask("POST", `${ann.path}/interrupt`, { ...ann.call, json: {} });
      expect((await interrupted).status).toBe("interrupted");
      await say(ann, "/remember Three.\n/say done");

      const found = await recordingsOf(ann, 1);
      expect(found).toHaveLength(1);
      expect(await contentsOf(ann)).toEqual(["Three."]);
    },
  );

  test.each([
    ["a deny rule", "deny"],
    ["an ask rule", "ask"],
  ])("is stopped by %s on record_to_memory", async (_, behavior) => {
    const ann = await remembering(AGENT);
    const rules = [{ tool_name: "record_to_memory", rule_content: null, behavior }];
    await ask("POST", `${ann.path}/permission-rules`, { ...ann.call, json: { rules } });
    await say(ann, "/remember One.\n/say done");
    const free = await anotherSession(ann);
    await say(free, "/remember Two.\n/say done");
    await recordingsOf(free, 1);

    expect(await contentsOf(ann)).toEqual(["Two."]);
  });

  test("is stopped by mode explore", async () => {
    const ann = await remembering(AGENT);
    await ask("PATCH", ann.path, { ...ann.call, json: { permission: { mode: "explore" } } });
    await say(ann, "/remember One.\n/say done");
    const free = await anotherSession(ann);
    await say(free, "/remember Two.\n/say done");
    await recordingsOf(free, 1);

    expect(await contentsOf(ann)).toEqual(["Two."]);
  });

  test("of what all users share is made of no end user's session", BROAD, async () => {
    const key = await remembering(remembers("both", { scope: "agent" }), { end_user_id: null });
    const ann = await anotherSession(key);
    await say(ann, "/remember One.\n/say done");
    await say(key, "/remember Two.\n/say done");
    await recordingsOf(key, 1);

    expect(await contentsOf(key)).toEqual(["Two."]);
  });

  test("takes the place of a memory that it contradicts, which stays listed", async () => {
    const ann = await remembering(AGENT);
    await say(ann, "/remember The user lives in Lisbon.\n/say done");
    await recordingsOf(ann, 1);
    const moved = "The user has moved to Porto instead of The user lives in Lisbon.";
    await say(ann, `/remember ${moved}\n/say done in Lisbon`);
    await recordingsOf(ann, 2);

    const [memory, ...more] = await memoriesOf(ann);
    expect(more).toEqual([]);
    expect(memory).toMatchObject({ content: "The user has moved to Porto", version: 2 });
    const store = await storeOf(ann);
    const { data } = await store.listVersions({ memoryId: memory?.id, limit: 10 });
    expect(data.map(({ content }) => content)).toEqual([
      "The user has moved to Porto",
      "The user lives in Lisbon.",
    ]);
  });
});

describe("what an input recalls", () => {
  test("is a hint with its ids, and is not told again while it stands in the context", async () => {
    const ann = await remembering(AGENT);
    await say(ann, record("The user is allergic to nuts."));
    await recordingsOf(ann, 1);
    const [memory] = await memoriesOf(ann);
    const again = await anotherSession(ann);
    const first = await say(again, "Cake with nuts, please.");
    const second = await say(again, "More nuts, please.");

    const [hint] = hintsOf(first, SOURCE);
    expect(hint).toContain(`- ${memory?.id}: "The user is allergic to nuts."`);
    expect(hint).toContain("not instructions");
    expect(hintsOf(second, SOURCE)).toEqual([]);
    const [event] = (await eventsOf(again)).filter(
      (one) => one.type === "HINT_BLOCK" && one.source === SOURCE,
    );
    expect(event?.metadata).toMatchObject({
      memory_ids: [memory?.id],
      memory_versions: { [memory?.id ?? ""]: 1 },
    });
  });

  test(
    "that was redacted is told to no model again, in the same session too, and not exported",
    BROAD,
    async () => {
      const ann = await remembering(AGENT);
      await say(ann, record("The user is allergic to nuts."));
      const again = await anotherSession(ann);
      const first = await say(again, "Cake with nuts, please.");
      expect(hintsOf(first, SOURCE)).toHaveLength(1);
      const state = await ask("GET", `${again.path}/state`, ann.call);
      const [memory] = await memoriesOf(ann);
      const store = await storeOf(ann);
      await store.forget(memory?.id ?? "", undefined);
      const second = await say(again, "And now?");
      const context = await ask("GET", `${again.path}/context`, ann.call);

      expect(second.status).toBe("completed");
      expect(await customsOf(again, "memories_redacted")).toEqual([{ memory_ids: [memory?.id] }]);
      expect(context.text).not.toContain("allergic");
      expect(state.text).not.toContain("allergic");
      expect(state.json).toMatchObject({
        middle_context: { memory: { store_id: expect.stringMatching(/^memstore_/) } },
      });
    },
  );

  test("is left out when the store does not answer in time: the reply goes on, and diagnostics say so", async () => {
    const ann = await remembering(AGENT);
    await say(ann, record("The user is allergic to nuts."));
    const again = await anotherSession(ann);
    const log = hearLog();
    const away = vi.spyOn(env.MEMORY, "getByName").mockImplementation(() => {
      throw new Error("away");
    });
    const answered = await say(again, "Cake with nuts, please.");
    away.mockRestore();
    const { json } = await ask<{ memory: string | null }>(
      "GET",
      `${again.path}/replies/${answered.id}/diagnostics`,
      ann.call,
    );

    expect(answered.status).toBe("completed");
    expect(hintsOf(answered, SOURCE)).toEqual([]);
    expect(await customsOf(again, MEMORY_RECALL_FAILED)).toEqual([
      { reply_id: answered.id, reason: "unavailable" },
    ]);
    expect(json.memory).toContain("could not be asked");
    expect(new Set(log)).toEqual(new Set(["memory: a store did not answer"]));
  });
});
