import { Field } from "@base-ui/react/field";
import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useEffect, useState } from "react";

import type { SharedState } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { FormField } from "../../../components/forms/form-field.tsx";
import { JsonViewer } from "../../../components/json-viewer.tsx";
import { LoadingState } from "../../../components/loading-state.tsx";
import { usePlayground } from "../playground-context.ts";
import { readJsonObject } from "../read-json-object.ts";

/** The JSON object that the agent and the app both see and change; it follows the stream. */
export function StatePanel() {
  const reprise = useReprise();
  const { sessionId, store } = usePlayground();
  const mayWrite = useMay("replies:write");
  const [isEditing, setIsEditing] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["shared-state", sessionId],
    queryFn: () => reprise.session(sessionId).sharedState.get(),
  });
  useEffect(
    () =>
      store.onEvent((event) => {
        if (event.type === "CUSTOM" && event.name === "shared_state_updated") void refetch();
      }),
    [store, refetch],
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Reading the shared state…" />;
  if (isEditing) {
    return (
      <StateForm
        shown={data}
        onDone={() => {
          setIsEditing(false);
          void refetch();
        }}
      />
    );
  }
  return (
    <div className="panel-content">
      <div className="panel-head">
        <p className="quiet">
          {data.version === 0 ? "Nothing has changed it yet." : `Version ${data.version}`}
        </p>
        {mayWrite && (
          <button type="button" className="button button-small" onClick={() => setIsEditing(true)}>
            <Pencil size={14} aria-hidden />
            Edit
          </button>
        )}
      </div>
      <JsonViewer key={data.version} value={data.state} label="shared state" openLevels={3} />
    </div>
  );
}

function StateForm({
  shown,
  onDone,
}: {
  readonly shown: SharedState;
  readonly onDone: () => void;
}) {
  const reprise = useReprise();
  const { sessionId } = usePlayground();
  const [text, setText] = useState(() => JSON.stringify(shown.state, null, 2));
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);

  async function save(): Promise<void> {
    const read = readJsonObject(text);
    if ("problem" in read) return setError(read.problem);
    setIsSaving(true);
    try {
      // Refused when it was changed since.
      await reprise.session(sessionId).sharedState.patch([
        { op: "test", path: "", value: shown.state },
        { op: "replace", path: "", value: read.value },
      ]);
      onDone();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setIsSaving(false);
    }
  }

  return (
    <form
      className="panel-content"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <FormField label="Shared state" error={error}>
        <Field.Control
          className="input input-code"
          render={<textarea rows={14} spellCheck={false} />}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setError(null);
          }}
        />
      </FormField>
      <div className="approval-actions">
        <button type="submit" className="button button-primary" disabled={isSaving}>
          {isSaving ? "Saving…" : "Save"}
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}
