import { PlugZap, Unplug } from "lucide-react";

import type { EventLog } from "../event-log.ts";
import { usePlayground } from "../playground-context.ts";
import { useResume, type Resume } from "./use-resume.ts";

/** Result of a cut network: nothing was lost, and the numbers that show it. */
export function ResumeNotice({ log }: { readonly log: EventLog }) {
  const { network, sessionId } = usePlayground();
  const resume = useResume(network, log, sessionId);
  return (
    <div role="status" className="resume-place">
      {resume && (
        <p className="resume-notice" data-kind={resume.kind}>
          {resume.kind === "resumed" ? (
            <PlugZap size={16} aria-hidden />
          ) : (
            <Unplug size={16} aria-hidden />
          )}
          <span>{wordsOf(resume)}</span>
        </p>
      )}
    </div>
  );
}

function wordsOf(resume: Resume): string {
  if (resume.kind === "resuming") return "Connecting again…";
  if (resume.kind === "cut") {
    const place = resume.after === null ? "" : ` at seq ${resume.after}`;
    return `The network of this page is cut${place}. The reply goes on without it.`;
  }
  const { after, replayed, missed } = resume;
  const events = replayed === 1 ? "1 event" : `${replayed} events`;
  return `Resumed from seq ${after}: ${events} replayed, ${missed === 0 ? "none" : missed} missed.`;
}
