// Errors that come with status 200: in the stream or in place of it, in the forms of many endpoints.
import { describe, expect, it } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import { modelError } from "../../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import type { ErrorType } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { eventText, startWire, WIRES, type Wire } from "./wires.ts";

const request = { system_prompt: "", messages: [], tools: [] };

interface Played {
  readonly chunks: readonly ModelChunk[];
  readonly failure: FailureReport | undefined;
}

async function play(wire: Wire, raw: string, contentType = "text/event-stream"): Promise<Played> {
  const server = await startWire(wire, (body) => body.answer(raw, contentType));
  let failure: FailureReport | undefined;
  const stream = wire.model(server.url).stream(request, new AbortController().signal, (told) => {
    if ("failure" in told) ({ failure } = told);
  });
  return { chunks: joinChunks(await collect(stream)), failure };
}

function said(type: ErrorType, isTooLong: boolean): ModelChunk {
  return { error: modelError(type), ...(isTooLong && { context_too_long: true }) };
}

const CUDA = "CUDA error: device-side assert triggered";
const LENGTH = "This model's maximum context length is 8192 tokens.";

/** The error that is sent, and the report of it. */
const ERRORS: readonly [string, string, ErrorType, FailureReport][] = [
  [
    "saberjack/SHTUCodeProxy#4: vLLM's object, 500",
    `data: ${JSON.stringify({ object: "error", message: CUDA, code: 500 })}\n\ndata: [DONE]\n\n`,
    "upstream",
    { kind: "provider_error", code: "500", message: CUDA },
  ],
  [
    "saberjack/SHTUCodeProxy#4: vLLM's object, 400",
    'data: {"object":"error","message":"bad","type":"BadRequestError","code":400}\n\n',
    "invalid_request",
    { kind: "invalid_request", code: "BadRequestError", message: "bad" },
  ],
  [
    "saberjack/SHTUCodeProxy#4: vLLM's object about the length",
    `data: ${JSON.stringify({ object: "error", message: LENGTH })}\n\ndata: [DONE]\n\n`,
    "invalid_request",
    { kind: "context_too_long", message: LENGTH },
  ],
  [
    "saberjack/SHTUCodeProxy#4: FastAPI's detail",
    'data: {"detail":"Internal server error"}\n\ndata: [DONE]\n\n',
    "upstream",
    { kind: "provider_error", message: "Internal server error" },
  ],
  [
    "FastAPI's list of details",
    'data: {"detail":[{"loc":["body"],"msg":"field required"}],"status":422}\n\n',
    "invalid_request",
    { kind: "invalid_request", code: "422", message: "field required" },
  ],
  [
    "an event of the name error, with a message alone",
    'event: error\ndata: {"message":"overloaded"}\n\n',
    "upstream",
    { kind: "provider_error", message: "overloaded" },
  ],
  [
    "an event of the name error, with words",
    "event: error\ndata: Bad gateway\n\n",
    "upstream",
    { kind: "provider_error", message: "Bad gateway" },
  ],
  [
    "an event of the name error, without data's end",
    'event: error\ndata: {"error":{"code":429,"message":"slow down"}}',
    "rate_limit",
    { kind: "rate_limited", code: "429", message: "slow down" },
  ],
  [
    "an error as a text",
    'data: {"error":"model runner has stopped"}\n\n',
    "upstream",
    { kind: "provider_error", message: "model runner has stopped" },
  ],
  [
    "an error that is true, and its words beside it",
    'data: {"error":true,"message":"no such model","status_code":404}\n\n',
    "invalid_request",
    { kind: "not_found", message: "no such model" },
  ],
  [
    "adrianlyjak/obsidian-aloud-tts#114: MiniMax's numbers",
    'data: {"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}\n\n',
    "permission",
    { kind: "quota_spent", code: "402", message: "insufficient balance" },
  ],
  [
    "modelscope/modelscope#1691: MiniMax's balance",
    'data: {"error":{"http_code":"429","message":"(1008)","type":"insufficient_balance_error"}}\n\n',
    "permission",
    { kind: "quota_spent", code: "insufficient_balance_error", message: "(1008)" },
  ],
  [
    "Cloudflare's list of errors",
    'data: {"errors":[{"message":"no such model","code":"model_not_found"}],"success":false}\n\n',
    "invalid_request",
    { kind: "not_found", code: "model_not_found", message: "no such model" },
  ],
  [
    "a status beside the error",
    'data: {"error":{"message":"no"},"code":401}\n\n',
    "authentication",
    { kind: "credential_refused", message: "no" },
  ],
  [
    "Google's list of one error",
    'data: [{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]\n\n',
    "invalid_request",
    { kind: "invalid_request", code: "INVALID_ARGUMENT", message: "bad" },
  ],
  [
    "a line of JSON without data:",
    '{"error":{"code":403,"message":"not yours"}}\n\n',
    "permission",
    { kind: "permission_refused", code: "403", message: "not yours" },
  ],
  [
    "lines of JSON without data:, and without an end",
    '{\n  "error": {\n    "type": "rate_limit_error",\n    "message": "slow down"\n  }\n}',
    "rate_limit",
    { kind: "rate_limited", code: "rate_limit_error", message: "slow down" },
  ],
];

/** Whole bodies in place of a stream. */
const BODIES: readonly [string, unknown, ErrorType, FailureReport][] = [
  [
    "comet-ml/opik#1138: 429",
    { error: { code: 429, message: "slow down" } },
    "rate_limit",
    { kind: "rate_limited", code: "429", message: "slow down" },
  ],
  [
    "comet-ml/opik#1138: 401",
    { error: { code: 401, message: "no such key" } },
    "authentication",
    { kind: "credential_refused", code: "401", message: "no such key" },
  ],
  [
    "the length",
    { message: LENGTH, code: 400 },
    "invalid_request",
    { kind: "context_too_long", code: "400", message: LENGTH },
  ],
  [
    "a list",
    [{ error: { code: 503, message: "down" } }],
    "upstream",
    { kind: "provider_error", code: "503", message: "down" },
  ],
  ["nothing known", { status: "ok" }, "upstream", { kind: "malformed_answer" }],
];

describe.each(WIRES)("an error in an answer of $name, as", (wire) => {
  it.each(ERRORS)("%s, is told as one", async (_case, raw, type, report) => {
    const { chunks, failure } = await play(wire, raw);

    expect(chunks).toEqual([said(type, report.kind === "context_too_long")]);
    expect(failure).toEqual(report);
  });

  it.each(ERRORS)("%s, is told as one after half a sentence", async (_case, raw, type, report) => {
    const { chunks, failure } = await play(wire, eventText(wire.text("Half a sent")) + raw);

    const end = said(type, report.kind === "context_too_long");
    expect(chunks).toEqual([{ text: "Half a sent" }, end]);
    expect(failure).toEqual(report);
  });

  it.each(BODIES)("a body of JSON about %s, is told as one", async (_case, body, type, report) => {
    for (const text of [JSON.stringify(body), `\n\n${JSON.stringify(body, null, 2)}\n`]) {
      const { chunks, failure } = await play(wire, text, "application/json");

      expect(chunks).toEqual([said(type, report.kind === "context_too_long")]);
      expect(failure).toEqual(report);
    }
  });
});
