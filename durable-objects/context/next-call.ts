// The next model call of a session, built as the loop builds it.
import type { Ability } from "../../agent/ability.ts";
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { afterBoundary } from "../../agent/context/context-view.ts";
import { abilityHints } from "../../agent/loop/ability-hints.ts";
import { modelContext } from "../../agent/loop/model-context.ts";
import type { NewId, ToolDeclaration } from "../../agent/ports.ts";
import { startReplyState, type ReplyState } from "../../agent/state/reply-state.ts";
import { offeredTools } from "../../agent/tool-call/internal-tools.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { structuredReplyMetadata } from "../../protocol/schemas/structured-output.ts";
import { declareTools } from "../../tools/tool-runner.ts";
import type { SessionInit } from "../api/session-api.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { openAbilities } from "../settings/open-abilities.ts";
import type { SessionTables } from "../tables/session-tables.ts";

export interface NextCall {
  readonly tools: readonly ToolDeclaration[];
  /** Oldest first, without the hints: each call would make others. */
  readonly messages: readonly Msg[];
  /** The hints that the call would add. */
  readonly hints: readonly { readonly source: string; readonly text: string }[];
}

export interface NextCallSource {
  /** Settings of the open reply, or of the next one. */
  readonly init: SessionInit;
  readonly tables: SessionTables;
  readonly newId: NewId;
  /** The messages before the open reply, oldest first. */
  readonly history: readonly Msg[];
  /** The open reply; null for one that would begin now without input. */
  readonly reply: ReplyState | null;
}

/** Changes nothing. */
export function nextCall({ init, tables, newId, history, reply }: NextCallSource): NextCall {
  const abilities = openAbilities(init, tables, history);
  const state = reply ?? emptyReply(init);
  const drafts = hintsOf(state, { abilities, tables, newId, history });
  const tools = toolsOf({ init, tables }, abilities, state);
  return {
    tools,
    messages: modelContext(history, state.message, abilities, tools),
    hints: drafts.flatMap((draft) =>
      draft.type === "HINT_BLOCK" && typeof draft.hint === "string"
        ? [{ source: draft.source ?? "", text: draft.hint }]
        : [],
    ),
  };
}

/** As {@link nextCall}, without a reply and without hints: what is summarised between replies. */
export function contextBetweenReplies(
  source: Omit<NextCallSource, "reply" | "newId">,
): Pick<NextCall, "tools" | "messages"> {
  const { init, tables, history } = source;
  const abilities = openAbilities(init, tables, history);
  const state = emptyReply(init);
  const tools = toolsOf({ init, tables }, abilities, state);
  return { tools, messages: modelContext(history, state.message, abilities, tools) };
}

/** The hints that the loop would append before the call. */
function hintsOf(
  reply: ReplyState,
  {
    abilities,
    tables,
    newId,
    history,
  }: Pick<NextCallSource, "tables" | "newId" | "history"> & { abilities: readonly Ability[] },
): readonly EventDraft[] {
  if (reply.is_model_call_open) return [];
  const visible = afterBoundary([...history, reply.message], tables.abilities.read(CONTEXT_FOLD));
  const message = visible.at(-1) ?? reply.message;
  return abilityHints({ ...reply, message }, abilities, newId, visible.slice(0, -1));
}

function toolsOf(
  { init, tables }: Pick<NextCallSource, "init" | "tables">,
  abilities: readonly Ability[],
  state: ReplyState,
): readonly ToolDeclaration[] {
  const client_tools = init.client?.tools;
  const { mcp } = tables;
  const tools = declareTools({ ...equippedAgent(init), abilities, client_tools, mcp });
  return offeredTools(tools, abilities, state);
}

/** A reply that has just begun. Its message has no content, so that no model is sent it. */
function emptyReply({ session_id, agent }: SessionInit): ReplyState {
  const { name, structured_output } = agent;
  return startReplyState({
    type: "REPLY_START",
    id: "",
    session_id,
    reply_id: "",
    name,
    role: "assistant",
    created_at: new Date().toISOString(),
    metadata: structured_output ? structuredReplyMetadata(structured_output) : {},
  });
}
