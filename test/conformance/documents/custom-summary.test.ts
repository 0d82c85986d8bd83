// The document's summary of one's own: its schema, its prompt and its template, written by the embedded model.
import { expect, it } from "vitest";

import type { SessionContext } from "../../../protocol/context/compression.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

const field = (maxLength: number, description: string) => ({
  type: "string",
  maxLength,
  description,
});

const CUSTOM = {
  compression_prompt:
    "<system-hint>Summarize the conversation focusing on the main topic, key points, and pending tasks.</system-hint>",
  summary_schema: {
    type: "object",
    properties: {
      main_topic: field(200, "The main topic of the conversation"),
      key_points: field(400, "Important points discussed"),
      pending_tasks: field(200, "Tasks that remain to be done"),
    },
    required: ["main_topic", "key_points", "pending_tasks"],
  },
  summary_template:
    "<system-info>Summary:\nMain Topic: {main_topic}\n\nKey Points:\n{key_points}\n\nPending Tasks:\n{pending_tasks}</system-info>",
};

it("takes the place of the older messages", async () => {
  const { key } = await createTenant();
  const context = { token_counter: "chars", trigger_threshold: 10_000, keep_recent: 3, ...CUSTOM };
  const model = { provider: "scripted", name: "refund-desk" };
  const agent = await createAgent(key, { context: { ...context, compression_model: model } });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  for (const input of ["Where is A-1001?", "And A-1002?", "Thank you."]) {
    await request("POST", `${path}/replies`, { key, body: { input } });
  }
  const compressed = await request("POST", `${path}/compress`, { key, body: {} });
  const { body } = await request<SessionContext>("GET", `${path}/context`, { key });

  expect(compressed.status).toBe(200);
  expect(JSON.stringify(body)).toMatch(
    /<system-info>Summary:\\nMain Topic: A customer talks to the refund desk\.\\n\\nKey Points:\\n.+\\n\\nPending Tasks:\\nNone\.<\/system-info>/,
  );
});
