import type { InputRequest } from "../../../sdk/index.ts";
import { AddressView } from "./address-view.tsx";
import { QuestionFieldView } from "./question-field-view.tsx";
import { readFields, type FieldDraft } from "./question-fields.ts";
import type { RequestDraft } from "./request-draft.ts";

interface RequestViewProps {
  readonly request: InputRequest;
  readonly draft: RequestDraft;
  readonly isDisabled: boolean;
  readonly onChange: (draft: RequestDraft) => void;
}

/** Subject of one request: the fields of a form, or a page that the person opens. */
export function RequestView({ request, draft, isDisabled, onChange }: RequestViewProps) {
  if (request.mode === "url") {
    return (
      <div className="question-request">
        <p className="plain-text question-message">{request.message}</p>
        <p className="quiet">
          It leads to a page that is not of this platform. Look at the host before you open it; what
          you do there is between you and that page.
        </p>
        <AddressView
          url={request.url}
          what="page"
          onOpened={() => onChange({ ...draft, isOpened: true, errors: NONE })}
        />
        <Errors draft={draft} />
      </div>
    );
  }
  const fields = readFields(request.requested_schema);
  const change = (name: string, value: FieldDraft) =>
    onChange({
      ...draft,
      fields: new Map([...draft.fields, [name, value]]),
      errors: new Map([...draft.errors].filter(([other]) => other !== name)),
    });
  return (
    <div className="question-request">
      <p className="plain-text question-message">{request.message}</p>
      {fields.map((field) => (
        <QuestionFieldView
          key={field.name}
          field={field}
          value={draft.fields.get(field.name) ?? ""}
          error={draft.errors.get(field.name) ?? null}
          isDisabled={isDisabled}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      {fields.length === 0 && <p className="quiet">It asks for a yes or a no, and for no data.</p>}
    </div>
  );
}

const NONE: ReadonlyMap<string, string> = new Map();

function Errors({ draft }: { readonly draft: RequestDraft }) {
  return [...draft.errors.values()].map((error) => (
    <p key={error} role="alert" className="field-error">
      {error}
    </p>
  ));
}
