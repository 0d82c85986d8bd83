import type { AuditEntry } from "../../../sdk/index.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DetailDialog } from "../../components/forms/detail-dialog.tsx";
import { formatTime } from "../../components/format-time.ts";
import { JsonViewer } from "../../components/json-viewer.tsx";

/** The words for an act, which open the whole entry: who, from where, and what it was before and after. */
export function AuditEntryDialog({
  entry,
  words,
}: {
  readonly entry: AuditEntry;
  readonly words: string;
}) {
  const { actor, address, created_at, request_id, target_id, before, after } = entry;
  return (
    <DetailDialog
      trigger={
        <button type="button" className="row-button">
          {words}
        </button>
      }
      title={words}
    >
      <dl className="facts">
        <div>
          <dt>When</dt>
          <dd>{formatTime(created_at)}</dd>
        </div>
        <div>
          <dt>Who</dt>
          <dd>
            {actor.name !== undefined && `${actor.name} `}
            {actor.id === null ? (
              "the operator"
            ) : (
              <CodeId id={actor.id} what={actor.kind === "member" ? "member id" : "key id"} />
            )}
            {actor.console_session_id !== undefined && (
              <span className="quiet"> in the console session {actor.console_session_id}</span>
            )}
          </dd>
        </div>
        <div>
          <dt>Target</dt>
          <dd>
            <CodeId id={target_id} what="target id" />
          </dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>{address ?? "not known"}</dd>
        </div>
        <div>
          <dt>Request</dt>
          <dd>
            <CodeId id={request_id} what="request id" />
          </dd>
        </div>
      </dl>
      <div className="before-after">
        <section aria-label="Before">
          <h3>Before</h3>
          {before === null ? (
            <p className="quiet">Nothing</p>
          ) : (
            <JsonViewer value={before} label="what it was before" />
          )}
        </section>
        <section aria-label="After">
          <h3>After</h3>
          {after === null ? (
            <p className="quiet">Nothing</p>
          ) : (
            <JsonViewer value={after} label="what it is after" />
          )}
        </section>
      </div>
    </DetailDialog>
  );
}
