/** Tones of states by their meaning to the reader; the word is shown, so that colour alone tells nothing. */
const TONES: Readonly<Record<string, "good" | "busy" | "waiting" | "bad" | "quiet">> = {
  active: "good",
  ok: "good",
  success: "good",
  completed: "good",
  succeeded: "good",
  done: "good",
  running: "busy",
  connecting: "busy",
  speaking: "busy",
  listening: "good",
  working: "busy",
  input_required: "waiting",
  cancelled: "quiet",
  in_progress: "busy",
  awaiting_permission: "waiting",
  awaiting_external_result: "waiting",
  awaiting_answer: "waiting",
  awaiting_sign_in: "waiting",
  asking: "waiting",
  submitted: "waiting",
  pending: "waiting",
  paused: "waiting",
  waiting: "waiting",
  reconnecting: "waiting",
  offline: "waiting",
  "is written": "busy",
  allowed: "busy",
  suspended: "waiting",
  degraded: "bad",
  overdue: "bad",
  warning: "waiting",
  error: "bad",
  failed: "bad",
  closed: "bad",
  denied: "bad",
  interrupted: "bad",
  exceed_max_iters: "bad",
};

const WORDS: Readonly<Record<string, string>> = {
  awaiting_permission: "waits for permission",
  awaiting_external_result: "waits for a result",
  awaiting_answer: "waits for an answer",
  awaiting_sign_in: "waits for a sign-in",
  exceed_max_iters: "too many rounds",
  asking: "asks",
  todo: "to do",
  submitted: "waits for a result",
};

/** A state of a session, a reply, a call or a tenant, in words and in colour. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <span className="badge" data-tone={TONES[status] ?? "quiet"}>
      {WORDS[status] ?? status.replaceAll("_", " ")}
    </span>
  );
}
