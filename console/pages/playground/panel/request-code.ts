// The last request of the playground as code that does the same: with curl, with the SDK, and in AG-UI.
import type { SentRequest } from "../sent-request.ts";

export type CodeKind = "curl" | "typescript" | "ag-ui";

interface CodePlace {
  readonly agentId: string;
  /** The session that the page shows. */
  readonly sessionId: string;
}

/** Members of a body as they are used here: the page wrote them itself. */
type Json = Readonly<Record<string, unknown>>;

export function codeOf(kind: CodeKind, request: SentRequest, place: CodePlace): string {
  if (kind === "curl") return curlOf(request);
  return kind === "typescript" ? typeScriptOf(request, place) : agUiOf(request, place);
}

function curlOf({ path, body }: SentRequest): string {
  const lines = [`curl -X POST "$BASE_URL${path}" \\`, `  -H "Authorization: Bearer $API_KEY"`];
  if (body) {
    lines[1] += " \\";
    lines.push(`  -H "Content-Type: application/json" \\`, `  -d ${quote(textOf(body))}`);
  }
  const stream = isReply(path) ? ["", "# Its answer, event by event:", streamOf(path)] : [];
  return [...lines, ...stream].join("\n");
}

function streamOf(path: string): string {
  return `curl -N "$BASE_URL${path.replace(/\/replies$/, "/events")}?follow=session" \\
  -H "Authorization: Bearer $API_KEY" -H "Accept: text/event-stream"`;
}

function typeScriptOf({ path, body }: SentRequest, { sessionId }: CodePlace): string {
  const head = `import { Reprise } from "@reprise/sdk";

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "" } = process.env;
const reprise = new Reprise({ baseUrl, apiKey });
`;
  if (path === "/v1/sessions") {
    return `${head}const session = await reprise.sessions.create(${textOf(body)});\n`;
  }
  const opened = `${head}const session = reprise.session(${textOf(sessionId)});\n`;
  if (isReply(path)) return `${opened}${replyCode(body ?? {})}`;
  if (path.includes("/interrupt")) {
    const options = path.includes("queued=drop") ? `{ queued: "drop" }` : "";
    return `${opened}await session.interrupt(${options});\n`;
  }
  return `${opened}${answersOf(body ?? {})
    .map(answerCode)
    .join("\n")}\n`;
}

function replyCode({ input, structured_schema, on_busy }: Json): string {
  const options = {
    ...(on_busy !== undefined && { onBusy: on_busy }),
    ...(structured_schema !== undefined && { structuredSchema: structured_schema }),
  };
  return `const reply = session.reply(${textOf(input)}, ${textOf(options)});
for await (const event of reply) {
  if (event.type === "TEXT_BLOCK_DELTA") process.stdout.write(event.delta);
}
`;
}

type Answer =
  | { readonly kind: "confirm"; readonly callId: string; readonly answer: Json }
  | { readonly kind: "result"; readonly callId: string; readonly answer: Json };

/** The answers of an event that was posted. */
function answersOf(event: Json): readonly Answer[] {
  const { type, metadata, confirm_results, execution_results } = event as {
    type?: string;
    metadata?: { reasons?: Readonly<Record<string, string>> };
    confirm_results?: readonly {
      confirmed: boolean;
      tool_call: { id: string; input?: string };
      rules?: readonly unknown[];
    }[];
    execution_results?: readonly { id: string; output: unknown; state?: string }[];
  };
  if (type === "USER_CONFIRM_RESULT") {
    return (confirm_results ?? []).map(({ confirmed, tool_call: { id, input }, rules }) => {
      const reason = metadata?.reasons?.[id];
      const answer = {
        confirmed,
        ...(input !== undefined && { input: parsed(input) }),
        ...(rules !== undefined && { rules }),
        ...(reason !== undefined && { reason }),
      };
      return { kind: "confirm", callId: id, answer };
    });
  }
  return (execution_results ?? []).map(({ id, ...answer }) => ({
    kind: "result",
    callId: id,
    answer,
  }));
}

function answerCode({ kind, callId, answer }: Answer): string {
  const name = kind === "confirm" ? "confirm" : "submitToolResults";
  return `await session.${name}(${textOf(callId)}, ${textOf(answer)});`;
}

function agUiOf({ path, body }: SentRequest, { agentId, sessionId }: CodePlace): string {
  const head = (
    packageName: string,
    className: string,
  ) => `import { ${className} } from "${packageName}";

const { BASE_URL = "", API_KEY = "" } = process.env;
const agent = new ${className}({
  url: \`\${BASE_URL}/v1/agents/${agentId}/ag-ui\`,
  headers: { Authorization: \`Bearer \${API_KEY}\` },
  threadId: ${textOf(sessionId)},
});
`;
  const client = head("@ag-ui/client", "HttpAgent");
  if (path === "/v1/sessions") {
    return `${client}// A thread is a session. With a name of your own as threadId, the first run opens one.\n`;
  }
  if (isReply(path)) {
    const note =
      body?.["structured_schema"] === undefined
        ? ""
        : "// AG-UI has no schema of a reply: give the agent one.\n";
    const run = "await agent.runAgent({}, { onEvent: ({ event }) => console.log(event) });";
    return `${client}${note}agent.addMessage(${textOf(toAgUiMessage(body?.["input"]))});\n${run}\n`;
  }
  if (path.includes("/interrupt")) {
    const options = path.includes("queued=drop") ? `{ queued: "drop" }` : "";
    return `${head("@reprise/sdk/ag-ui", "RepriseAgent")}await agent.interrupt(${options});\n`;
  }
  const { reply_id: replyId = "" } = (body ?? {}) as { reply_id?: string };
  const resume = answersOf(body ?? {}).map(({ kind, callId, answer }) => ({
    interruptId: `${replyId}:${callId}`,
    status: "resolved",
    payload: kind === "confirm" ? toAgUiAnswer(answer) : answer,
  }));
  return `${client}await agent.runAgent({ resume: ${textOf(resume)} });\n`;
}

function toAgUiAnswer({ confirmed, input, rules }: Json): Json {
  return {
    approved: confirmed,
    ...(input !== undefined && { editedArgs: input }),
    ...(rules !== undefined && { rules }),
  };
}

/** A message of ours as AG-UI writes it: text alone, or parts. */
function toAgUiMessage(input: unknown): Json {
  const { id, content } = (input ?? {}) as { id?: string; content?: unknown };
  if (!Array.isArray(content)) return { id, role: "user", content };
  const blocks = content as readonly {
    type: string;
    text?: string;
    name?: string;
    source?: { url?: string; data?: string; media_type?: string };
  }[];
  const isText = blocks.every(({ type }) => type === "text");
  if (isText) return { id, role: "user", content: blocks.map(({ text }) => text).join("\n") };
  const parts = blocks.map(({ type, text, source }) => {
    if (type === "text") return { type, text };
    const kind = /^(image|audio|video)\//.exec(source?.media_type ?? "")?.[1] ?? "document";
    const place =
      source?.url === undefined
        ? { type: "data", value: source?.data, mimeType: source?.media_type }
        : { type: "url", value: source.url, mimeType: source.media_type };
    return { type: kind, source: place };
  });
  return { id, role: "user", content: parts };
}

function isReply(path: string): boolean {
  return path.endsWith("/replies");
}

/** JSON, which is TypeScript too. */
function textOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "undefined";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One word of a POSIX shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
