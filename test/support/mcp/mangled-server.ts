// An MCP server whose good answers are written in odd forms, or broken, by a mangling that a test chooses.
import type { ServerResponse } from "node:http";
import fc from "fast-check";

import { startLoopbackServer } from "../loopback-server.ts";

type Stage = "open" | "tools/list" | "tools/call";

/** A form that the protocol and its framing allow: the answer has to be understood. */
interface OddForm {
  readonly isStream: boolean;
  readonly type: string | null;
  readonly lineEnd: "\n" | "\r\n" | "\r";
  readonly mark: "" | "\ufeff";
  /** Of a stream: whole events before the answer. Of JSON: members of a batch. */
  readonly before: readonly (
    | "comment"
    | "ping"
    | "empty"
    | "words"
    | "notice"
    | "progress"
    | "other"
  )[];
  readonly hasFinalBlankLine: boolean;
  readonly isTwice: boolean;
  readonly isIndented: boolean;
  readonly hasNulls: boolean;
  readonly isReversed: boolean;
  /** The places at which the bytes are cut into pieces, as parts of the whole. */
  readonly pieces: readonly number[];
}

type Breakage =
  | { readonly type: "member"; readonly index: number; readonly to: unknown }
  | { readonly type: "cut"; readonly at: number; readonly isReset: boolean }
  | { readonly type: "status"; readonly status: number; readonly words: string }
  | { readonly type: "forgotten"; readonly status: number; readonly isStream: boolean };

export interface Mangling {
  readonly era: "legacy" | "modern";
  readonly stage: Stage;
  readonly form: OddForm;
  /** Null for an answer that is only odd. */
  readonly breakage: Breakage | null;
  /** The number of times that the stage is answered so. */
  readonly times: number;
  readonly isIdempotent: boolean;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
/** Stands for a member that is left out. */
const ABSENT = Symbol("absent");

export const manglings: fc.Arbitrary<Mangling> = fc.record({
  era: fc.constantFrom("legacy", "modern"),
  stage: fc.constantFrom<Stage>("open", "tools/list", "tools/call"),
  form: fc.record({
    isStream: fc.boolean(),
    type: fc.constantFrom(null, "right", "text/plain", "application/octet-stream"),
    lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    mark: fc.constantFrom("", "\ufeff"),
    before: fc.array(
      fc.constantFrom("comment", "ping", "empty", "words", "notice", "progress", "other"),
      { maxLength: 4 },
    ),
    hasFinalBlankLine: fc.boolean(),
    isTwice: fc.boolean(),
    isIndented: fc.boolean(),
    hasNulls: fc.boolean(),
    isReversed: fc.boolean(),
    pieces: fc.array(share, { maxLength: 6 }),
  }),
  breakage: fc.option(
    fc.oneof(
      fc.record({
        type: fc.constant("member" as const),
        index: fc.nat(30),
        to: fc.constantFrom<unknown>(ABSENT, null, 5, "x", true, [], {}, [null], { type: null }),
      }),
      fc.record({
        type: fc.constant("cut" as const),
        at: share,
        isReset: fc.boolean(),
      }),
      // Before any byte of an answer.
      fc.constant({ type: "cut" as const, at: 0, isReset: true }),
      fc.record({
        type: fc.constant("status" as const),
        status: fc.constantFrom(302, 400, 401, 403, 404, 405, 410, 422, 429, 500, 501, 502, 503),
        words: fc.constantFrom("", "no", "<h1>Error</h1>", '{"error":{"message":"no"}}', "null"),
      }),
      fc.record({
        type: fc.constant("forgotten" as const),
        status: fc.constantFrom(200, 400, 404, 410),
        isStream: fc.boolean(),
      }),
    ),
    { freq: 3 },
  ),
  times: fc.constantFrom(1, 20),
  isIdempotent: fc.boolean(),
});

export interface MangledServer {
  readonly url: string;
  /** The methods since the mangling was taken. */
  readonly methods: readonly string[];
  /** Runs of the tool since then. */
  readonly runs: number;
  /** From now on the server answers so; null for good answers alone. */
  follow(mangling: Mangling | null): void;
  stop(): Promise<void>;
}

type Fields = Record<string, unknown>;

export async function startMangledServer(): Promise<MangledServer> {
  let mangling: Mangling | null = null;
  let era: Mangling["era"] = "legacy";
  let left = 0;
  let runs = 0;
  let sessions = 0;
  let methods: string[] = [];
  const server = await startLoopbackServer(({ method: verb, body }, response) => {
    if (verb !== "POST") return void response.writeHead(405).end();
    const { id, method = "", params } = body as { id?: string; method?: string; params?: Fields };
    methods.push(method);
    if (id === undefined) return void response.writeHead(202).end();
    const isOpening = method === (era === "modern" ? "server/discover" : "initialize");
    const stage = isOpening ? "open" : method;
    const isMangled = mangling !== null && mangling.stage === stage && left > 0;
    if (isMangled) left -= 1;
    const breakage = isMangled && mangling ? mangling.breakage : null;
    if (breakage?.type === "forgotten") return forgotten(response, id, breakage);
    if (breakage?.type === "status") {
      const headers = breakage.status === 302 ? { location: "/" } : {};
      response.writeHead(breakage.status, { "content-type": "text/plain", ...headers });
      return void response.end(breakage.words);
    }
    if (method === "tools/call") runs += 1;
    const result = resultOf(method, era);
    if (method === "initialize" && result) {
      sessions += 1;
      response.setHeader("mcp-session-id", `s${sessions}`);
    }
    const answer: Fields = result
      ? { jsonrpc: "2.0", id, result }
      : { jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } };
    if (!isMangled || !mangling) {
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify(answer));
    }
    const token = (params?.["_meta"] as Fields | undefined)?.["progressToken"];
    return write(response, answer, { mangling, token });
  });
  return {
    url: `${server.url}/mcp`,
    get methods() {
      return methods;
    },
    get runs() {
      return runs;
    },
    follow(next) {
      mangling = next;
      era = next?.era ?? era;
      left = next?.times ?? 0;
      runs = 0;
      methods = [];
    },
    stop: () => server.stop(),
  };
}

function resultOf(method: string, era: Mangling["era"]): Fields | null {
  const about = { capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } };
  const complete = era === "modern" ? { resultType: "complete" } : {};
  switch (method) {
    case "initialize":
      return era === "legacy" ? { protocolVersion: "2025-06-18", ...about } : null;
    case "server/discover":
      return era === "modern" ? { supportedVersions: ["2026-07-28"], ...about } : null;
    case "tools/list":
      return { ...complete, tools: [{ name: "act", inputSchema: { type: "object" } }] };
    case "tools/call":
      return { ...complete, content: [{ type: "text", text: "found it" }], isError: false };
    default:
      return null;
  }
}

function forgotten(
  response: ServerResponse,
  id: string,
  { status, isStream }: Extract<Breakage, { type: "forgotten" }>,
): void {
  const message = { jsonrpc: "2.0", id, error: { code: -32_001, message: "Session not found" } };
  response.writeHead(status, {
    "content-type": isStream ? "text/event-stream" : "application/json",
  });
  response.end(isStream ? `data: ${JSON.stringify(message)}\n\n` : JSON.stringify(message));
}

function write(
  response: ServerResponse,
  good: Fields,
  { mangling: { form, breakage }, token }: { readonly mangling: Mangling; readonly token: unknown },
): void {
  const whole = form.hasNulls ? withNulls(good) : good;
  const changed = breakage?.type === "member" ? withMember(whole, breakage) : whole;
  const answer = form.isReversed ? reversed(changed) : changed;
  const body = Buffer.from(form.mark + (form.isStream ? asEvents : asJson)(answer, form, token));
  const cut = breakage?.type === "cut" ? breakage : null;
  const end = cut ? Math.floor(body.byteLength * cut.at) : body.byteLength;
  // Without a byte of an answer.
  if (cut?.isReset && end === 0) return void response.destroy();
  const right = form.isStream ? "text/event-stream" : "application/json";
  const type = form.type === "right" ? right : form.type;
  response.writeHead(200, type === null ? {} : { "content-type": type });
  const places = form.pieces.map((part) => Math.floor(end * part)).sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, end]) {
    if (to > from) response.write(body.subarray(from, to));
    from = Math.max(from, to);
  }
  if (cut?.isReset) setImmediate(() => response.destroy());
  else response.end();
}

function asJson(answer: Fields, form: OddForm, token: unknown): string {
  const before = form.before.flatMap((kind) => messageOf(kind, token) ?? []);
  const whole = before.length > 0 ? [...before, answer, ...(form.isTwice ? [answer] : [])] : answer;
  const text = JSON.stringify(whole, null, form.isIndented ? 2 : 0).replaceAll("\n", form.lineEnd);
  return form.hasFinalBlankLine ? `${form.lineEnd}${text}${form.lineEnd}` : text;
}

function asEvents(answer: Fields, form: OddForm, token: unknown): string {
  const { lineEnd, isTwice, isIndented, hasFinalBlankLine } = form;
  const event = (message: unknown): string => {
    const lines = JSON.stringify(message, null, isIndented ? 2 : 0).split("\n");
    return lines.map((line) => `data:${isIndented ? "" : " "}${line}`).join(lineEnd);
  };
  const odd = form.before.map((kind) => {
    if (kind === "comment") return ": still here";
    if (kind === "ping") return `event: ping${lineEnd}data:`;
    if (kind === "empty") return "data: ";
    if (kind === "words") return `event: keepalive${lineEnd}data: ok`;
    return event(messageOf(kind, token));
  });
  const said = `retry: 0${lineEnd}id: 7${lineEnd}event: message${lineEnd}${event(answer)}`;
  const all = [...odd, said, ...(isTwice ? [event(answer)] : [])].join(lineEnd + lineEnd);
  return hasFinalBlankLine ? all + lineEnd + lineEnd : all;
}

/** A whole message that may stand before an answer; null for what only a stream has. */
function messageOf(kind: OddForm["before"][number], token: unknown): Fields | null {
  const message = { jsonrpc: "2.0" };
  if (kind === "notice") return { ...message, method: "notifications/message", params: null };
  if (kind === "progress") {
    const params = { progressToken: token, progress: 1, message: null };
    return { ...message, method: "notifications/progress", params };
  }
  return kind === "other" ? { ...message, id: "another", result: { content: [] } } : null;
}

/** Null where a member may be left out. */
function withNulls(answer: Fields): Fields {
  const { result } = answer;
  if (typeof result !== "object" || result === null) return answer;
  const nulls = {
    _meta: null,
    nextCursor: null,
    structuredContent: null,
    isError: null,
    ttlMs: null,
  };
  return { ...answer, error: null, result: { ...nulls, instructions: null, ...result } };
}

function withMember(answer: Fields, { index, to }: Extract<Breakage, { type: "member" }>): Fields {
  const paths = [...pathsOf(answer)];
  const path = paths[index % paths.length] ?? [];
  const copy = structuredClone(answer);
  let at: Fields = copy;
  for (const step of path.slice(0, -1)) at = at[step] as Fields;
  const last = path.at(-1) ?? "";
  if (to === ABSENT) delete at[last];
  else at[last] = to;
  return copy;
}

function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, name]);
}

function reversed(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).reverse());
}
