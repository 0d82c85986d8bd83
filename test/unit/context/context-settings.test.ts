// Settings of an agent for its context.
import { describe, expect, it } from "vitest";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { ContextSettingsSchema } from "../../../protocol/context/contract.ts";

const MODEL = { provider: "openai", name: "small", credential_id: "crd_1" };

function problems(context: unknown): readonly string[] {
  const read = ContextSettingsSchema.safeParse(context);
  return read.success
    ? []
    : read.error.issues.map(({ path, message }) => `${path.join("/")}: ${message}`);
}

describe("the context of an agent", () => {
  it.each([
    {},
    { token_counter: "chars", context_size: 1_000, trigger_ratio: 0.5, reserve_ratio: 0 },
    { trigger_threshold: 10_000, keep_recent: 0 },
    { context_size: 10_000, trigger_threshold: 8_999 },
    { trigger_ratio: 0.9, reserve_ratio: 0.05 },
    { compression_model: MODEL, compression_enabled: false, compression_tool_enabled: true },
    { summary_template: "Next: {next_steps} {{sic}}", compression_prompt: "Sum up." },
    {
      summary_schema: { type: "object", properties: { topic: { type: "string" } } },
      summary_template: "{topic}",
    },
  ])("may be %j", (context) => {
    expect(problems(context)).toEqual([]);
  });

  it.each([
    [
      { trigger_ratio: 0.5, trigger_threshold: 10 },
      "trigger_threshold: give trigger_ratio or trigger_threshold, not both",
    ],
    [
      { trigger_ratio: 0.9 },
      "trigger_ratio: the soft threshold, 0.9 of the window, has to be below the hard one, which the reserve leaves at 0.9",
    ],
    [
      { reserve_ratio: 0.3 },
      "reserve_ratio: the soft threshold, 0.8 of the window, has to be below the hard one, which the reserve leaves at 0.7",
    ],
    [
      { context_size: 10_000, trigger_threshold: 9_000 },
      "trigger_threshold: has to be below the hard threshold, which is 9000 tokens: context_size less the reserve",
    ],
    [
      { summary_template: "{next_step}" },
      "summary_template: names {next_step}, which is no property of the summary's schema; did you mean `next_steps`?",
    ],
    [
      { summary_template: "{next_steps/0}" },
      "summary_template: names {next_steps/0}, which is no property of the summary's schema; did you mean `next_steps`?",
    ],
    [
      { summary_template: "nothing" },
      "summary_template: has no placeholder, so it would hold nothing of the summary",
    ],
    [
      { summary_template: "{next_steps} }" },
      "summary_template: has a } without its other half; write }}",
    ],
    [
      {
        summary_schema: { type: "object", properties: { topic: {} } },
        summary_template: "{next_steps}",
      },
      "summary_template: names {next_steps}, which is no property of the summary's schema",
    ],
    [
      { summary_schema: { type: "string" } },
      'summary_schema: the schema has to be one of an object: give it "type": "object" at its root',
    ],
  ])("may not be %j", (context, problem) => {
    expect(problems(context)).toEqual([problem]);
  });

  it.each([
    { trigger_ratio: 0 },
    { trigger_ratio: 0.95, reserve_ratio: 0 },
    { reserve_ratio: 0.6, trigger_ratio: 0.1 },
    { context_size: 999 },
    { keep_recent: 101 },
    { keep_recent: 1.5 },
    { token_counter: "words" },
    { compression_prompt: "" },
    { compression_model: { provider: "openai" } },
    { unknown: 1 },
  ])("may not be %j, by its bounds", (context) => {
    expect(problems(context)).toHaveLength(1);
  });

  it("keeps the name of its tool for the platform", () => {
    const tools = [{ type: "external", name: "compress_context" }];
    const read = AgentCreateSchema.safeParse({ name: "Agent", tools });

    expect(read.error?.issues.map(({ message }) => message)).toEqual([
      "the names GenerateStructuredOutput, update_shared_state, read_tool_result, compress_context, answer_remote_agent are the platform's",
    ]);
  });
});
