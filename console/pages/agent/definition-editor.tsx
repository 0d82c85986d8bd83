import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";

import { useReprise } from "../../access/access-context.ts";
import { useKnownCredentials } from "../../access/use-known-credentials.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { FormField } from "../../components/forms/form-field.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { errorsOf } from "../../components/schema-form/errors-of.ts";
import { isJsonObject, type JsonObject } from "../../components/schema-form/json-schema.ts";
import { JsonText } from "../../components/schema-form/json-text.tsx";
import { ObjectFields } from "../../components/schema-form/object-fields.tsx";
import { SchemaFormScope } from "../../components/schema-form/schema-form-scope.tsx";
import { WarningList } from "../../components/warning-list.tsx";
import { isSame } from "./definition.ts";
import { EditorBar } from "./editor-bar.tsx";
import { LeaveDialog } from "../../components/forms/leave-dialog.tsx";
import { TOOL_EXTRAS } from "./tools/tool-forms.tsx";
import { ProblemList } from "./problem-list.tsx";
import { sectionsOf } from "./sections.ts";
import { useAgentSchema } from "./use-agent-schema.ts";
import { useValidation, wordsOf, type Checked } from "./use-validation.ts";

interface DefinitionEditorProps {
  /** As it is stored; for a new agent, what it begins with. */
  readonly saved: JsonObject;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  /** Sends it to be checked; stable. */
  readonly validate: (definition: JsonObject, signal: AbortSignal) => Promise<Checked>;
  /** @returns what is stored then. */
  readonly onSave: (definition: JsonObject) => Promise<JsonObject>;
  /** Told what is not saved; null when all is, and while a text is not JSON. Stable. */
  readonly onDraft?: (draft: JsonObject | null) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** Every field of an agent as a form, and the same as JSON beside it. The platform checks while a person types. */
export function DefinitionEditor(props: DefinitionEditorProps) {
  const { saved, isNew, isReadOnly, validate, onSave, onDraft, children } = props;
  const { data: form, error: unreadable, refetch } = useAgentSchema();
  const [seen, setSeen] = useState(saved);
  const [base, setBase] = useState(saved);
  const [definition, setDefinition] = useState(saved);
  const [broken, setBroken] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<{ of: JsonObject; error: unknown } | null>(null);
  const validation = useValidation(definition, validate);
  const suggestions = useSuggestions();

  // A version that was stored elsewhere is shown, as long as nothing was changed here.
  if (!isSame(seen, saved)) {
    setSeen(saved);
    setBase(saved);
    if (isSame(definition, base)) setDefinition(saved);
  }
  const onBroken = useCallback((pointer: string, message: string | null) => {
    setBroken((before) => {
      const next = new Map(before);
      if (message === null) next.delete(pointer);
      else next.set(pointer, message);
      return next;
    });
  }, []);
  // A refusal to save is about one text of the form; the next one is checked anew.
  const refusal = failure?.of === definition ? failure.error : null;
  const errors = useMemo(
    () => new Map([...validation.errors, ...errorsOf(refusal)]),
    [validation.errors, refusal],
  );

  const isDirty = !isSame(definition, base);
  const draft = isDirty && broken.size === 0 ? definition : null;
  useEffect(() => onDraft?.(draft), [onDraft, draft]);

  async function save(): Promise<void> {
    setIsSaving(true);
    setFailure(null);
    try {
      const stored = await onSave(definition);
      setBase(stored);
      setDefinition(stored);
    } catch (error) {
      setFailure({ of: definition, error });
    } finally {
      setIsSaving(false);
    }
  }

  if (unreadable) return <ErrorState error={unreadable} onRetry={() => void refetch()} />;
  if (!form) return <LoadingState label="Loading the form…" />;
  const { schema, definitions } = form;
  const sections = sectionsOf(schema);
  return (
    <SchemaFormScope
      {...{ definitions, errors, isReadOnly, suggestions, onBroken }}
      extras={TOOL_EXTRAS}
    >
      <div className="editor">
        {!isReadOnly && (
          <EditorBar
            state={broken.size > 0 ? "broken" : validation.state}
            errorCount={errors.size}
            canSave={isNew || isDirty}
            isDirty={isDirty}
            isSaving={isSaving}
            saveLabel={isNew ? "Create agent" : "Save as a new version"}
            onSave={() => void save()}
            onReset={() => setDefinition(base)}
          >
            {children}
          </EditorBar>
        )}
        <ProblemList
          errors={errors}
          problem={refusal !== null && errors.size === 0 ? wordsOf(refusal) : validation.problem}
        />
        <WarningList warnings={validation.warnings} />
        <div className="editor-columns">
          <form
            className="editor-form"
            aria-label="Definition"
            onSubmit={(event) => event.preventDefault()}
          >
            {sections.map(({ id, title, names }) => (
              <section key={id} className="editor-section" aria-label={title}>
                <h2 className={names.length === 1 ? "visually-hidden" : undefined}>{title}</h2>
                <ObjectFields
                  schema={schema}
                  path={[]}
                  value={definition}
                  names={names}
                  onChange={(next) => setDefinition(isJsonObject(next) ? next : {})}
                />
              </section>
            ))}
          </form>
          <section className="editor-json" aria-label="JSON">
            <FormField
              label="Definition as JSON"
              hint="What the API takes. Changes here change the form."
            >
              <JsonText
                pointer="#"
                value={definition}
                isOptional={false}
                rows={30}
                className="editor-json-text"
                findProblem={(value) => (isJsonObject(value) ? null : "A definition is an object.")}
                onChange={(next) => setDefinition(isJsonObject(next) ? next : {})}
              />
            </FormField>
          </section>
        </div>
      </div>
      <LeaveDialog isDirty={isDirty && !isSaving} />
    </SchemaFormScope>
  );
}

const CREDENTIAL_MEMBERS = ["credential_id", "signing_credential_id"] as const;
const MOST_SERVERS = 100;

/** The tenant's credentials, where the console may read them, and MCP servers: an id is chosen by its name. */
function useSuggestions() {
  const reprise = useReprise();
  const { credentials } = useKnownCredentials();
  const { data: servers } = useQuery({
    queryKey: ["mcp-servers", "suggested"],
    queryFn: () => reprise.mcpServers.list({ limit: MOST_SERVERS }).page(null),
  });
  return useMemo(() => {
    const options = (credentials ?? []).map(({ id, name }) => [id, name] as const);
    const server_id = (servers?.data ?? []).map(({ id, name }) => [id, name] as const);
    return { server_id, ...Object.fromEntries(CREDENTIAL_MEMBERS.map((name) => [name, options])) };
  }, [credentials, servers]);
}
