// Actions on a whole session: fork, export.
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Download, GitFork } from "lucide-react";

import { useMay, useReprise } from "../../access/access-context.ts";

interface ForkButtonProps {
  readonly sessionId: string;
  /** The last message to copy; all complete messages when left out. */
  readonly at?: string;
}

/** Opens a new session with a copy of the conversation, and goes there. */
export function ForkButton({ sessionId, at }: ForkButtonProps) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const mayWrite = useMay("sessions:write");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => reprise.session(sessionId).fork(at === undefined ? {} : { at }),
    onSuccess: ({ id }) => navigate({ to: "/sessions/$sessionId", params: { sessionId: id } }),
  });
  if (!mayWrite) return null;
  return (
    <>
      <button
        type="button"
        className={at === undefined ? "button" : "button button-small message-fork"}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <GitFork size={at === undefined ? 16 : 14} aria-hidden />
        {at === undefined ? "Fork" : "Fork from here"}
      </button>
      {error && (
        <span role="alert" className="field-error">
          {error.message}
        </span>
      )}
    </>
  );
}

/** Saves the session as AgentScope's AgentState, which `PUT …/state` takes. */
export function ExportButton({ sessionId }: { readonly sessionId: string }) {
  const reprise = useReprise();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const state = await reprise.session(sessionId).state();
      saveFile(`${sessionId}.json`, JSON.stringify(state, null, 2));
    },
  });
  return (
    <>
      <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
        <Download size={16} aria-hidden />
        {isPending ? "Exporting…" : "Export"}
      </button>
      {error && (
        <span role="alert" className="field-error">
          {error.message}
        </span>
      )}
    </>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser has begun to read it by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
