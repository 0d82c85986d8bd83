// Hooks of a session.
import { openSession } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { FAILING_TOOL_URL } from "../../worker/support/failing-tool-url.ts";
import { REFUSING_HOOK } from "../../worker/support/refusing-hook.ts";
import type { ConceptRows } from "../row.ts";

const HOOK = {
  type: "http",
  name: "desk",
  point: "post_reply",
  url: "https://tool.example/hook",
};

export const ROWS = {
  readHooks: { answers: 200, shows: ["hook"] },
  writeHooks: {
    answers: 200,
    body: ({ word }) => ({ hooks: [{ ...HOOK, name: `of-${word}` }] }),
    places: [
      {
        where: "body signing_credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (signing_credential_id) => ({ hooks: [{ ...HOOK, signing_credential_id }] }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+audit_entries", "~session.session"],
    refusedBy: ["database_bytes"],
  },
  removeHook: {
    answers: 200,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "~session.session"],
    refusedBy: ["database_bytes"],
  },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session } = await openSession();
  const place = { session_id: session.id };
  const put = (hooks: readonly object[], headers = {}) =>
    api.ask("writeHooks", place, { ...call, headers, json: { hooks } });
  const observe = (content: string) =>
    api.ask("observe", place, { ...call, json: { messages: { content } } });
  await put([{ type: "code", name: REFUSING_HOOK.name, point: "pre_observe" }]);
  await observe("spam");
  await put([{ type: "http", name: "gone", point: "pre_observe", url: FAILING_TOOL_URL }]);
  await observe("news");
  await put([], { "If-Match": '"9"' });
  await api.ask("readHooks", place, call);
  await put([{ ...HOOK, name: "other" }]);
  const named = { ...place, hook_name: "other" };
  await api.ask("removeHook", named, { ...call, headers: { "If-Match": '"9"' } });
  await api.ask("removeHook", named, call);
  await api.ask("removeHook", named, call);
}
