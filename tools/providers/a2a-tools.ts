// Agents of other systems, over A2A.
import type { ToolDeclaration } from "../../agent/ports.ts";
import { openRemoteAgent, type OpenedAgent } from "../../a2a/open-remote-agent.ts";
import { DEFAULT_REMOTE_ANSWER_SECONDS } from "../../protocol/a2a/client-limits.ts";
import type { A2aTool } from "../../protocol/tools/a2a-tool.ts";
import { checkRemoteAgent } from "../a2a/check-remote-agent.ts";
import type { RemoteCalls } from "../a2a/remote-calls.ts";
import { runRemoteCall } from "../a2a/run-remote-call.ts";
import { failure } from "../answer-shape.ts";
import type { ToolKindOf } from "../tool-kind.ts";
import type { ToolAccess, ToolProvider } from "../tool-provider.ts";

/** Milliseconds in which the card of an agent is there. */
const CARD_MS = 20_000;

export const A2A_KIND: ToolKindOf<"a2a"> = {
  provide: (tools, { remote }) => a2aTools(tools, remote ?? null),
  check: checkRemoteAgent,
};

function a2aTools(definitions: readonly A2aTool[], remote: RemoteCalls | null): ToolProvider {
  const byName = new Map(definitions.map((tool) => [tool.name, tool]));
  const opened = new Map<string, OpenedAgent>();
  return {
    tools: definitions.map(declareRemote),
    returnsUntrusted: true,
    owns: (name) => byName.has(name),
    async *run(request, stop, access) {
      const tool = byName.get(request.name);
      if (!tool) {
        yield* failure(`There is no tool named ${request.name}.`);
        return;
      }
      const connection = linked(stop);
      const found = await openOnce(tool, access, connection.signal);
      connection.release();
      if (stop.aborted) return;
      if (!found.ok) {
        const { kind, reason, http_status } = found;
        access.report?.({ failure: { kind, http_status } });
        yield* failure(reason);
        return;
      }
      const answerMs = (tool.answer_ttl ?? DEFAULT_REMOTE_ANSWER_SECONDS) * 1_000;
      const { report } = access;
      const keepsContext = tool.context === "session";
      const call = { request, remote, answerMs, stop, report, keepsContext };
      yield* runRemoteCall({ client: found.connect(), ...call });
    },
  };

  /** Once for an execution: a card that was not found is looked for again. */
  async function openOnce(
    tool: A2aTool,
    { outgoing, secrets }: ToolAccess,
    signal: AbortSignal,
  ): Promise<OpenedAgent> {
    const known = opened.get(tool.name);
    if (known?.ok) return known;
    const ports = { outgoing, secrets, depth: remote?.depth ?? 0 };
    const found = await openRemoteAgent(tool, ports, signal);
    opened.set(tool.name, found);
    return found;
  }
}

/** The same call again goes on with its task. */
function declareRemote(tool: A2aTool): ToolDeclaration {
  const { name, description, input_schema, read_only } = tool;
  // Calls of one context are made one after another: each is said what the one before it has brought.
  const concurrency_safe = tool.concurrency_safe && tool.context !== "session";
  const { rule_argument, rule_syntax, editable, return_direct, confirmation_message } = tool;
  const { returns_untrusted, sink } = tool;
  const about = { name, description, input_schema, read_only, concurrency_safe };
  const people = { rule_argument, rule_syntax, editable, return_direct, confirmation_message };
  return { ...about, ...people, returns_untrusted, sink, idempotent: true };
}

function linked(stop: Parameters<ToolProvider["run"]>[1]): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  return {
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(CARD_MS)]),
    release: () => stop.removeEventListener("abort", abort),
  };
}
