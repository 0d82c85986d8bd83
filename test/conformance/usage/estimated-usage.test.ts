// The usage of model calls that did not end by themselves.
import { describe, expect, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { diagnose, openChat } from "../diagnostics/diagnosed-chat.ts";

describe("the usage of a call that did not end by itself", () => {
  test("is estimated and marked, in the log, the reply and the diagnostics", async () => {
    const chat = await openChat([
      async (stream) => {
        stream.text("A".repeat(400));
        await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
      },
    ]);
    const path = `/v1/sessions/${chat.session}/replies`;
    const body = { input: "B".repeat(4_000), stream: true };
    const response = await openRequest("POST", path, { key: chat.key, body });
    await readSse(response, { until: ({ event }) => event === "TEXT_BLOCK_DELTA" });

    const ended = await request<{ reply: Reply }>(
      "POST",
      `/v1/sessions/${chat.session}/interrupt`,
      { key: chat.key },
    );
    const { reply } = ended.body;
    const found = await diagnose(chat, reply.id);

    expect(reply.status).toBe("interrupted");
    expect(reply.usage?.input_tokens).toBeGreaterThanOrEqual(1_000);
    expect(reply.usage?.input_tokens).toBeLessThan(1_200);
    expect(reply.usage?.output_tokens).toBe(100);
    expect(found.model_calls).toMatchObject([
      { outcome: "interrupted", usage: reply.usage, usage_estimated: true },
    ]);
    const events = await request<{ data: { type: string; metadata: object }[] }>(
      "GET",
      `/v1/sessions/${chat.session}/events?limit=100`,
      { key: chat.key },
    );
    expect(events.body.data.find(({ type }) => type === "MODEL_CALL_END")).toMatchObject({
      input_tokens: reply.usage?.input_tokens,
      output_tokens: 100,
      finished_reason: "interrupted",
      metadata: { usage_estimated: true },
    });
    await expect
      .poll(async () => {
        const limits = await request<{ used: Record<string, number> }>("GET", "/v1/limits", {
          key: chat.key,
        });
        return limits.body.used["tokens_per_day"];
      })
      .toBe((reply.usage?.input_tokens ?? 0) + 100);
  });
});
