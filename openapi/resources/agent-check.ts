// The check of an agent.
import { AgentCheckCreateSchema, AgentCheckSchema } from "../../protocol/agents/agent-check.ts";
import { AGENT_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const checked = {
  agent_id: AGENT_ID,
  version: 1,
  ok: true,
  model: {
    name: "refund-desk",
    provider: "scripted",
    credential_id: null,
    status: "ok",
    host: null,
    http_status: null,
    kind: null,
    code: null,
    message: null,
    duration_ms: 0,
    note: "The embedded model needs no network.",
    hint: null,
  },
  fallbacks: [],
  compression_model: null,
  tools: [
    {
      name: "lookup_order",
      type: "http",
      method: "OPTIONS",
      status: "warning",
      host: "shop.example",
      http_status: 401,
      kind: "credential_refused",
      code: null,
      message: null,
      duration_ms: 48,
      note: "The server answered 401.",
      hint: "The definition names no credential: give it a credential_id.",
    },
  ],
  tokens: 0,
};

export const AGENT_CHECK = {
  operations: {
    checkAgent: {
      tag: "Agents",
      summary: "Check an agent",
      description: [
        "Asks the model and each fallback model for one token, and each http tool's server whether it is there: OPTIONS",
        "to its `url`, or GET to its `check_url`, with the tool's headers and secrets. Runs no tool. A few at a time, 15",
        "seconds for each and 20 for all. It counts as a running reply meanwhile, and its tokens count for the day's quota.",
        "The answer is 200 whatever was found.",
      ].join(" "),
      request: { json: AgentCheckCreateSchema, examples: ["checkNewest"] },
      answers: {
        200: { description: "What was found.", json: AgentCheckSchema, examples: ["checkedAgent"] },
      },
      errors: ["quota_exceeded"],
    },
  },

  fieldDescriptions: {
    "AgentCheck.ok": "Whether nothing has failed; warnings leave it true.",
    "AgentCheck.model": "The agent's model.",
    "AgentCheck.fallbacks": "Its fallback models, in their order.",
    "AgentCheck.compression_model":
      "The model that writes summaries of long conversations, `context.compression_model`; null when it is the agent's own.",
    "AgentCheck.tools": "Its tools, in their order.",
    "AgentCheck.tokens": "Tokens that the check has used.",
    "AgentCheck.version": "The version that was checked; in a request, the newest when left out.",
    "ModelCheck.provider": "The adapter that asked it.",
    "ModelCheck.credential_id": "The credential that was sent, or null.",
    "ToolCheck.type": "The kind of tool. Only http tools are asked.",
    "ToolCheck.method": "The method of the request, or null when none was sent.",
    "ModelCheck.name": "The model's name.",
    "ModelCheck.status":
      "`warning`: it was reached, but calls may be refused, or it could not be checked.",
    "ModelCheck.host": "Host and port that were asked, or null when nothing was sent.",
    "ModelCheck.http_status":
      "The HTTP status of a model that refused or of a tool's server, or null.",
    "ModelCheck.kind": "What went wrong, or null.",
    "ModelCheck.code": "The other side's error code, or null.",
    "ModelCheck.message": "The other side's message, redacted and cut, or null.",
    "ModelCheck.note": "What was found, in words.",
    "ModelCheck.hint": "What to do next, or null.",
    "ToolCheck.name": "The tool's name.",
    "ToolCheck.status":
      "`warning`: it was reached, but calls may be refused, or it could not be checked.",
    "ToolCheck.host": "Host and port that were asked, or null when nothing was sent.",
    "ToolCheck.http_status":
      "The HTTP status of a model that refused or of a tool's server, or null.",
    "ToolCheck.kind": "What went wrong, or null.",
    "ToolCheck.code": "The other side's error code, or null.",
    "ToolCheck.message": "The other side's message, redacted and cut, or null.",
    "ToolCheck.note": "What was found, in words.",
    "ToolCheck.hint": "What to do next, or null.",
  },
  examples: {
    checkNewest: { summary: "The newest version", value: {} },
    checkedAgent: { summary: "A tool whose server wants a credential", value: checked },
  },
} as const satisfies Resource;
