import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Pencil, Trash2, Webhook } from "lucide-react";
import { useEffect, useState } from "react";

import type { HookDefinition, Session, SessionHooks, Warning } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { failureText } from "../../../components/failure-text.ts";
import { DangerDialog } from "../../../components/danger-dialog.tsx";
import { FormDialog } from "../../../components/forms/form-dialog.tsx";
import { IconButton } from "../../../components/forms/icon-button.tsx";
import { AddDialog } from "../../../components/list-page/add-dialog.tsx";
import { POINT_WORDS } from "../../../components/words/hook-words.ts";
import { LoadingState } from "../../../components/loading-state.tsx";
import { useWarnings } from "../../../components/use-warnings.ts";
import { WarningList } from "../../../components/warning-list.tsx";
import { moved } from "../../../components/plan/plan-draft.ts";
import { HookForm } from "./hook-form.tsx";

/** The hooks of a session, in the order in which they are asked: its own, then its agent's. */
export function HooksView({ session }: { readonly session: Session }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const mayWrite = useMay("agents:write");
  const { id, cursor, agent_id } = session;
  const queryKey = ["hooks", id];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => reprise.session(id).hooks.get(),
  });
  // A session that follows its agent's latest version may have others of the agent.
  useEffect(() => void refetch(), [cursor, refetch]);
  const own = data?.hooks ?? [];
  const warnings = useWarnings(mayWrite && own.length > 0 ? own : null, {
    name: `hooks of ${id}`,
    check: (hooks, options) => reprise.session(id).hooks.validate([...hooks], options),
  });
  const reload = () => void queries.invalidateQueries({ queryKey });
  if (error && !data) return <ErrorState error={error} onRetry={reload} />;
  if (!data) return <LoadingState label="Loading the hooks…" />;
  const { hooks, agent_hooks: ofAgent } = data;
  return (
    <div className="hooks-view">
      {mayWrite && <HookActions sessionId={id} current={data} onChanged={reload} />}
      {hooks.length === 0 && ofAgent.length === 0 && (
        <EmptyState icon={Webhook} title="No hooks">
          <p>
            A hook is asked before or after a step of a reply, and may change, block or stop it. An
            agent has <code>hooks</code> in its definition; a session has its own beside them.
          </p>
          <p>
            <a href="/docs/hooks">Read about hooks</a>
          </p>
        </EmptyState>
      )}
      {hooks.length > 0 && (
        <section className="panel" aria-label="Hooks of this session">
          <h2>Of this session, asked first</h2>
          <WarningList warnings={warnings.map((warning) => ofHook(own, warning))} />
          <OwnHooks sessionId={id} current={data} mayWrite={mayWrite} onChanged={reload} />
        </section>
      )}
      {ofAgent.length > 0 && (
        <section className="panel" aria-label="Hooks of the agent">
          <div className="panel-head">
            <h2>Of the agent, asked after them</h2>
            <Link to="/agents/$agentId" params={{ agentId: agent_id }}>
              Change them in the agent
            </Link>
          </div>
          <ol className="hook-list">
            {ofAgent.map((hook) => (
              <li key={keyOf(hook)} className="hook-row">
                <HookWords hook={hook} />
              </li>
            ))}
          </ol>
        </section>
      )}
      {(hooks.length > 0 || ofAgent.length > 0) && (
        <p className="quiet">
          An open reply keeps the hooks that it began with. What they did is in the{" "}
          <Link
            to="/sessions/$sessionId"
            params={{ sessionId: id }}
            search={{ tab: "events", text: "hook_answered" } as never}
          >
            events
          </Link>{" "}
          and, where they changed something, in the timeline of each reply.
        </p>
      )}
    </div>
  );
}

/** The warning with the hook's name in place of its pointer. */
function ofHook(hooks: readonly HookDefinition[], { pointer, detail }: Warning): Warning {
  const [, index = ""] = /^#\/hooks\/(\d+)/.exec(pointer) ?? [];
  return { pointer: hooks[Number(index)]?.name ?? pointer, detail };
}

function keyOf({ point, name }: HookDefinition): string {
  return `${point} ${name}`;
}

interface ChangeProps {
  readonly sessionId: string;
  readonly current: SessionHooks;
  readonly onChanged: () => void;
}

function HookActions({ sessionId, current, onChanged }: ChangeProps) {
  const reprise = useReprise();
  const { hooks, version } = current;
  return (
    <div className="button-row">
      <AddDialog label="Add a hook" title="Add a hook to this session">
        {(close) => (
          <HookForm
            sessionId={sessionId}
            current={current}
            index={hooks.length}
            onSaved={onChanged}
            onClose={close}
          />
        )}
      </AddDialog>
      {hooks.length > 0 && (
        <DangerDialog
          title="Remove all hooks of this session?"
          action="Remove all"
          button={{ icon: Trash2 }}
          onConfirm={async () => {
            await reprise.session(sessionId).hooks.set([], { ifVersion: version });
            onChanged();
          }}
        >
          <p>
            {hooks.map(({ name }) => name).join(", ")}: not asked any more from the next reply on.
            The agent’s hooks stay.
          </p>
        </DangerDialog>
      )}
    </div>
  );
}

/** The session's own, which can be changed, moved and removed one by one. */
function OwnHooks(props: ChangeProps & { readonly mayWrite: boolean }) {
  const { sessionId, current, mayWrite, onChanged } = props;
  const reprise = useReprise();
  const { hooks, version } = current;
  const [failure, setFailure] = useState<string | null>(null);

  async function set(list: readonly HookDefinition[]): Promise<void> {
    setFailure(null);
    try {
      await reprise.session(sessionId).hooks.set([...list], { ifVersion: version });
    } catch (error) {
      setFailure(failureText(error));
    }
    onChanged();
  }

  return (
    <>
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure} The list below is the one of now.
        </p>
      )}
      <ol className="hook-list">
        {hooks.map((hook, index) => (
          <li key={keyOf(hook)} className="hook-row">
            <HookWords hook={hook} />
            {mayWrite && (
              <div className="row-actions">
                <IconButton
                  label={`Move ${hook.name} up`}
                  isOff={index === 0}
                  onPress={() => void set(moved(hooks, index, -1))}
                >
                  <ArrowUp size={16} aria-hidden />
                </IconButton>
                <IconButton
                  label={`Move ${hook.name} down`}
                  isOff={index === hooks.length - 1}
                  onPress={() => void set(moved(hooks, index, 1))}
                >
                  <ArrowDown size={16} aria-hidden />
                </IconButton>
                <FormDialog
                  title={`Change the hook ${hook.name}`}
                  trigger={
                    <button
                      type="button"
                      className="button button-icon"
                      aria-label={`Change ${hook.name}`}
                    >
                      <Pencil size={16} aria-hidden />
                    </button>
                  }
                >
                  {(close) => (
                    <HookForm
                      sessionId={sessionId}
                      current={current}
                      index={index}
                      onSaved={onChanged}
                      onClose={close}
                    />
                  )}
                </FormDialog>
                <IconButton
                  label={`Remove ${hook.name}`}
                  isOff={false}
                  onPress={() => void set(hooks.toSpliced(index, 1))}
                >
                  <Trash2 size={16} aria-hidden />
                </IconButton>
              </div>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function HookWords({ hook }: { readonly hook: HookDefinition }) {
  const { name, point, timeout_ms, on_failure } = hook;
  return (
    <div className="hook-words">
      <p>
        <strong>{name}</strong> <span className="badge">{POINT_WORDS[point] ?? point}</span>
      </p>
      <p className="code">{hook.type === "http" ? hook.url : "a function of the deployment"}</p>
      <p className="quiet">
        {point} · {timeout_ms.toLocaleString()} ms ·{" "}
        {on_failure === "open"
          ? "goes on without an answer (open)"
          : "without an answer the reply ends with an error (closed)"}
        {hook.type === "http" &&
          (hook.signing_credential_id === undefined
            ? " · not signed"
            : ` · signed with ${hook.signing_credential_id}`)}
      </p>
    </div>
  );
}
