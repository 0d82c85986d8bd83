/** What a state means to the reader; the word is shown, so that colour alone tells nothing. */
const TONES: Readonly<Record<string, "good" | "busy" | "waiting" | "bad" | "quiet">> = {
  active: "good",
  success: "good",
  completed: "good",
  running: "busy",
  awaiting_permission: "waiting",
  awaiting_external_result: "waiting",
  asking: "waiting",
  submitted: "waiting",
  suspended: "waiting",
  error: "bad",
  closed: "bad",
  denied: "bad",
  interrupted: "bad",
  exceed_max_iters: "bad",
};

const WORDS: Readonly<Record<string, string>> = {
  awaiting_permission: "waits for permission",
  awaiting_external_result: "waits for a result",
  exceed_max_iters: "too many rounds",
  asking: "asks",
};

/** A state of a session, a reply, a call or a tenant, in words and in colour. */
export function StatusBadge({ status }: { readonly status: string }) {
  return (
    <span className="badge" data-tone={TONES[status] ?? "quiet"}>
      {WORDS[status] ?? status.replaceAll("_", " ")}
    </span>
  );
}
