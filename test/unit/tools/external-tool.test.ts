import { describe, expect, it } from "vitest";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { ExternalToolSchema } from "../../../protocol/tools/external-tool.ts";
import { MAX_WAITING_SECONDS } from "../../../protocol/confirmations/limits.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { createSecretSource } from "../../../outgoing/secret-source.ts";
import { createToolRunner } from "../../../tools/tool-runner.ts";
import { collect } from "../../support/collect.ts";

const LABEL = { type: "external", name: "print_label" } as const;

function runnerOf(tool: Readonly<Record<string, unknown>>) {
  return createToolRunner({
    tools: [ExternalToolSchema.parse({ ...LABEL, ...tool })],
    outgoing: createOutgoing({ environment: "local", fetch }),
    secrets: createSecretSource(new Map()),
  });
}

describe("an external tool", () => {
  it("is declared with the flags that every tool has", () => {
    const flags = { read_only: true, concurrency_safe: true, idempotent: true };
    const matching = {
      edits_files: true,
      rule_argument: "/path",
      rule_syntax: "path",
      editable: [],
    };

    expect(runnerOf({ description: "Prints.", ...flags, ...matching }).tools).toEqual([
      {
        name: "print_label",
        description: "Prints.",
        input_schema: { type: "object" },
        ...flags,
        ...matching,
        external: {},
      },
    ]);
  });

  it("waits as many seconds as it says", () => {
    expect(runnerOf({ result_ttl: 90 }).tools[0]?.external).toEqual({ result_ttl_ms: 90_000 });
  });

  it("is never run here", async () => {
    const request = {
      tool_call_id: "call_1",
      name: "print_label",
      input: {},
      session_id: "ses_1",
      reply_id: "rep_1",
      end_user_id: null,
    };
    const chunks = await collect(runnerOf({}).run(request, new AbortController().signal));

    expect(chunks).toEqual([
      { type: "text", delta: "print_label is run by an external system." },
      { type: "end", state: "error" },
    ]);
  });

  it.each([
    ["no time at all", { result_ttl: 0 }],
    ["more than a month", { result_ttl: MAX_WAITING_SECONDS + 1 }],
    ["part of a second", { result_ttl: 0.5 }],
    ["an address, which it has none", { url: "https://shop.example" }],
    ["a credential, which it needs none", { credential_id: "crd_1" }],
  ])("is refused with %s", (_, members) => {
    expect(ExternalToolSchema.safeParse({ ...LABEL, ...members }).success).toBe(false);
  });
});

describe("an agent", () => {
  it("may say how long its questions wait, up to a month", () => {
    const parse = (confirmation_ttl: unknown) =>
      AgentCreateSchema.safeParse({ name: "Desk", confirmation_ttl });

    expect(parse(MAX_WAITING_SECONDS).data?.confirmation_ttl).toBe(MAX_WAITING_SECONDS);
    expect(parse(MAX_WAITING_SECONDS + 1).success).toBe(false);
    expect(parse(0).success).toBe(false);
    expect(parse(undefined)).toMatchObject({ success: true });
    expect(parse(undefined).data?.confirmation_ttl).toBe(undefined);
  });
});
