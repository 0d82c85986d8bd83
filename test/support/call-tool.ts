// One call of an http tool, as the loop makes it.
import { onTestFinished } from "vitest";

import type { ToolChunk } from "../../agent/ports.ts";
import { HttpToolSchema } from "../../protocol/tools/http-tool.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import type { OpenedCredential, SecretSource } from "../../outgoing/secret-source.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import { createToolRunner } from "../../tools/tool-runner.ts";
import { collect } from "./collect.ts";
import { startToolServer, type ToolRoute, type ToolServer } from "./tool-server.ts";

export interface ToolCallArrangement {
  /** Members of the tool's definition. */
  readonly tool?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
  readonly tool_call_id?: string;
}

/** Secrets by credential id, for these hosts; for any when left out. */
export function secretsFor(
  secrets: Readonly<Record<string, string>>,
  allowed_hosts: readonly string[] | null = null,
): SecretSource {
  const opened = Object.entries(secrets).map(([id, secret]): [string, OpenedCredential] => [
    id,
    { secret, allowed_hosts },
  ]);
  return createSecretSource(new Map(opened));
}

/** A server whose path `/tool` is `route`, until the test is over. */
export async function serve(route: ToolRoute): Promise<ToolServer> {
  const server = await startToolServer({ "/tool": route });
  onTestFinished(() => server.stop());
  return server;
}

/** Calls the tool at an address; nothing is sent before the first chunk is asked for. */
export function run(url: string, arrangement: ToolCallArrangement = {}): AsyncIterable<ToolChunk> {
  const { tool = {}, secrets = {}, stop = new AbortController().signal } = arrangement;
  const definition = HttpToolSchema.parse({ type: "http", name: "look_up", url, ...tool });
  const runner = createToolRunner({
    tools: [definition],
    outgoing: createOutgoing({ environment: "local", fetch }),
    secrets: secretsFor(secrets),
  });
  return runner.run(
    {
      tool_call_id: arrangement.tool_call_id ?? "call 1/ü",
      name: "look_up",
      input: { order: "A-17" },
      session_id: "ses_1",
      reply_id: "rep_1",
      end_user_id: "user-9",
    },
    stop,
  );
}

/** Calls a tool that answers by `route`. */
export async function call(
  route: ToolRoute,
  tool: Readonly<Record<string, unknown>> = {},
): Promise<ToolChunk[]> {
  const server = await serve(route);
  return collect(run(`${server.url}/tool`, { tool }));
}

/** The chunks that the loop is given when a call failed. */
export function failed(text: string): ToolChunk[] {
  return [
    { type: "text", delta: text },
    { type: "end", state: "error" },
  ];
}
