// The tool with which a reply of an agent of another system waits for what that agent needs. No model is offered it: the
// adapter of such agents alone calls it, and sends the answer on.
import { confirmsOf, readQuestions } from "../../agent/a2a/read-questions.ts";
import type { ToolCallRequest, ToolChunk, ToolDeclaration } from "../../agent/ports.ts";
import { REMOTE_QUESTION_TOOL } from "../../protocol/a2a/remote-conversation.ts";
import { REMOTE_REPLY_ANSWER_SECONDS } from "../../protocol/a2a/remote-limits.ts";
import type { A2aMessage, A2aPart } from "../../protocol/a2a/wire.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import type { InputResponses } from "../../protocol/mcp/events.ts";
import type { ModelDefinition } from "../../protocol/models/contract.ts";
import { failure } from "../answer-shape.ts";
import type { ToolProvider } from "../tool-provider.ts";

const TOOL: ToolDeclaration = {
  name: REMOTE_QUESTION_TOOL,
  description: "Waits for the answer that the agent of another system needs.",
  input_schema: {
    type: "object",
    properties: {
      task_id: { type: "string" },
      agent: { type: "string" },
      is_sign_in: { type: "boolean" },
      parts: { type: "string" },
    },
    required: ["task_id", "agent", "is_sign_in", "parts"],
  },
  read_only: true,
  concurrency_safe: false,
  // A question is asked again after a crash, and answers nothing by itself.
  idempotent: true,
  permission_default: "allow",
};

/** @param model The agent's; left out where no reply is run. */
export function remoteQuestionTools(model: ModelDefinition | undefined): ToolProvider {
  return {
    tools: model?.provider === "a2a" ? [TOOL] : [],
    owns: (name) => model?.provider === "a2a" && name === REMOTE_QUESTION_TOOL,
    async *run(request) {
      yield* ask(request);
    },
  };
}

function* ask({ input, answered }: ToolCallRequest): Generator<ToolChunk, void> {
  const { task_id, agent, is_sign_in, parts } = isJsonObject(input) ? input : {};
  const message: A2aMessage = { messageId: "", role: "ROLE_AGENT", parts: readParts(parts) };
  const read = readQuestions(message, is_sign_in === true);
  if (!read.ok) {
    yield* failure(`The agent ${read.problem}.`);
    return;
  }
  const { requests, asked, settled } = read;
  const isAsking = Object.keys(requests).length > 0 && !answered;
  if (isAsking) {
    const server = typeof agent === "string" ? agent : "";
    const elicitation = { server, round: 1, requests, held: false, ...confirmsOf(asked) };
    yield { type: "ask", elicitation, ttl_ms: REMOTE_REPLY_ANSWER_SECONDS * 1_000 };
    return;
  }
  const responses: InputResponses = { ...settled, ...answered?.responses };
  yield { type: "text", delta: JSON.stringify({ task_id, asked, responses }) };
  yield { type: "end", state: "success" };
}

/** As the adapter has written them. */
function readParts(text: unknown): readonly A2aPart[] {
  try {
    const parts: unknown = JSON.parse(String(text));
    return Array.isArray(parts) ? (parts as readonly unknown[]).filter(isJsonObject) : [];
  } catch {
    return [];
  }
}
