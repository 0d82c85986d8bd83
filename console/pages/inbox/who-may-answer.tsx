import { useQuery } from "@tanstack/react-query";

import type { Confirmation, Reprise } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";

/** Others who may answer a call beside this console: keys, tokens of its session, callback addresses of webhooks. */
export function WhoMayAnswer({ call }: { readonly call: Confirmation }) {
  const reprise = useReprise();
  const may = {
    keys: useMay("keys:read"),
    tokens: useMay("sessions:read"),
    webhooks: useMay("webhooks:read"),
  };
  const { data, error } = useQuery({
    queryKey: ["who-may-answer", call.session_id, call.kind],
    queryFn: () => readAnswerers(reprise, call, may),
  });
  return (
    <section aria-label="Who may answer">
      <h3>Who may answer</h3>
      {error && <p className="quiet">This could not be read.</p>}
      {!data && !error && <p className="quiet">One moment…</p>}
      {data && (
        <ul className="call-facts">
          {data.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function readAnswerers(
  reprise: Reprise,
  { kind, session_id }: Confirmation,
  may: { readonly keys: boolean; readonly tokens: boolean; readonly webhooks: boolean },
): Promise<readonly string[]> {
  const isPermission = kind === "permission";
  const verb = isPermission ? "confirm" : "tool_result";
  const event = isPermission ? "confirmation.required" : "external_execution.required";
  const scope = isPermission ? "confirmations:write" : "tool_results:write";
  const [keys, tokens, endpoints] = await Promise.all([
    may.keys ? reprise.apiKeys.list({ limit: 100 }).page() : null,
    may.tokens ? reprise.session(session_id).tokens.list({ limit: 100 }).page() : null,
    may.webhooks ? reprise.webhookEndpoints.list({ limit: 100 }).page() : null,
  ]);
  const now = Date.now();
  const liveKeys = keys?.data.filter(
    ({ scopes, revoked_at, expires_at }) =>
      scopes.includes(scope) &&
      revoked_at === null &&
      (expires_at === null || Date.parse(expires_at) > now),
  );
  const hearing = endpoints?.data.filter(
    ({ events, callback_verbs, disabled }) =>
      !disabled &&
      callback_verbs.includes(verb) &&
      (events.includes("*") || events.includes(event)),
  );
  return [
    liveKeys && `API keys with ${scope}: ${namesOf(liveKeys.map((key) => key.name ?? key.prefix))}`,
    tokens &&
      `client tokens of the session: ${tokens.data.filter(({ verbs }) => verbs?.includes(verb)).length}`,
    hearing && `by callback address: ${namesOf(hearing.map(({ url }) => url))}`,
  ].filter((line): line is string => typeof line === "string");
}

const SHOWN_NAMES = 4;

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
  return `${names.slice(0, SHOWN_NAMES).join(", ")}${more}`;
}
