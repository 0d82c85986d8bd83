// The text by which `npm start` shows a line of the platform's log: a failure of a reply as one readable line, others
// as they are.

/** A line of `durable-objects/replies/log-failures.ts`. */
interface FailureLine {
  readonly log: string;
  readonly at: string;
  readonly session_id: string;
  readonly reply_id: string;
  readonly what: string;
  readonly http_status?: number | null;
  readonly hint: string | null;
}

const NAMES: Readonly<Record<string, string>> = {
  reply_failed: "reply failed",
  model_call_failed: "model call failed",
  tool_call_failed: "tool call failed",
};

/** Control characters, which a terminal would obey, and those that turn the direction of a line. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** One line for a failure; the message itself for anything else. */
export function failureLine(message: string): string {
  const line = parseFailure(message);
  if (!line) return message;
  const { log, at, session_id, reply_id, what, http_status, hint } = line;
  const time = at.slice(11, 19);
  const isTold = what.includes(`answered ${http_status}`);
  const status = typeof http_status === "number" && !isTold ? `, HTTP ${http_status}` : "";
  const words = `${time} ${NAMES[log]} · ${session_id} · ${reply_id} · ${what}${status}`;
  return `${words}${hint === null ? "" : ` → ${hint}`}`.replace(CONTROLS, " ");
}

function parseFailure(message: string): FailureLine | null {
  if (!message.startsWith('{"log":"')) return null;
  try {
    const line = JSON.parse(message) as Partial<FailureLine>;
    const { log = "", at, session_id, reply_id, what, http_status, hint = null } = line;
    if (!Object.hasOwn(NAMES, log)) return null;
    const texts = [at, session_id, reply_id, what, hint ?? ""];
    if (!texts.every((text) => typeof text === "string")) return null;
    return { log, at, session_id, reply_id, what, http_status, hint } as FailureLine;
  } catch {
    return null;
  }
}
