// The one commit with which a reply begins: its input messages, `REPLY_START`, and its rows.
import { a2aDepthMetadata, a2aMetadata } from "../../protocol/a2a/a2a-mark.ts";
import {
  runMetadata,
  stateVersionMetadata,
  type AgUiRunMark,
} from "../../protocol/ag-ui/ag-ui-run.ts";
import {
  AGENT_VERSION_CHANGED,
  type AgentVersionChangedValue,
} from "../../protocol/agents/events.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { WATCHDOG_INTERVAL_MS } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { modelOptionsMetadata } from "../../protocol/models/model-options.ts";
import { skillsMetadata } from "../../protocol/skills/skill.ts";
import { structuredReplyMetadata } from "../../protocol/schemas/structured-output.ts";
import type { KnownMessages } from "../tables/known-messages.ts";
import type { ReplyStart, SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { messageAdded, type StagedMessages } from "../log/stage-messages.ts";
import { pinnedSkillsOf } from "../settings/session-skills.ts";
import { queuedSpeech } from "../tables/queued-speech.ts";
import { WATCHDOG } from "../tables/timers.ts";
import { billSpeech, type BilledSession } from "./bill-speech.ts";

export interface StartTarget {
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly settings: SessionSettings;
}

type BegunTarget = StartTarget & BilledSession;

export interface StartReplyOptions extends Pick<
  ReplyStart,
  "structured_schema" | "model_options" | "trace" | "share" | "woken_by" | "a2a_depth" | "a2a"
> {
  /** The ids of the AG-UI run that begins with the reply. */
  readonly mark?: AgUiRunMark;
  /** Tools and context of that run. */
  readonly client?: SessionInit["client"];
  /** The new messages, if they are on disk already. */
  readonly staged?: StagedMessages;
  /** Part of the same commit. */
  readonly write?: () => void;
}

/** Appends the start of a reply. Known messages that are no reply's input yet become this one's. */
export function startReply(
  target: BegunTarget,
  reply_id: string,
  known: Pick<KnownMessages, "fresh" | "unclaimed">,
  {
    structured_schema,
    model_options,
    trace,
    share,
    woken_by,
    a2a_depth,
    a2a,
    mark,
    client,
    staged,
    write = () => undefined,
  }: StartReplyOptions,
): void {
  // Staged messages are followed by the reply's start alone; no speech is so large.
  const spoken = staged ? [] : known.fresh.flatMap((message) => queuedSpeech(message) ?? []);
  const untold = new Map(spoken.map(({ message }) => [message.id, message]));
  const fresh = staged?.messages ?? known.fresh.map((each) => untold.get(each.id) ?? each);
  const { session_id, agent, agent_version, left_version } = target.settings.init;
  const schema = structured_schema === undefined ? agent.structured_output : structured_schema;
  const { state, version } = target.tables.sharedState.read();
  const metadata = {
    ...(schema && structuredReplyMetadata(schema)),
    ...(model_options && modelOptionsMetadata(model_options)),
    ...skillsMetadata(pinnedSkillsOf(target.settings.init)),
    ...runMetadata({ ...sessionMark(target), ...mark }, client),
    ...stateVersionMetadata(version),
    ...(woken_by !== undefined && { woken_by }),
    ...(a2a_depth && a2aDepthMetadata(a2a_depth)),
    ...(a2a && a2aMetadata(a2a)),
  };
  const drafts: EventDraft[] = [
    ...fresh.map(messageAdded),
    ...spoken.map(({ draft }) => draft),
    ...(left_version === undefined ? [] : [versionChanged(left_version, agent_version)]),
    { type: "REPLY_START", session_id, reply_id, name: agent.name, role: "assistant", metadata },
  ];
  target.log.append(drafts, {
    staged,
    write: (events) => {
      const kept = { model_options, trace, share, staged, a2a };
      const told = new Map(spoken.map((each) => [each.told.id, each.told]));
      const messages = fresh.map((each) => told.get(each.id) ?? each);
      recordStart(target, { id: reply_id, messages, events, ...kept });
      for (const [index, { change, ms }] of spoken.entries()) {
        const seq = events[fresh.length + index]?.seq;
        if (seq !== undefined) billSpeech(target, change, { seq, ms });
      }
      target.settings.beginReply(client);
      if (woken_by === undefined) target.tables.background.takeUp();
      if (version > 0) target.tables.stateVersions.keep(version, state);
      for (const id of known.unclaimed) target.tables.messages.claim(id, reply_id);
      write();
    },
  });
}

function versionChanged(from: number, to: number): EventDraft {
  const value: AgentVersionChangedValue = { from, to };
  return { type: "CUSTOM", name: AGENT_VERSION_CHANGED, value: { ...value } };
}

/** The AG-UI metadata of every reply of the session, also of one that no AG-UI client has started. */
function sessionMark({ tables, settings }: StartTarget): AgUiRunMark {
  const { thread_id, parent_run_id } = settings.init;
  const isFirst = parent_run_id !== undefined && tables.replies.newest() === null;
  return { ...(thread_id !== undefined && { thread_id }), ...(isFirst && { parent_run_id }) };
}

interface BegunReply extends Pick<
  StartReplyOptions,
  "model_options" | "trace" | "share" | "staged" | "a2a"
> {
  readonly id: string;
  readonly messages: readonly Msg[];
  /** A `message_added` for each of them, and `REPLY_START`. */
  readonly events: readonly LoggedEvent[];
}

function recordStart(
  { tables, settings }: StartTarget,
  { id, messages, events, model_options, trace, share, staged, a2a }: BegunReply,
): void {
  const start = events.at(-1);
  if (!start) return;
  messages.forEach((message, index) => {
    const position = events[index]?.seq ?? start.seq;
    const body = staged?.bodies[index];
    tables.messages.put({ position, reply_id: id, message, cursor: position, staged: body });
  });
  const { agent_version, agent } = settings.init;
  tables.replies.insert({
    id,
    start_cursor: start.seq - 1,
    agent_version,
    model_name: model_options?.model ?? agent.model.name,
    model_options,
    created_at: start.created_at,
    trace,
    share,
    a2a,
  });
  tables.timers.setBy(WATCHDOG, Date.now() + WATCHDOG_INTERVAL_MS);
}
