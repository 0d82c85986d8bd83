// Finds out how a server is spoken to: `server/discover` of the modern era first, then `initialize` of the older one.
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import {
  MAX_MCP_SESSION_ID_CHARACTERS,
  MCP_FAREWELL_MS,
  MCP_PROBE_MS,
} from "../../protocol/mcp/limits.ts";
import {
  initializeRequest,
  mcpNotification,
  mcpRequest,
  type McpMessageOut,
} from "../../protocol/mcp/requests.ts";
import {
  LEGACY_VERSIONS,
  MODERN_VERSION,
  NEWEST_LEGACY_VERSION,
  UNSUPPORTED_VERSION,
  type McpDialect,
} from "../../protocol/mcp/versions.ts";
import { CallDeadline } from "./call-deadline.ts";
import { exchange, post } from "./exchange.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import { isUnanswered, type McpOutcome } from "./mcp-outcome.ts";

/** A server that was found, with the session that it has given. */
export interface McpLine {
  readonly dialect: McpDialect;
  /** Null where the server needs none. */
  readonly sessionId: string | null;
}

type Opened = { readonly type: "line"; readonly line: McpLine } | Unanswered;
type Unanswered = Exclude<McpOutcome, { type: "result" }>;

interface Remembered {
  readonly dialect: McpDialect | null;
  readonly sessionId: string | null;
}

const MODERN: McpDialect = { era: "modern", version: MODERN_VERSION };
/** A notification's answer changes nothing, and some servers never give one. */
const FAREWELL = { idleMs: MCP_FAREWELL_MS, totalMs: MCP_FAREWELL_MS };
const MODERN_LINE = { type: "line", line: { dialect: MODERN, sessionId: null } } as const;

/** Memory is believed: a server that was changed says so when it is spoken to. Contract: never throws. */
export async function openLine(
  endpoint: McpEndpoint,
  { dialect, sessionId }: Remembered,
  deadline: CallDeadline,
): Promise<Opened> {
  if (dialect?.era === "modern") return { type: "line", line: { dialect, sessionId: null } };
  if (dialect && sessionId !== null) return { type: "line", line: { dialect, sessionId } };
  if (dialect) {
    const begun = await initialize(endpoint, deadline);
    if (begun.type === "line" || !mayBeModern(begun)) return begun;
  }
  return find(endpoint, deadline);
}

/** The newer era is asked first, for a short time: an older server may throw on what it does not know, or stay silent. */
async function find(endpoint: McpEndpoint, deadline: CallDeadline): Promise<Opened> {
  const timeMs = Math.min(MCP_PROBE_MS, deadline.idleMs / 2);
  const probing = new CallDeadline({ idleMs: timeMs, totalMs: timeMs }, deadline.signal);
  const probed = await probe(endpoint, probing);
  const isSilent = probing.passedMs !== null;
  probing.release();
  if (probed.type === "line") return probed;
  if (deadline.signal.aborted) return endOf(deadline) ?? probed;
  if (!isSilent && !isOfOlderEra(probed)) return probed;
  deadline.touch();
  const begun = await initialize(endpoint, deadline);
  // The server may only have been slow to start, or have closed a connection that was kept open.
  const isUnsure = isSilent || isUnanswered(probed);
  if (begun.type === "line" || !isUnsure || !mayBeModern(begun)) return begun;
  const again = await probe(endpoint, deadline);
  return again.type === "line" ? again : begun;
}

async function probe(endpoint: McpEndpoint, deadline: CallDeadline): Promise<Opened> {
  const id = crypto.randomUUID();
  const discover = mcpRequest(id, { method: "server/discover" }, MODERN);
  const outcome = await outcomeOf(exchange(endpoint, discover, deadline));
  if (outcome.type === "result") {
    const versions = outcome.result["supportedVersions"];
    const isSpoken = Array.isArray(versions) && versions.includes(MODERN_VERSION);
    return isSpoken ? MODERN_LINE : { type: "accepted" };
  }
  return isSpokenAllTheSame(outcome) ? MODERN_LINE : outcome;
}

function endOf({ passedMs }: CallDeadline): Unanswered | null {
  if (passedMs === null) return null;
  return { type: "broken", kind: "timeout", reason: `did not answer within ${passedMs} ms` };
}

async function initialize(endpoint: McpEndpoint, deadline: CallDeadline): Promise<Opened> {
  const request = initializeRequest(crypto.randomUUID(), NEWEST_LEGACY_VERSION);
  let outcome = await outcomeOf(exchange(endpoint, request, deadline));
  // A second `initialize` has no further effect.
  if (isUnanswered(outcome)) outcome = await outcomeOf(exchange(endpoint, request, deadline));
  if (outcome.type !== "result") return outcome;
  const version = outcome.result["protocolVersion"];
  if (typeof version !== "string" || !LEGACY_VERSIONS.includes(version)) {
    const reason = "speaks no version of the protocol that the platform knows";
    return { type: "broken", kind: "malformed_answer", reason };
  }
  // An empty header is none.
  const sessionId = outcome.sessionId || null;
  if (sessionId !== null && !isSessionId(sessionId)) {
    const reason = "gave a session whose id no header can hold";
    return { type: "broken", kind: "malformed_answer", reason };
  }
  const tasks = takesTasks(outcome.result["capabilities"]);
  const dialect: McpDialect = { era: "legacy", version, ...(tasks && { tasks }) };
  const ready = mcpNotification("notifications/initialized", {}, dialect);
  const headers = { ...ready.headers, ...(sessionId !== null && { "mcp-session-id": sessionId }) };
  const telling = new CallDeadline(FAREWELL, deadline.signal);
  await post(endpoint, { ...ready, headers }, telling.signal);
  telling.release();
  return { type: "line", line: { dialect, sessionId } };
}

/** Whether a server that refuses the version names it among those that it speaks. The next request will tell. */
function isSpokenAllTheSame(outcome: Unanswered): boolean {
  if (outcome.type !== "refused" || outcome.error.code !== UNSUPPORTED_VERSION) return false;
  const { data } = outcome.error;
  const isListed = typeof data === "object" && data !== null && "supported" in data;
  return isListed && Array.isArray(data.supported) && data.supported.includes(MODERN_VERSION);
}

/** Answers of servers that throw on a method that they do not know; the connection is reset by some of them. */
const THROWN: ReadonlySet<FailureKind> = new Set([
  "malformed_answer",
  "connection_lost",
  "unreachable",
]);

/** Whether a server that was asked in the modern way may be one of the older era. */
function isOfOlderEra(outcome: Unanswered): boolean {
  switch (outcome.type) {
    case "refused":
    case "accepted":
      return true;
    case "broken":
      return THROWN.has(outcome.kind);
    case "http":
      return outcome.status >= 500 ? outcome.status !== 503 : isOtherwiseRefused(outcome.status);
    default:
      return outcome satisfies never;
  }
}

/** Whether a server that was of the older era may have been replaced by one that does not know it. */
function mayBeModern(outcome: Unanswered): boolean {
  if (outcome.type === "http") return isOtherwiseRefused(outcome.status);
  return outcome.type === "refused";
}

/** A status that says nothing of credentials, load, or where else to go. */
function isOtherwiseRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
}

/** Whether a server of 2025-11-25 takes calls of tools as tasks. */
function takesTasks(capabilities: unknown): boolean {
  const path = ["tasks", "requests", "tools", "call"];
  const found = path.reduce<unknown>(
    (at, name) => (isFields(at) ? at[name] : undefined),
    capabilities,
  );
  return isFields(found);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isSessionId(text: string): boolean {
  return text.length <= MAX_MCP_SESSION_ID_CHARACTERS && /^[\x21-\x7e]+$/.test(text);
}

/** The outcome alone: messages before the response are no concern of a connection that is only made. */
async function outcomeOf(running: ReturnType<typeof exchange>): Promise<McpOutcome> {
  for (;;) {
    const { done, value } = await running.next();
    if (done) return value;
  }
}

/** A message of the server's session, where it has one. */
export function withSession(message: McpMessageOut, { sessionId }: McpLine): McpMessageOut {
  if (sessionId === null) return message;
  return { ...message, headers: { ...message.headers, "mcp-session-id": sessionId } };
}
