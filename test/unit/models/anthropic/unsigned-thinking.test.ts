// Thinking without a signature, as compatible endpoints of the Messages API give it, and want it back.
import { describe, expect, it, onTestFinished } from "vitest";

import { createAnthropicModel } from "../../../../model/anthropic/anthropic-model.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { FakeBody, startFakeEndpoint } from "../../../support/fake-endpoint.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";

interface Turn {
  readonly role: string;
  readonly content: readonly { readonly type: string }[];
}

const THINKING = [
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  { type: "content_block_stop", index: 0 },
];
const CALL = [
  {
    type: "content_block_start",
    index: 1,
    content_block: { type: "tool_use", id: "call_1", name: "look_up", input: {} },
  },
  { type: "content_block_stop", index: 1 },
  { type: "message_delta", delta: { stop_reason: "tool_use" } },
  { type: "message_stop" },
];
const DONE = [
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
  { type: "message_delta", delta: { stop_reason: "end_turn" } },
  { type: "message_stop" },
];

describe("thinking without a signature", () => {
  it.each([
    ["a refusal", false],
    ["an error within the stream", true],
  ])(
    "goes back with its call where %s asks for it (anomalyco/opencode#24722)",
    async (_case, isInStream) => {
      const server = await startFakeEndpoint("/v1/messages", (response) => new FakeBody(response), [
        (body, { body: given }) => {
          const { messages } = given as { messages: readonly Turn[] };
          const calling = messages.find(({ role }) => role === "assistant");
          const message =
            "The `content[].thinking` in the thinking mode must be passed back to the API.";
          if (calling && calling.content[0]?.type !== "thinking") {
            const refusal = { type: "error", error: { type: "invalid_request_error", message } };
            if (isInStream) body.raw(`event: error\ndata: ${JSON.stringify(refusal)}\n\n`);
            else body.refuse(400, refusal);
            if (isInStream) body.end();
            return;
          }
          const events = calling ? DONE : [...THINKING, ...CALL];
          body.raw(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
          body.end();
        },
      ]);
      onTestFinished(() => server.stop());
      const model = createAnthropicModel({
        definition: { provider: "anthropic", name: "m", base_url: server.url, parameters: {} },
        outgoing: createOutgoing({ environment: "local", fetch }),
      });
      const tools = functionTools({ look_up: { run: () => "found" } });

      const log = await runScript({ script: "Look it up.", tools, models: [model] });

      expect(log.state.message.finished_reason).toBe("completed");
      const sent = server.requests.map(
        ({ body }) => (body as { messages: readonly Turn[] }).messages[1]?.content[0],
      );
      expect(sent).toEqual([
        undefined,
        expect.objectContaining({ type: "tool_use" }),
        { type: "thinking", thinking: "Hm.", signature: "" },
      ]);
    },
  );
});
