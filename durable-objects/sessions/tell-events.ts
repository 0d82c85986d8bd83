// Tells a session's readers what a tenant's back end says: also while a reply runs, beside whose events it is.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Observed } from "../../protocol/sessions/observe.ts";
import { toldDraft, type ToldEvent } from "../../protocol/told/told-event.ts";
import type { ReplyStart } from "../api/session-api.ts";
import type { RecordResult } from "../tables/once.ts";
import { admitBytes } from "./admit-bytes.ts";
import type { OpenSession } from "./open-session.ts";

export interface TellRequest {
  readonly messages?: ReplyStart["input"] | undefined;
  readonly events: readonly ToldEvent[];
}

interface KeptTold {
  readonly message_ids: readonly string[];
  readonly cursor: number;
}

/** Resolves when the events are durable. */
export async function tellEvents(
  session: OpenSession,
  told: readonly ToldEvent[],
  recordResult: RecordResult<KeptTold>,
): Promise<Result<Observed>> {
  const { log } = session;
  const admitted = await admitBytes(session, told);
  if (!admitted.ok) return admitted;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  let cursor = 0;
  log.append(
    told.map((event) => toldDraft(event, { kind: "tenant" })),
    {
      isLast: !session.isActing,
      write: () => {
        cursor = log.lastSeq;
        recordResult({ message_ids: [], cursor });
      },
    },
  );
  await log.settled();
  return accept({ messages: [], cursor });
}
