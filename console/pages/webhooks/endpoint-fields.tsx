import type { CallbackVerb, WebhookEndpoint } from "../../../sdk/index.ts";
import { CheckFields, TextField } from "../../components/forms/fields.tsx";

/** Draft of an endpoint. */
interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly callback_verbs: readonly string[];
}

export const NEW_ENDPOINT: EndpointDraft = {
  url: "",
  description: "",
  events: ["*"],
  callback_verbs: ["confirm", "tool_result"],
};

const EVENTS = [
  "*",
  "reply.*",
  "session.*",
  "reply.completed",
  "reply.failed",
  "reply.interrupted",
  "confirmation.required",
  "external_execution.required",
  "session.created",
  "session.deleted",
  "webhook_endpoint.disabled",
];
const VERBS = ["confirm", "edit", "tool_result"];

interface EndpointFieldsProps {
  readonly draft: EndpointDraft;
  readonly onChange: (draft: EndpointDraft) => void;
}

/** The fields of an endpoint, new or to be changed. */
export function EndpointFields({ draft, onChange }: EndpointFieldsProps) {
  return (
    <>
      <TextField
        label="URL"
        hint="https; on your own machine also http."
        type="url"
        isRequired
        isCode
        value={draft.url}
        onChange={(url) => onChange({ ...draft, url })}
      />
      <TextField
        label="Description"
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
      />
      <CheckFields
        label="Events"
        options={EVENTS}
        chosen={draft.events}
        onChange={(events) => onChange({ ...draft, events })}
        textOf={(event) => (event === "*" ? "* (all)" : event)}
      />
      <CheckFields
        label="Its callback addresses may"
        options={VERBS}
        chosen={draft.callback_verbs}
        onChange={(callback_verbs) => onChange({ ...draft, callback_verbs })}
      />
    </>
  );
}

/** As the API takes it. @throws {Error} when no event is chosen. */
export function toEndpointBody({ url, events, callback_verbs }: EndpointDraft) {
  if (events.length === 0) throw new Error("Choose at least one event.");
  return {
    url: url.trim(),
    events: events as WebhookEndpoint["events"],
    callback_verbs: callback_verbs as CallbackVerb[],
  };
}
