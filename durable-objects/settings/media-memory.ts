// The session's memory, from its log and tables, of media that models have refused, and of the models' answers about
// them.
import { REFUSED_MEDIA_FOLD } from "../../agent/models/refused-media-fold.ts";
import type { AskedModel, MediaMemory } from "../../model/media-memory.ts";
import { shortHash } from "../../model/stream/short-hash.ts";
import { MEDIA_REFUSED, type MediaRefusedValue } from "../../protocol/files/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { SessionTables } from "../tables/session-tables.ts";

type KnownTables = Pick<SessionTables, "abilities" | "diagnostics" | "replies">;

/** @param append Writes to the session's log. @param replyId Null between replies. */
export function mediaMemory(
  tables: KnownTables,
  append: (events: readonly EventDraft[]) => void,
  replyId: string | null,
): MediaMemory {
  return {
    refused({ name, host }) {
      const all = tables.abilities.read(REFUSED_MEDIA_FOLD);
      if (all.length === 0) return NONE;
      const endpoint = endpointOf(host);
      const own = all.filter((one) => one.model_name === name && one.endpoint === endpoint);
      return new Set(own.map(({ media }) => media));
    },

    hasAnswered: (model, message) => hasAnswered(tables, model, message),

    remember({ name, host }, media) {
      const reply = replyId === null ? {} : { reply_id: replyId };
      const value: MediaRefusedValue = {
        ...reply,
        model_name: name,
        endpoint: endpointOf(host),
        media,
      };
      append([{ type: "CUSTOM", name: MEDIA_REFUSED, ...reply, value: { ...value } }]);
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The host itself is none of an end user's business, who may read the log. */
function endpointOf(host: AskedModel["host"]): string {
  return shortHash(host ?? "");
}

/** Only calls of this session have rows: those of a fork's or an import's messages are not known. */
function hasAnswered(
  { diagnostics, replies }: KnownTables,
  { name, host }: AskedModel,
  message: Msg,
): boolean | null {
  const calls = diagnostics
    .list(message.id)
    .flatMap((ended) => (ended.kind === "model" ? [ended.call] : []));
  if (calls.length === 0) {
    const hasUsage = (message.usage?.output_tokens ?? 0) > 0;
    return hasUsage || !replies.find(message.id) ? null : false;
  }
  return calls.some(
    ({ model, host: at, outcome, first_output_ms }) =>
      model === name && at === host && (outcome === "completed" || first_output_ms !== null),
  );
}
